import type { ReturnForm } from '../../schema/return-form.ts'
import {
  booleanText,
  documentOf,
  type HeldObject,
  type HeldValue,
  isNull,
  jsonOf,
  membersOf,
  objectText,
  textOf,
} from './held-value.ts'

/**
 * The members of a `mutation_response` (docs/guides/mutations.md) that a function returned. A plain result is its
 * `entity`. `null`: the function did not return the member. `updatedFields`, `cascade`, `metadata` and `detail` are
 * JSON texts.
 */
export interface ResultRecord {
  /**
   * Status text of the function, such as `ok` or `failed:reason`, which `write-status.ts` interprets. `null` is an
   * unknown status, an error.
   */
  readonly status: string | null
  readonly message: string | null
  readonly entityId: string | null
  readonly entityType: string | null
  readonly entity: ResultEntity | null
  readonly updatedFields: string | null
  readonly cascade: string | null
  readonly metadata: string | null
  readonly code: string | null
  readonly field: string | null
  readonly errorClass: string | null
  readonly httpStatus: string | null
  readonly detail: string | null
}

/** The written row (member `entity`) that a function returned, as JSON text and parsed. */
export interface ResultEntity {
  readonly json: string
  /** Members of the entity by key; `null`: the entity is not an object. */
  readonly members: HeldObject | null
  /** The written row before its conversion to JSON: the column as the driver returned it, or JSON. */
  readonly value: HeldValue
}

const NOTHING: Omit<ResultRecord, 'status' | 'entity'> = {
  message: null,
  entityId: null,
  entityType: null,
  updatedFields: null,
  cascade: null,
  metadata: null,
  code: null,
  field: null,
  errorClass: null,
  httpStatus: null,
  detail: null,
}

/**
 * Converts a row that a mutation's function returned to the members of a `mutation_response`.
 * @param form form in which the function returns its result
 * @param row values by column name
 * @param document name of the JSON column, for rows of a view with the columns `id` and `data`; `null`: each field has
 * a column of its own
 * @param name name of the function, for errors
 * @throws SvcError INTERNAL_SERVER_ERROR for invalid JSON text
 */
export function recordOfRow(form: ReturnForm, row: HeldObject, document: string | null, name: string): ResultRecord {
  if (form === 'record') return ofColumns(row, name)
  if (form === 'rows') return { ...NOTHING, status: 'ok', entity: ofRow(row, document, name) }
  const [value] = row.values()
  if (form === 'json') return ofDocument(value ?? null, name)
  return { ...NOTHING, status: 'ok', entity: value === undefined ? null : entityOf(value, resultOf(name)) }
}

function entityOf(value: HeldValue | null, what: string): ResultEntity | null {
  const json = jsonOf(value, what)
  return value === null || json === null || json === 'null' ? null : { json, members: membersOf(json), value }
}

function ofText(json: string | null): ResultEntity | null {
  return json === null ? null : entityOf({ from: 'json', text: json }, '')
}

/** Reads a `mutation_response` from columns. It has form A, B or C, which differ in the names of their columns. */
function ofColumns(row: HeldObject, name: string): ResultRecord {
  const text = (column: string): string | null => textOf(row.get(column))
  const json = (column: string): string | null =>
    notNull(documentOf(row.get(column) ?? null, `The column "${column}" of what ${name} gave`))
  const common = {
    ...NOTHING,
    entity: ofText(json(row.has('entity') || row.has('succeeded') ? 'entity' : 'data')),
    message: text('message'),
    entityType: text('entity_type'),
    updatedFields: json('updated_fields'),
    cascade: json('cascade'),
    metadata: json('metadata'),
  }
  if (row.has('succeeded')) {
    return {
      ...common,
      status: statusOfClassForm(row),
      entityId: text('entity_id'),
      errorClass: text('error_class'),
      httpStatus: text('http_status'),
      detail: json('error_detail'),
    }
  }
  return {
    ...common,
    status: text('status'),
    entityId: row.has('entity_id') ? text('entity_id') : text('id'),
    code: text('error_code'),
    field: text('error_field'),
  }
}

/** Computes the status of form C from `succeeded`, `state_changed` and `error_class`. Contradictory values give an unknown status. */
function statusOfClassForm(row: HeldObject): string {
  const bit = (column: string): string => {
    const text = textOf(row.get(column))
    return text === null ? 'null' : booleanText(text)
  }
  const succeeded = bit('succeeded')
  const changed = bit('state_changed')
  const errorClass = textOf(row.get('error_class'))
  if (succeeded === 'true' && errorClass === null) return changed === 'false' ? 'noop' : 'ok'
  if (succeeded === 'false' && changed !== 'true')
    return `error:${textOf(row.get('status_detail')) ?? errorClass ?? ''}`
  return `succeeded=${succeeded}, state_changed=${changed}, error_class=${errorClass ?? 'null'}`
}

/**
 * Reads a JSON document: form A when it has `status` and `entity`, the older `{success, data | error}`, else the document is the entity.
 */
function ofDocument(value: HeldValue | null, name: string): ResultRecord {
  const json = documentOf(value, resultOf(name))
  const members = membersOf(json)
  const part = (key: string): string | null => notNull(members?.get(key)?.text ?? null)
  const text = (key: string): string | null => textOf(members?.get(key))
  if (members?.has('status') === true && members.has('entity')) {
    return {
      ...NOTHING,
      status: text('status'),
      message: text('message'),
      entityId: text('entity_id'),
      entityType: text('entity_type'),
      entity: ofText(part('entity')),
      updatedFields: part('updated_fields'),
      cascade: part('cascade'),
      metadata: part('metadata'),
    }
  }
  const success = part('success')
  const isOlder =
    (success === 'true' || success === 'false') && (members?.has('data') === true || members?.has('error') === true)
  if (!isOlder) return { ...NOTHING, status: 'ok', entity: ofText(json) }
  return {
    ...NOTHING,
    status: success === 'true' ? 'ok' : `failed:${text('error') ?? ''}`,
    message: text('message'),
    entity: ofText(part('data')),
    cascade: part('_cascade'),
  }
}

/** Converts a row to an object: its columns by name, and the keys of its JSON column. A row of nulls counts as no row. */
function ofRow(row: HeldObject, document: string | null, name: string): ResultEntity | null {
  if ([...row.values()].every(isNull)) return null
  const what = resultOf(name)
  const inner = document === null ? undefined : row.get(document)
  const members = new Map(inner === undefined ? [] : (membersOf(documentOf(inner, what)) ?? []))
  for (const [key, value] of row) if (inner === undefined || key !== document) members.set(key, value)
  const json = objectText(members, what)
  return { json, members, value: { from: 'json', text: json } }
}

function resultOf(name: string): string {
  return `What ${name} gave`
}

function notNull(json: string | null): string | null {
  return json === 'null' ? null : json
}
