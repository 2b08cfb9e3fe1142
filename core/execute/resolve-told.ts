import type { Access } from '../contract/access.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { FieldSelection, Operation, OperationTemplate, RootSelection, RowsRoot } from '../contract/operation.ts'
import type { Result } from '../contract/result.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { SvcError } from '../errors/svc-error.ts'
import { readMembers, writeMembers } from '../json/json-text.ts'
import { hasRules } from '../plan/rows/type-rules.ts'
import type { ObjectType, QueryModel, SubscriptionModel } from '../schema/model.ts'
import type { TypeRef } from '../schema/type-ref.ts'
import type { ExecuteContext } from './context.ts'
import { prepareRead } from './prepare-read.ts'
import { projectRow } from './project-row.ts'
import { resolveRead } from './read.ts'
import { besideOf } from './told-beside.ts'

const IDS = '@ids'
const DOCUMENTS = '@documents'
const TEXT: TypeRef = { kind: 'named', name: 'String', nullable: false }
const TEXTS: TypeRef = { kind: 'list', of: TEXT, nullable: false }

/** A subscription, or a query that gives a list: its rows may be followed, too. */
type ToldRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: SubscriptionModel | QueryModel }

/** By the template of the subscription, as authorize left it; then by type, and whether the rows are gone. */
const reads = new WeakMap<OperationTemplate, Map<string, OperationTemplate>>()

/**
 * The rows that events tell of, as what was subscribed shows them: the rules of the type hold, and those of the operation.
 * @throws SvcError REQUEST_ERROR: no rows are asked for; as a read does
 */
export async function resolveTold(context: ExecuteContext, exchange: Exchange, operation: Operation): Promise<Result> {
  const { template, variables, access, told } = operation
  if (told === undefined) {
    throw new SvcError('REQUEST_ERROR', 'A subscription is a stream: it cannot be answered as one result.')
  }
  const type = exchange.generation.schema.types.get(told.type)
  if (type?.kind !== 'object') throw new Error(`${told.type} is no type whose rows events tell of`)
  const { dialect } = context.settings
  const { documents } = told
  const beside = documents === undefined ? (told.beside ?? []) : []
  const read = readOf(template, type, documents !== undefined, besideOf(type, beside, exchange.generation.schema))
  if (documents !== undefined) {
    const { query, selection } = read.roots[0] as RowsRoot
    const source = query?.source ?? type.source
    const isRead = source !== null && dialect.readsDocuments(source, isHiddenBy(type, query, access), selection)
    if (!isRead) return project(dialect, read, access, type, documents)
  }
  const asked: Operation = {
    template: read,
    variables: { ...variables, [IDS]: told.ids, [DOCUMENTS]: documentsOf(type, documents ?? []) },
    ...(access === undefined ? {} : { access }),
  }
  if (told.ids.length > 0) return resolveRead(context, exchange, asked)
  // Without rows the database is not asked; a claim that the caller lacks is refused all the same.
  bindRead(context, exchange, asked)
  return { data: `{${JSON.stringify(read.roots[0]!.responseKey)}:[]}`, errors: null }
}

/** @throws SvcError what the read would be refused with before it reaches the database */
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
  const root = template.roots[0] as ToldRoot
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

/** What lays rules on rows is a query; of one it has all that is asked. */
function queryOf(subscription: SubscriptionModel | QueryModel, { source, document }: ObjectType): QueryModel {
  if (subscription.kind === 'query') return subscription
  if (source === null) throw new Error(`${subscription.named.name} has no source to read what events tell of`)
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
    cacheTtl: undefined,
    cache: undefined,
    additionalViews: [],
  }
}

/** What was told of a row has the keys of its document beside its columns. */
function documentsOf({ document }: ObjectType, texts: readonly string[]): string {
  if (document === null) return `[${texts.join()}]`
  return `[${texts.map((text) => writeMembers([...readMembers(text).set(document, text)])).join()}]`
}

/** Do rules say which rows are seen? */
function isHiddenBy(type: ObjectType, query: QueryModel | undefined, access: Access | undefined): boolean {
  return hasRules(type, access) || (query?.inject.length ?? 0) > 0 || query?.rowFilter !== undefined
}

/** Where the database cannot lay rules on what it does not store: rows that have none are shown, others are not. */
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
