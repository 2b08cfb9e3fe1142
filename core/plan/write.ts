import { createHash } from 'node:crypto'
import { SvcError } from '../errors/svc-error.ts'
import type { Parameter, Statement } from '../front/database.ts'
import type { MutationRoot, ObjectSelection } from '../front/operation.ts'
import type { CompiledReturn } from '../schema/compiled.ts'
import { type BindInput, EMPTY, FALSE, join, literal, render, type Slot, type SqlFragment, sql, TRUE } from './sql.ts'
import { type PreparedCall, prepareCall } from './write-call.ts'
import { type EntityPlan, type EntityTarget, planEntity, ROW } from './write-entity.ts'
import { raiseFault } from './write-fault.ts'
import { planLeaf } from './write-leaf.ts'
import {
  FUNCTION_ALIAS,
  failureColumns,
  type ResultRecord,
  type ReturnForm,
  recordOf,
  returnFormOf,
  VALUE,
} from './write-record.ts'
import { FAILURE, SUCCESS } from './write-status.ts'

/**
 * - `single`: one statement on its own. It fails, and so writes nothing, when something would have to be read again.
 * - `transaction`: the first statement of a transaction; says what is lacking.
 */
export type WriteMode = 'single' | 'transaction'

/** Columns of a result row. Which there are depends on the function and the mode. */
export type WriteColumn =
  | 'status'
  | 'message'
  | 'entity_id'
  | 'entity_type'
  /** JSON text of what is selected; SQL NULL = nothing came. */
  | 'data'
  /** Lists in one document: `item` for an item, else the kind of JSON that stands for the list; NULL = none. */
  | 'item'
  | 'entity'
  | 'updated_fields'
  | 'cascade'
  | 'metadata'
  | 'code'
  | 'field'
  | 'error_class'
  | 'http_status'
  | 'detail'
  /** JSON array of booleans, per target: does the entity lack something? */
  | 'lacks'

export interface BoundWrite {
  readonly statement: Statement
  readonly parameters: readonly Parameter[]
  /** Position of each column in a row. */
  readonly columns: ReadonlyMap<WriteColumn, number>
}

/** One mutation root, ready to run. */
export interface PreparedWrite {
  readonly root: MutationRoot
  /** `ids`: the function gives ids only, `data` holds them, and the objects have to be read. `void`: no rows matter. */
  readonly kind: 'documents' | 'ids' | 'void'
  readonly list: boolean
  readonly targets: readonly EntityTarget[]
  /** Is the transaction needed whatever the function answers? */
  readonly readsAgain: boolean
  /** Does no row mean that nothing was found? */
  readonly rowsMatter: boolean
  /** The members of a union that stand for failures. */
  readonly errorMembers: readonly ObjectSelection[]
  /** @throws SvcError UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT */
  bind(input: BindInput, mode: WriteMode): BoundWrite
}

export interface WriteOptions {
  /** Give what a `CommitEvent` wants. */
  readonly events: boolean
}

/**
 * @param returns what the function gives back: from the artifact, or as `describeWrite` found it
 * @throws SvcError INTERNAL_SERVER_ERROR when function and declared result cannot fit
 */
export function prepareWrite(root: MutationRoot, returns: CompiledReturn, options: WriteOptions): PreparedWrite {
  const { operation, selection } = root
  const call = prepareCall(root)
  const form = returnFormOf(operation.function, returns)
  const list = operation.type.kind === 'list'
  if (selection !== null && form === 'scalar') return prepareIds(root, call)
  if (form === 'void') return prepareVoid(root, call)
  const document = operation.named.kind === 'object' ? operation.named.document : null
  const record = recordOf(form, returns, document)
  const rows = form === 'rows' || (form === 'scalar' && returns.set)
  const plan = selection === null ? planLeaf(operation, form, list && rows) : planEntity(selection)
  const errorMembers =
    selection?.kind === 'abstract' ? [...selection.possible.values()].filter(({ type }) => type.isError) : []
  const abstract = operation.named.kind === 'union' || operation.named.kind === 'interface'
  const source: SourceOptions = {
    form,
    record,
    plan,
    spread: list && !rows && selection !== null,
    failure: form === 'record' ? failureColumns(returns.columns) : [],
    typeColumn: abstract ? (operation.named as { typeColumn: string }).typeColumn : '__typename',
  }
  const emit = (target: SqlFragment, mode: WriteMode) =>
    emitDocuments(target, mode, source, columnsOf(source, mode, errorMembers.length > 0, options))
  return {
    root,
    kind: 'documents',
    list: list && (rows || selection !== null),
    targets: plan.targets,
    rowsMatter: form === 'rows',
    readsAgain: plan.targets.some((target) => target.lacks.always),
    errorMembers,
    bind: bindWith(call, emit),
  }
}

interface Emitted {
  readonly sql: SqlFragment
  readonly columns: readonly WriteColumn[]
}

/** Statements kept per root: one per combination of optional arguments that came. */
const MOST_STATEMENTS = 64

/** Statements by shape and mode: rendered once. */
function bindWith(call: PreparedCall, emit: (target: SqlFragment, mode: WriteMode) => Emitted): PreparedWrite['bind'] {
  const rendered = new Map<
    string,
    { statement: Statement; slots: readonly Slot[]; columns: Map<WriteColumn, number> }
  >()
  return (input, mode) => {
    const shape = call.shapeOf(input)
    const key = mode + shape
    let known = rendered.get(key)
    if (known === undefined) {
      const { sql: fragment, columns } = emit(call.emit(shape), mode)
      const { text, slots } = render(fragment)
      const name = `w_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
      known = { statement: { name, text }, slots, columns: new Map(columns.map((column, index) => [column, index])) }
      if (rendered.size >= MOST_STATEMENTS) rendered.delete(rendered.keys().next().value ?? '')
      rendered.set(key, known)
    }
    return {
      statement: known.statement,
      parameters: known.slots.map((slot) => slot.read(input)),
      columns: known.columns,
    }
  }
}

function prepareVoid(root: MutationRoot, call: PreparedCall): PreparedWrite {
  const { operation } = root
  const emit = (target: SqlFragment): Emitted => ({
    sql: operation.function.kind === 'procedure' ? sql`CALL ${target}` : sql`SELECT FROM ${target}`,
    columns: [],
  })
  return { ...plainWrite(root), kind: 'void', bind: bindWith(call, emit) }
}

function prepareIds(root: MutationRoot, call: PreparedCall): PreparedWrite {
  const { operation } = root
  if (operation.named.kind !== 'object' || operation.named.source === null) {
    throw new SvcError(
      'INTERNAL_SERVER_ERROR',
      `${operation.wireName}: function "${operation.function.name}" returns a single value, and ${operation.named.name} has no source to read it from.`,
    )
  }
  const emit = (target: SqlFragment): Emitted => ({
    sql: sql`SELECT to_json(${VALUE})::text FROM ${target} AS ${FUNCTION_ALIAS}(${VALUE})`,
    columns: ['data'],
  })
  const selection = root.selection as ObjectSelection
  const lacks = { always: true, any: null }
  return {
    ...plainWrite(root),
    kind: 'ids',
    targets: [{ at: null, possible: new Map([[selection.type.name, selection]]), lacks }],
    readsAgain: true,
    bind: bindWith(call, emit),
  }
}

function plainWrite(root: MutationRoot): Omit<PreparedWrite, 'bind' | 'kind'> {
  const list = root.operation.type.kind === 'list'
  return { root, list, targets: [], rowsMatter: true, readsAgain: false, errorMembers: [] }
}

interface SourceOptions {
  readonly form: ReturnForm
  readonly record: ResultRecord
  readonly plan: EntityPlan
  /** The items of a list stand in one document. */
  readonly spread: boolean
  readonly typeColumn: string
  /** What the function says of a failure besides status and message. */
  readonly failure: readonly WriteColumn[]
}

function columnsOf(
  source: SourceOptions,
  mode: WriteMode,
  metadata: boolean,
  options: WriteOptions,
): readonly WriteColumn[] {
  const columns: WriteColumn[] = ['status', 'message', 'entity_id', 'entity_type', 'data']
  if (source.spread) columns.push('item')
  if (options.events || mode === 'transaction') columns.push('entity')
  if (options.events) columns.push('updated_fields', 'cascade')
  if (metadata) columns.push('metadata')
  columns.push(...source.failure)
  if (mode === 'transaction') columns.push('lacks')
  return columns
}

/**
 * Three levels, each behind a fence (`OFFSET 0`), so that no expression is evaluated once per selected field: `c` is
 * the function's result as a record, `m` one entity of it, and the outermost makes the JSON text.
 */
function emitDocuments(
  target: SqlFragment,
  mode: WriteMode,
  source: SourceOptions,
  columns: readonly WriteColumn[],
): Emitted {
  const { form, record, plan, spread, typeColumn } = source
  const alias = form === 'json' || form === 'scalar' ? sql`${FUNCTION_ALIAS}(${VALUE})` : FUNCTION_ALIAS
  const inner = sql`SELECT ${record.status} AS status, ${record.message} AS message, ${record.entityId} AS entity_id,
    ${record.entityType} AS entity_type, ${record.entity} AS entity, ${record.updatedFields} AS updated_fields,
    ${record.cascade} AS cascade, ${record.metadata} AS metadata, ${record.code} AS code, ${record.field} AS field,
    ${record.errorClass} AS error_class, ${record.httpStatus} AS http_status, ${record.detail} AS detail
    FROM ${target} AS ${alias} OFFSET 0`
  const calls = spread ? sql`(${spreadItems(inner)}) c` : sql`(${inner}) c`
  const id = sql`${plan.slot === null ? sql`c.entity` : plan.slot} ->> 'id'`
  const middle = sql`SELECT c.*, coalesce(c.entity_id, ${id}) AS svc_id,
    coalesce(c.entity_type, c.entity ->> ${literal(typeColumn)}) AS svc_type,
    ${plan.document} AS document, ${plan.slot ?? sql`NULL::jsonb`} AS slot FROM ${calls} OFFSET 0`
  const list = join(
    columns.map((column) => outputOf(column, mode, source)),
    ', ',
  )
  const row = plan.columns === null ? EMPTY : sql`, LATERAL (SELECT ${plan.columns}) ${ROW}`
  return { sql: sql`SELECT ${list} FROM (${middle}) m${row}${spread ? sql` ORDER BY m.n` : EMPTY}`, columns }
}

/** One row per item of the entity, which is a list; one row without an item when there is none. */
function spreadItems(inner: SqlFragment): SqlFragment {
  const items = sql`CASE jsonb_typeof(l.entity) WHEN 'array' THEN l.entity WHEN 'object' THEN jsonb_build_array(l.entity) END`
  return sql`SELECT l.status, l.message, CASE WHEN i.n IS NULL THEN l.entity_id END AS entity_id, l.entity_type,
    i.value AS entity, l.updated_fields, l.cascade, l.metadata, l.code, l.field, l.error_class, l.http_status, l.detail,
    i.n, CASE WHEN i.n IS NULL THEN jsonb_typeof(l.entity) ELSE 'item' END AS item
    FROM (${inner}) l LEFT JOIN LATERAL jsonb_array_elements(${items}) WITH ORDINALITY AS i(value, n) ON true OFFSET 0`
}

function outputOf(column: WriteColumn, mode: WriteMode, source: SourceOptions): SqlFragment {
  switch (column) {
    case 'status':
      return sql`m.status`
    case 'message':
      return sql`m.message`
    case 'entity_id':
      return sql`m.svc_id`
    case 'entity_type':
      return sql`m.svc_type`
    case 'data':
      return guarded(mode, source)
    case 'item':
      return sql`m.item`
    case 'entity':
      return sql`m.entity::text`
    case 'updated_fields':
      return sql`m.updated_fields::text`
    case 'cascade':
      return sql`m.cascade::text`
    case 'metadata':
      return sql`m.metadata::text`
    case 'code':
      return sql`m.code`
    case 'field':
      return sql`m.field`
    case 'error_class':
      return sql`m.error_class`
    case 'http_status':
      return sql`m.http_status`
    case 'detail':
      return sql`m.detail::text`
    case 'lacks': {
      const lists = source.plan.targets.map(({ lacks }) => (lacks.always ? TRUE : (lacks.any ?? FALSE)))
      return lists.length === 0 ? sql`NULL` : sql`jsonb_build_array(${join(lists, ', ')})::text`
    }
  }
}

/** The JSON text of a success. Raising in the statement itself is what undoes a write that cannot be answered. */
function guarded(mode: WriteMode, { form, plan }: SourceOptions): SqlFragment {
  const lacking = plan.targets.map((target) => target.lacks.any).filter((any) => any !== null)
  let data = plan.data
  if (mode === 'single' && lacking.length > 0) {
    const any = join(lacking, ' OR ')
    data = sql`CASE WHEN (${any}) AND (m.entity IS NOT NULL OR m.svc_id IS NOT NULL) THEN ${raiseFault('entity-incomplete', sql`m.status`)} ELSE ${data} END`
  }
  if (form === 'rows' || form === 'scalar') return data
  const word = sql`lower(split_part(m.status, ':', 1))`
  const isOneOf = (words: readonly string[]) => sql`${word} = ANY (ARRAY[${join(words.map(literal), ', ')}])`
  return sql`CASE WHEN ${isOneOf(SUCCESS)} THEN ${data} WHEN ${isOneOf(FAILURE)} THEN NULL
    ELSE ${raiseFault('unknown-status', sql`m.status`)} END`
}
