import type { WritePlan } from '../../contract/plan/write-plan.ts'
import type { BoundWrite, PreparedWrite, WriteColumn } from '../../contract/prepared-write.ts'
import type { BindInput } from '../../contract/slot.ts'
import type { Row, Rows } from '../../contract/statement.ts'
import { isArrayText, readItems } from '../../engine/json/json-text.ts'
import { FAILURE, isSuccess, wordOf } from '../../engine/plan/write/write-status.ts'
import type { MutationModel } from '../../schema/model.ts'
import { scalarOf } from '../../schema/scalars.ts'
import { type EntityAnswer, type EntityPlan, planEntity } from './entity-answer.ts'
import { type HeldValue, membersOf, NULL_VALUE } from './held-value.ts'
import type { TimeForms } from './leaf-text.ts'
import { valueText } from './project-held.ts'
import { ResultFault } from './result-fault.ts'
import { type ResultEntity, type ResultRecord, recordOfRow } from './result-record.ts'

/** What {@link writeResultRows} needs from the dialect of a database that cannot call a function in a FROM clause. */
export interface ResultRowsDialect {
  readonly times: TimeForms
  /**
   * Returns the statement that calls the mutation's function for a request. The result is the rows of the function,
   * unchanged.
   */
  call(input: BindInput): Pick<BoundWrite, 'statement' | 'parameters'>
}

/** Columns that this process computes. The engine reads `before` earlier, because it is not available after the call. */
type ResultColumn = Exclude<WriteColumn, 'before'>

const COLUMNS: readonly ResultColumn[] = [
  'status',
  'message',
  'entity_id',
  'entity_type',
  'data',
  'item',
  'entity',
  'updated_fields',
  'cascade',
  'metadata',
  'code',
  'field',
  'error_class',
  'http_status',
  'detail',
  'lacks',
]
const POSITIONS: ReadonlyMap<WriteColumn, number> = new Map(COLUMNS.map((column, index) => [column, index]))

/**
 * Prepares a mutation for a database where a function cannot be used in FROM, such as SQLite. The statement returns the
 * rows of the function, and svc builds the JSON from them. If a result is invalid, the transaction of the call is
 * rolled back.
 */
export function writeResultRows(plan: WritePlan, dialect: ResultRowsDialect): PreparedWrite {
  const { root, form, list, perRow, errorMembers, cascadeKeys } = plan
  const { operation, selection } = root
  const isAbstract = operation.named.kind === 'union' || operation.named.kind === 'interface'
  const typeColumn = isAbstract ? (operation.named as { typeColumn: string }).typeColumn : '__typename'
  const entity =
    selection === null
      ? planLeaf(operation, form, list && perRow, dialect.times)
      : planEntity(selection, operation.named, typeColumn, dialect.times, plan.isRuled)
  const spread = list && !perRow && selection !== null
  return {
    root,
    kind: 'documents',
    list: list && (perRow || selection !== null),
    targets: entity.targets,
    rowsMatter: true,
    readsAgain: true,
    errorMembers,
    cascadeKeys,
    bind: (input) => ({ ...dialect.call(input), columns: POSITIONS }),
    resultRows: (result) => {
      const records = recordsOf(plan, result)
      return (spread ? records.flatMap(itemsOf) : records.map((record) => ({ record, item: null }))).map(
        ({ record, item }) => toRow(record, item, answerOf(entity, record)),
      )
    },
  }
}

/** Converts rows to records. Types of columns come from the catalog if it was read. */
function recordsOf({ root, returns, form }: WritePlan, { rows, columns }: Rows): readonly ResultRecord[] {
  const { named, function: target } = root.operation
  const document = named.kind === 'object' ? named.document : null
  const declared = new Map(returns.columns.map(({ name, type }) => [name, type]))
  const types = columns.map(({ name, type }) => {
    const known = returns.kind === 'scalar' ? returns.type : declared.get(name)
    return known === undefined || known === 'unknown' ? type : known
  })
  return rows.map((row) => {
    const members: [string, HeldValue][] = columns.map(({ name }, index) => {
      const text = row[index]
      return [name, text === null || text === undefined ? NULL_VALUE : { from: 'column', text, type: types[index]! }]
    })
    return recordOfRow(form, new Map(members), document, `function "${target.name}"`)
  })
}

interface Spread {
  readonly record: ResultRecord
  /** Same as `WriteColumn.item`. */
  readonly item: string | null
}

/** Returns one record per item of an entity that is a list; one without an item when there is none. */
function itemsOf(record: ResultRecord): readonly Spread[] {
  const { entity } = record
  if (entity === null) return [{ record, item: null }]
  const isList = isArrayText(entity.json)
  const items = isList ? readItems(entity.json) : entity.members === null ? [] : [entity.json]
  if (items.length === 0) {
    return [{ record: { ...record, entity: null }, item: isList ? 'array' : 'scalar' }]
  }
  return items.map((json) => ({ record: { ...record, entityId: null, entity: itemEntity(json) }, item: 'item' }))
}

function itemEntity(json: string): ResultEntity | null {
  return json === 'null' ? null : { json, members: membersOf(json), value: { from: 'json', text: json } }
}

/** @throws ResultFault for an unknown status, because it does not show whether the call succeeded */
function answerOf(entity: EntityPlan, record: ResultRecord): EntityAnswer {
  const { status } = record
  if (status === null || !(isSuccess(status) || FAILURE.includes(wordOf(status)))) {
    throw new ResultFault('unknown-status', status)
  }
  if (isSuccess(status)) return entity.answer(record)
  return { id: record.entityId, type: record.entityType, data: null, lacks: [] }
}

function toRow(record: ResultRecord, item: string | null, answer: EntityAnswer): Row {
  const values: Readonly<Record<ResultColumn, string | null>> = {
    status: record.status,
    message: record.message,
    entity_id: answer.id,
    entity_type: answer.type,
    data: answer.data,
    item,
    entity: record.entity?.json ?? null,
    updated_fields: record.updatedFields,
    cascade: record.cascade,
    metadata: record.metadata,
    code: record.code,
    field: record.field,
    error_class: record.errorClass,
    http_status: record.httpStatus,
    detail: record.detail,
    lacks: JSON.stringify(answer.lacks),
  }
  return COLUMNS.map((column) => values[column])
}

/**
 * Plans the result of a mutation that returns a scalar or an enum (docs/guides/mutations.md#plain-results).
 * @param perRow the function returns one row for each item of the list
 */
function planLeaf(operation: MutationModel, form: WritePlan['form'], perRow: boolean, times: TimeForms): EntityPlan {
  const { type, named } = operation
  const of = perRow && type.kind === 'list' ? { name: operation.name, named, type: type.of } : operation
  return {
    targets: [],
    answer(record) {
      const value = leafOf(operation, form, record)
      const id = record.entityId ?? record.entity?.members?.get('id')?.text ?? null
      const data = value === null ? 'null' : valueText(of, null, value, times)
      return { id, type: record.entityType, data, lacks: [] }
    },
  }
}

function leafOf(
  { named, type }: MutationModel,
  form: WritePlan['form'],
  { entity, entityId }: ResultRecord,
): HeldValue | null {
  const value = entity?.value ?? null
  if (form === 'scalar' || form === 'rows' || named.kind !== 'scalar' || type.kind === 'list') return value
  const { group, wire } = scalarOf(named)
  const json = entity?.json ?? null
  if (group === 'boolean') return json === 'true' || json === 'false' ? value : { from: 'json', text: 'true' }
  if (group !== 'id' && wire !== 'string') return value
  if (json !== null && /^["\d-]/.test(json)) return value
  return group === 'id' && entityId !== null ? { from: 'json', text: JSON.stringify(entityId) } : null
}
