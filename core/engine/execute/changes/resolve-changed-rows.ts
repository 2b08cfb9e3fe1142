import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Access } from '../../../contract/access.ts'
import type { Dialect } from '../../../contract/dialect.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type {
  FieldSelection,
  Operation,
  OperationTemplate,
  RootSelection,
  RowsRoot,
} from '../../../contract/operation.ts'
import type { Result } from '../../../contract/result.ts'
import type {
  FieldModel,
  NamedType,
  ObjectType,
  QueryModel,
  ScalarType,
  SchemaModel,
  SubscriptionModel,
} from '../../../schema/model.ts'
import type { TypeRef } from '../../../schema/type-ref.ts'
import { readMembers, writeMembers } from '../../json/json-text.ts'
import { hasRules } from '../../plan/sources/type-rules.ts'
import type { ExecuteContext } from '../context/context.ts'
import { prepareRead } from '../read/prepare-read.ts'
import { resolveRead } from '../read/read.ts'
import { projectRow } from './project-row.ts'

const IDS = '@ids'
const DOCUMENTS = '@documents'
const TEXT: TypeRef = { kind: 'named', name: 'String', nullable: false }
const TEXTS: TypeRef = { kind: 'list', of: TEXT, nullable: false }

/** A subscription, or a list query whose rows are followed. */
type FollowedRoot = Extract<RootSelection, { kind: 'operation' }> & {
  readonly operation: SubscriptionModel | QueryModel
}

/** Templates of reads, by authorized template of the subscription; then by type and whether the rows are deleted. */
const reads = new WeakMap<OperationTemplate, Map<string, OperationTemplate>>()

/**
 * Reads the rows that change events report (`Operation.changed`) with the selection of the subscription. Access rules
 * of the type and of the operation apply.
 * @throws SvcError REQUEST_ERROR if the operation has no `changed`; otherwise the errors of a query
 */
export async function resolveChangedRows(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
): Promise<Result> {
  const { template, variables, access, changed } = operation
  if (changed === undefined) {
    throw new SvcError('REQUEST_ERROR', 'A subscription is a stream: it cannot be answered as one result.')
  }
  const type = exchange.generation.schema.types.get(changed.type)
  if (type?.kind !== 'object') throw new Error(`${changed.type} is not an object type`)
  const { dialect } = context.settings
  const { documents } = changed
  const beside = documents === undefined ? (changed.beside ?? []) : []
  const read = readOf(template, type, documents !== undefined, besideOf(type, beside, exchange.generation.schema))
  if (documents !== undefined) {
    const { query, selection } = read.roots[0] as RowsRoot
    const source = query?.source ?? type.source
    const isRead = source !== null && dialect.readsDocuments(source, isHiddenBy(type, query, access), selection)
    if (!isRead) return project(dialect, read, access, type, documents)
  }
  const reading: Operation = {
    template: read,
    variables: { ...variables, [IDS]: changed.ids, [DOCUMENTS]: documentsOf(type, documents ?? []) },
    ...(access === undefined ? {} : { access }),
  }
  if (changed.ids.length > 0) return resolveRead(context, exchange, reading)
  // Without rows no statement runs, but a missing claim must still be an error.
  bindRead(context, exchange, reading)
  return { data: `{${JSON.stringify(read.roots[0]!.responseKey)}:[]}`, errors: null }
}

/** Plans and binds a read without running it. @throws SvcError that the read would throw before its statement */
function bindRead({ settings }: ExecuteContext, exchange: Exchange, operation: Operation): void {
  const prepared = prepareRead(operation, exchange.generation.schema, settings)
  if (prepared.statement !== null) prepared.bind(operation.variables, exchange, undefined, operation.access)
}

function readOf(
  template: OperationTemplate,
  type: ObjectType,
  isGone: boolean,
  beside: readonly FieldSelection[],
): OperationTemplate {
  const known = reads.get(template) ?? new Map<string, OperationTemplate>()
  const key = [`${isGone ? '-' : '+'}${type.name}`, ...beside.map(({ responseKey }) => responseKey)].join()
  let read = known.get(key)
  if (read === undefined) {
    read = deriveRead(template, type, isGone, beside)
    reads.set(template, known.set(key, read))
  }
  return read
}

function deriveRead(
  template: OperationTemplate,
  type: ObjectType,
  isGone: boolean,
  beside: readonly FieldSelection[],
): OperationTemplate {
  const root = template.roots[0] as FollowedRoot
  const { responseKey, operation, location, denied } = root
  const member = root.selection?.kind === 'abstract' ? root.selection.possible.get(type.name) : root.selection
  if (template.roots.length !== 1 || member?.kind !== 'object') {
    throw new Error(`"${responseKey}" selects nothing of ${type.name}`)
  }
  const closed = denied ?? member.denied
  const rows: RootSelection = {
    kind: 'rows',
    responseKey,
    type,
    keys: { kind: 'variable', name: IDS, type: TEXTS },
    query: queryOf(operation, type),
    selection: beside.length === 0 ? member : { ...member, fields: [...member.fields, ...beside] },
    location,
    ...(closed === undefined ? {} : { denied: closed }),
    documents: isGone ? { kind: 'variable', name: DOCUMENTS, type: TEXT } : undefined,
  }
  return { ...template, kind: 'query', roots: [rows] }
}

/** Converts a subscription to a query, because row rules are planned for queries. */
function queryOf(subscription: SubscriptionModel | QueryModel, { source, document }: ObjectType): QueryModel {
  if (subscription.kind === 'query') return subscription
  if (source === null) throw new Error(`${subscription.named.name} has no source for the rows of events`)
  return {
    ...subscription,
    kind: 'query',
    dataplane: 'graphql',
    source,
    document,
    relay: false,
    autoParams: { where: false, order_by: false, limit: false, offset: false, total_count: false },
    typeColumn: '__typename',
    argumentReads: new Map(),
    rowFilter: undefined,
    idArg: undefined,
    aggregate: false,
    additionalViews: [],
    keys: {},
  }
}

/** Converts reported rows, whose JSON column is spread into the row, to rows of the source, which have the column. */
function documentsOf({ document }: ObjectType, texts: readonly string[]): string {
  if (document === null) return `[${texts.join()}]`
  return `[${texts.map((text) => writeMembers([...readMembers(text).set(document, text)])).join()}]`
}

/** Tests whether row rules apply to a type or query. */
function isHiddenBy(type: ObjectType, query: QueryModel | undefined, access: Access | undefined): boolean {
  return hasRules(type, access) || (query?.inject.length ?? 0) > 0 || query?.rowFilter !== undefined
}

/** Projects deleted rows in this process, for databases that cannot apply rules to documents. Rows with rules are hidden. */
function project(
  dialect: Dialect,
  { roots }: OperationTemplate,
  access: Access | undefined,
  type: ObjectType,
  documents: readonly string[],
): Result {
  const { responseKey, selection, query, denied } = roots[0] as RowsRoot
  const isHidden = denied !== undefined || isHiddenBy(type, query, access)
  const errors: SvcError[] = []
  const rows = documents.map((document, index) => {
    if (isHidden) return 'null'
    const completed = projectRow(dialect, selection, document, [responseKey, index])
    errors.push(...completed.errors)
    return completed.text ?? 'null'
  })
  return { data: `{${JSON.stringify(responseKey)}:[${rows.join()}]}`, errors: errors.length === 0 ? null : errors }
}

const known = new WeakMap<ObjectType, Map<string, FieldSelection>>()

/** Returns the selections of `ChangedRows.beside`. Relations are omitted, because their values are in other rows. */
function besideOf(
  type: ObjectType,
  names: readonly string[],
  schema: Pick<SchemaModel, 'types'>,
): readonly FieldSelection[] {
  if (names.length === 0) return []
  const own = known.get(type) ?? new Map<string, FieldSelection>()
  known.set(type, own)
  const wanted = new Set(names)
  return [...type.fields.values()]
    .filter(({ name, read }) => wanted.has(name) && read !== null && read.from !== 'relation')
    .map((field) => {
      const selection = own.get(field.name) ?? selectStored(field, schema)
      own.set(field.name, selection)
      return selection
    })
}

/** Selects a field as it is stored: enums and custom scalars as their base types, nullable. */
function selectStored(field: FieldModel, { types }: Pick<SchemaModel, 'types'>): FieldSelection {
  const scalar = (name: string): ScalarType => types.get(name) as ScalarType
  const named: NamedType = field.list
    ? scalar('JSON')
    : field.named.kind === 'scalar'
      ? scalar(field.named.base)
      : scalar(field.named.kind === 'enum' ? 'String' : 'JSON')
  const type: TypeRef = { kind: 'named', name: named.name, nullable: true }
  const stored: FieldModel = { ...field, named, type, list: false }
  const key = `@${field.name}`
  return { kind: 'field', responseKey: key, field: stored, arguments: [], selection: null, location: null }
}
