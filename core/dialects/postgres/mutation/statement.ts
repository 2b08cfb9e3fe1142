import type { WritePlan } from '../../../contract/plan/write-plan.ts'
import type { WriteColumn, WriteMode } from '../../../contract/prepared-write.ts'
import { FAILURE, SUCCESS } from '../../../engine/plan/write/write-status.ts'
import {
  EMPTY,
  FALSE,
  join,
  escapedLiteral as literal,
  type SqlFragment,
  sql,
  TRUE,
} from '../../../engine/sql/fragment.ts'
import type { ReturnForm } from '../../../schema/return-form.ts'
import { rowBefore, withInserts } from './contributed.ts'
import { type EntityPlan, ROW } from './entity.ts'
import { raiseFault } from './fault.ts'
import { FUNCTION_ALIAS, type ResultRecord, VALUE } from './record.ts'

/** The statement of a mutation as a SQL fragment, with the names of its result columns in order. */
export interface EmittedWrite {
  readonly sql: SqlFragment
  readonly columns: readonly WriteColumn[]
}

/** The SQL pieces and facts from which the statement of a mutation is written. */
export interface WriteSource {
  readonly write: WritePlan
  readonly form: ReturnForm
  readonly record: ResultRecord
  readonly plan: EntityPlan
  /**
   * `true` if the function returns all items of a list in one JSON document, so that the statement expands it to one
   * row per item.
   */
  readonly spread: boolean
  /**
   * `true` if the function returns the members of a `mutation_response` in plain columns. Reading them twice costs
   * nothing, so that the planner may merge the subquery that reads them into the statement.
   */
  readonly plain: boolean
  readonly typeColumn: string
  /** Keys under which the JSON object of the written row may have its id, in order of preference. */
  readonly idKeys: readonly string[]
  /** Columns that describe a failure, in addition to status and message. */
  readonly failure: readonly WriteColumn[]
}

export function columnsOf(source: WriteSource, mode: WriteMode): readonly WriteColumn[] {
  const { before, errorMembers, inserts } = source.write
  // Without events, a statement outside a transaction omits the columns that only events need.
  const events = source.write.events || (mode === 'transaction' && inserts.length > 0)
  const columns: WriteColumn[] = ['status', 'message', 'entity_id', 'entity_type', 'data']
  if (source.spread) columns.push('item')
  if (events || mode === 'transaction') columns.push('entity')
  if (events) columns.push('updated_fields', 'cascade')
  if (events && before) columns.push('before')
  if (errorMembers.length > 0) columns.push('metadata')
  columns.push(...source.failure)
  if (mode === 'transaction') columns.push('lacks')
  return columns
}

/**
 * Writes the statement of a mutation that returns JSON texts: it calls the function and builds the JSON of the selected
 * fields.
 * @param target SQL call of the function
 * @param columns the columns that the statement returns, in order
 */
export function emitDocuments(
  target: SqlFragment,
  mode: WriteMode,
  source: WriteSource,
  columns: readonly WriteColumn[],
): EmittedWrite {
  const { form, plan, spread } = source
  const alias = form === 'json' || form === 'scalar' ? sql`${FUNCTION_ALIAS}(${VALUE})` : FUNCTION_ALIAS
  const from = sql` FROM ${target} AS ${alias}`
  const entities = isFlat(source, mode) ? flatEntities(source, from) : fencedEntities(source, from)
  const row = plan.columns === null ? EMPTY : sql`, LATERAL (SELECT ${plan.columns}) ${ROW}`
  const rows = hasToFind(source, mode) ? sql`(SELECT) svc_one LEFT JOIN (${entities}) m ON true` : sql`(${entities}) m`
  const rest = sql` FROM ${rows}${row}${spread ? orderOf(source) : EMPTY}`
  const list = columns.map((column) => [column, outputOf(column, mode, source)] as const)
  if (mode === 'single' && source.write.inserts.length > 0)
    return { sql: withInserts(source.write, isOneRow(source), list, rest), columns }
  const values = list.map(([, value]) => value)
  return { sql: sql`SELECT ${join(values, ', ')}${rest}`, columns }
}

/** Returns the order of rows: items in the order of their list, and lists in the order of the records. */
function orderOf(source: WriteSource): SqlFragment {
  return isNumbered(source) ? sql` ORDER BY m.record, m.n` : sql` ORDER BY m.n`
}

/** Tests whether there may be several records, each with its own items. */
function isNumbered({ spread, write }: WriteSource): boolean {
  return spread && write.returns.set
}

/** Tests whether the statement must fail when no row was found. It then always returns a row, so that it can raise the error. */
function hasToFind({ form, write: { list, root } }: WriteSource, mode: WriteMode): boolean {
  return mode === 'single' && form === 'rows' && !list && !root.operation.type.nullable
}

/** Tests whether the function reports a single row, however many rows it wrote. */
function isOneRow({ spread, write }: WriteSource): boolean {
  return !spread && !write.returns.set
}

/**
 * Tests whether the entity is used unchanged. Then one level of subqueries is sufficient, which the database merges into the statement.
 * Each level that it cannot merge adds a twentieth to the cost of a small write.
 */
function isFlat({ record, plain, spread, plan }: WriteSource, mode: WriteMode): boolean {
  return mode === 'single' && plain && !spread && record.entityColumn !== null && plan.whole !== null
}

/** Selects one row per entity with the members of the record, directly over the columns of the function's result. */
function flatEntities({ record, typeColumn, idKeys }: WriteSource, from: SqlFragment): SqlFragment {
  const entity = record.entityColumn!
  return sql`SELECT ${partsOf(record)}, coalesce(${record.entityId}, ${idIn(entity, idKeys)}) AS svc_id,
    coalesce(${record.entityType}, ${entity} ->> ${literal(typeColumn)}) AS svc_type, ${entity} AS document${from}`
}

/**
 * Selects the same rows through optimisation fences (`OFFSET 0`), so that no expression is evaluated once per selected field: `c` is the
 * function's result as a record (fenced only if it is computed), `m` one entity of it.
 */
function fencedEntities(source: WriteSource, from: SqlFragment): SqlFragment {
  const { record, plan, spread, plain, typeColumn } = source
  const number = isNumbered(source) ? sql`, row_number() OVER () AS record` : EMPTY
  const inner = sql`SELECT ${partsOf(record)}${number}${from}${plain && !spread ? EMPTY : sql` OFFSET 0`}`
  const calls = spread
    ? sql`(${spreadItems(inner, isNumbered(source) ? sql`l.record, ` : EMPTY)}) c`
    : sql`(${inner}) c`
  const id = idIn(plan.slot ?? sql`c.entity`, source.idKeys)
  return sql`SELECT c.*, coalesce(c.entity_id, ${id}) AS svc_id,
    coalesce(c.entity_type, c.entity ->> ${literal(typeColumn)}) AS svc_type,
    ${plan.document} AS document, ${plan.slot ?? sql`NULL::jsonb`} AS slot FROM ${calls} OFFSET 0`
}

/** Returns the value of the first key that is not null. */
function idIn(entity: SqlFragment, keys: readonly string[]): SqlFragment {
  return join(
    keys.map((key) => sql`${entity} ->> ${literal(key)}`),
    ', ',
  )
}

function partsOf(record: ResultRecord): SqlFragment {
  return sql`${record.status} AS status, ${record.message} AS message, ${record.entityId} AS entity_id,
    ${record.entityType} AS entity_type, ${record.entity} AS entity, ${record.updatedFields} AS updated_fields,
    ${record.cascade} AS cascade, ${record.metadata} AS metadata, ${record.code} AS code, ${record.field} AS field,
    ${record.errorClass} AS error_class, ${record.httpStatus} AS http_status, ${record.detail} AS detail`
}

/** Selects one row per item of an entity that is a list; one row without an item when there is none. */
function spreadItems(inner: SqlFragment, number: SqlFragment): SqlFragment {
  const items = sql`CASE jsonb_typeof(l.entity) WHEN 'array' THEN l.entity WHEN 'object' THEN jsonb_build_array(l.entity) END`
  return sql`SELECT l.status, l.message, CASE WHEN i.n IS NULL THEN l.entity_id END AS entity_id, l.entity_type,
    i.value AS entity, l.updated_fields, l.cascade, l.metadata, l.code, l.field, l.error_class, l.http_status, l.detail,
    ${number}i.n, CASE WHEN i.n IS NULL THEN jsonb_typeof(l.entity) ELSE 'item' END AS item
    FROM (${inner}) l LEFT JOIN LATERAL jsonb_array_elements(${items}) WITH ORDINALITY AS i(value, n) ON true OFFSET 0`
}

function outputOf(column: WriteColumn, mode: WriteMode, source: WriteSource): SqlFragment {
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
    case 'before':
      return sql`${rowBefore(source.write)}::text`
    case 'lacks': {
      const lists = source.plan.targets.map(({ lacks }) => (lacks.always ? TRUE : (lacks.any ?? FALSE)))
      return lists.length === 0 ? sql`NULL` : sql`jsonb_build_array(${join(lists, ', ')})::text`
    }
  }
}

/** Wraps the JSON text of a success in tests for faults. An error inside the statement is the only way to undo the write. */
function guarded(mode: WriteMode, source: WriteSource): SqlFragment {
  const { form, plan } = source
  const lacking = plan.targets.map((target) => target.lacks.any).filter((any) => any !== null)
  if (source.write.entity) lacking.push(sql`m.entity IS NULL`)
  let data = plan.data
  if (mode === 'single' && lacking.length > 0) {
    const any = join(lacking, ' OR ')
    const raise = raiseFault('entity-incomplete', sql`m.status`)
    const isThere = sql`(m.entity IS NOT NULL OR m.svc_id IS NOT NULL)`
    data = isFlat(source, mode)
      ? sql`CASE WHEN jsonb_typeof(m.document) = 'object' AND NOT (${any}) THEN ${plan.whole!} WHEN ${isThere} THEN ${raise} END`
      : sql`CASE WHEN (${any}) AND ${isThere} THEN ${raise} ELSE ${data} END`
  }
  if (hasToFind(source, mode))
    return sql`CASE WHEN m.entity IS NULL THEN ${raiseFault('nothing-found', sql`m.status`)} ELSE ${data} END`
  if (form === 'rows' || form === 'scalar') return data
  const word = sql`lower(split_part(m.status, ':', 1))`
  const isOneOf = (words: readonly string[]) => sql`${word} = ANY (ARRAY[${join(words.map(literal), ', ')}])`
  return sql`CASE WHEN ${isOneOf(SUCCESS)} THEN ${data} WHEN ${isOneOf(FAILURE)} THEN NULL
    ELSE ${raiseFault('unknown-status', sql`m.status`)} END`
}
