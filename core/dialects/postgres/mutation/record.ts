import {
  identifier,
  join,
  escapedLiteral as literal,
  NULL,
  type SqlFragment,
  sql,
} from '../../../engine/sql/fragment.ts'
import type { CompiledReturn } from '../../../schema/compiled.ts'
import type { ReturnForm } from '../../../schema/return-form.ts'
import { cast } from '../primitives/types.ts'

/**
 * SQL expressions for the members of a `mutation_response` (docs/guides/mutations.md), over the row that a mutation's
 * function returned ({@link FUNCTION_ALIAS}). Members that the function does not return are `NULL`.
 */
export interface ResultRecord {
  /** Status text of the function, such as `ok` or `failed:reason`. `write-status.ts` interprets it. */
  readonly status: SqlFragment
  readonly message: SqlFragment
  readonly entityId: SqlFragment
  readonly entityType: SqlFragment
  /** The written row that the function returned (member `entity`), as `jsonb`; SQL NULL when there is none. */
  readonly entity: SqlFragment
  /**
   * The column of type `jsonb` that contains the entity, which may be JSON null; `null`: the entity is not a column but
   * computed.
   */
  readonly entityColumn: SqlFragment | null
  readonly updatedFields: SqlFragment
  readonly cascade: SqlFragment
  readonly metadata: SqlFragment
  readonly code: SqlFragment
  readonly field: SqlFragment
  readonly errorClass: SqlFragment
  readonly httpStatus: SqlFragment
  readonly detail: SqlFragment
}

const NO_TEXT: SqlFragment = sql`${NULL}::text`
const NO_JSON: SqlFragment = sql`${NULL}::jsonb`
const NOTHING: Omit<ResultRecord, 'status' | 'entity'> = {
  message: NO_TEXT,
  entityId: NO_TEXT,
  entityType: NO_TEXT,
  updatedFields: NO_JSON,
  cascade: NO_JSON,
  entityColumn: null,
  metadata: NO_JSON,
  code: NO_TEXT,
  field: NO_TEXT,
  errorClass: NO_TEXT,
  httpStatus: NO_TEXT,
  detail: NO_JSON,
}
const OK: SqlFragment = literal('ok')

/** Alias of the mutation's function in the FROM clause of the statement. No column has this name. */
export const FUNCTION_ALIAS: SqlFragment = identifier('svc_call')
/** Column name for the result of a function that returns a single value: `FROM fn() AS svc_call(svc_value)`. */
export const VALUE: SqlFragment = identifier('svc_value')

type Columns = CompiledReturn['columns']

/** How to convert a row that a function returned to the JSON object that a read of the same row would produce. */
export interface RowForm {
  /**
   * Name of the JSON column, for rows of a view with the columns `id` and `data`; `null`: each field has a column of
   * its own.
   */
  readonly document: string | null
  /** Columns to convert to text first, because `to_jsonb` would convert them to objects (`hstore`). */
  readonly texts: readonly string[]
  /**
   * `true`: a row with only NULLs counts as an entity. `false`: such a row means that the function returned no entity.
   */
  readonly empty: boolean
}

export function recordOf(form: ReturnForm, returns: CompiledReturn, row: RowForm): ResultRecord {
  if (form === 'record') return recordColumns(returns.columns)
  if (form === 'json') return jsonDocument(returns.type)
  if (form === 'rows') return rowDocument(returns.columns, row)
  return { ...NOTHING, status: OK, entity: notNull(sql`to_jsonb(${VALUE})`) }
}

/**
 * Reads `mutation_response` from the columns of a row. The names of columns identify its three forms: A has `entity`, B has `data`, C has
 * `succeeded` (docs/guides/mutations.md).
 */
function recordColumns(columns: Columns): ResultRecord {
  const text = (name: string) => (has(columns, name) ? sql`${column(name)}::text` : NO_TEXT)
  const json = (name: string) => jsonColumn(columns, name)
  const entity = has(columns, 'entity') || has(columns, 'succeeded') ? 'entity' : 'data'
  const common = {
    ...NOTHING,
    entity: json(entity),
    message: text('message'),
    entityType: text('entity_type'),
    updatedFields: json('updated_fields'),
    cascade: json('cascade'),
    metadata: json('metadata'),
  }
  if (has(columns, 'succeeded')) {
    return {
      ...common,
      status: statusOfClassForm(columns),
      entityId: text('entity_id'),
      errorClass: text('error_class'),
      httpStatus: text('http_status'),
      detail: json('error_detail'),
    }
  }
  return {
    ...common,
    entityColumn: columns.some(({ name, type }) => name === entity && type === 'jsonb') ? column(entity) : null,
    status: text('status'),
    entityId: has(columns, 'entity_id') ? text('entity_id') : text('id'),
    code: text('error_code'),
    field: text('error_field'),
  }
}

const FAILURE_COLUMNS = {
  error_code: 'code',
  error_field: 'field',
  error_class: 'error_class',
  http_status: 'http_status',
  error_detail: 'detail',
} as const

/**
 * Returns which result columns describe a failure in more detail than status and message (`error_code`, `http_status`
 * and others), under the names that the statement gives them.
 */
export function failureColumns(columns: Columns): readonly (typeof FAILURE_COLUMNS)[keyof typeof FAILURE_COLUMNS][] {
  return columns.flatMap(({ name }) =>
    Object.hasOwn(FAILURE_COLUMNS, name) ? [FAILURE_COLUMNS[name as keyof typeof FAILURE_COLUMNS]] : [],
  )
}

/** Computes the status of form C from `succeeded`, `state_changed` and `error_class`. Contradictory values give an unknown status. */
function statusOfClassForm(columns: Columns): SqlFragment {
  const succeeded = column('succeeded')
  const changed = has(columns, 'state_changed') ? column('state_changed') : sql`${NULL}::boolean`
  const errorClass = has(columns, 'error_class') ? sql`${column('error_class')}::text` : NO_TEXT
  const detail = has(columns, 'status_detail') ? sql`${column('status_detail')}::text` : NO_TEXT
  return sql`CASE WHEN ${succeeded} AND ${errorClass} IS NULL
    THEN CASE WHEN ${changed} IS FALSE THEN 'noop' ELSE 'ok' END
    WHEN NOT ${succeeded} AND ${changed} IS NOT TRUE THEN 'error:' || coalesce(${detail}, ${errorClass}, '')
    ELSE 'succeeded=' || coalesce(${succeeded}::text, 'null') || ', state_changed=' || coalesce(${changed}::text, 'null')
      || ', error_class=' || coalesce(${errorClass}, 'null') END`
}

/**
 * Reads a JSON document: form A when it has `status` and `entity`, the older `{success, data | error}`, else the document is the entity.
 */
function jsonDocument(type: string): ResultRecord {
  const value = type === 'json' ? cast(VALUE, 'jsonb') : VALUE
  const isRecordText = sql`(jsonb_typeof(${value}) = 'object' AND ${value} ?& ARRAY['status','entity'])`
  const isOlder = sql`(jsonb_typeof(${value} -> 'success') = 'boolean' AND ${value} ?| ARRAY['data','error'])`
  const whenRecord = (key: SqlFragment) => sql`CASE WHEN ${isRecordText} THEN ${value} ->> ${key} END`
  const part = (key: SqlFragment) => sql`CASE WHEN ${isRecordText} THEN ${notNull(sql`${value} -> ${key}`)} END`
  return {
    ...NOTHING,
    status: sql`CASE WHEN ${isRecordText} THEN ${value} ->> 'status'
      WHEN ${isOlder} AND NOT (${value} ->> 'success')::boolean THEN 'failed:' || coalesce(${value} ->> 'error', '')
      ELSE 'ok' END`,
    message: sql`CASE WHEN ${isRecordText} OR ${isOlder} THEN ${value} ->> 'message' END`,
    entityId: whenRecord(literal('entity_id')),
    entityType: whenRecord(literal('entity_type')),
    entity: notNull(sql`CASE WHEN ${isRecordText} THEN ${value} -> 'entity'
      WHEN ${isOlder} THEN ${value} -> 'data' ELSE ${value} END`),
    updatedFields: part(literal('updated_fields')),
    cascade: sql`CASE WHEN ${isOlder} AND NOT ${isRecordText} THEN ${value} -> '_cascade'
      ELSE ${part(literal('cascade'))} END`,
    metadata: part(literal('metadata')),
  }
}

/** Converts a row of a view or of `TABLE(…)` to a document: its columns by name, and the keys of its JSON column. */
function rowDocument(columns: Columns, { document, texts, empty }: RowForm): ResultRecord {
  const plain = sql`to_jsonb(${FUNCTION_ALIAS})`
  const pairs = texts.map((name) => sql`${literal(name)}, ${column(name)}::text`)
  const all = pairs.length === 0 ? plain : sql`(${plain} || jsonb_build_object(${join(pairs, ', ')}))`
  const inner = document !== null && has(columns, document) ? document : null
  const entity =
    inner === null
      ? all
      : sql`(CASE WHEN jsonb_typeof(${column(inner)}::jsonb) = 'object' THEN ${column(inner)}::jsonb ELSE '{}' END
        || (${all} - ${literal(inner)}))`
  return {
    ...NOTHING,
    status: OK,
    entity: empty ? entity : sql`CASE WHEN NOT (${FUNCTION_ALIAS} IS NULL) THEN ${entity} END`,
  }
}

function column(name: string): SqlFragment {
  return sql`${FUNCTION_ALIAS}.${identifier(name)}`
}

function has(columns: Columns, name: string): boolean {
  return columns.some((candidate) => candidate.name === name)
}

/** Reads a column as `jsonb`, with JSON null as SQL NULL. */
function jsonColumn(columns: Columns, name: string): SqlFragment {
  const found = columns.find((candidate) => candidate.name === name)
  if (found === undefined) return NO_JSON
  if (found.type === 'jsonb') return notNull(column(name))
  if (/^(json|text|varchar)$/.test(found.type)) return notNull(cast(column(name), 'jsonb'))
  return sql`to_jsonb(${column(name)})`
}

function notNull(value: SqlFragment): SqlFragment {
  return sql`nullif(${value}, 'null'::jsonb)`
}
