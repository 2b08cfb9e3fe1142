import { SvcError } from '../errors/svc-error.ts'
import type { CompiledSource } from '../schema/compiled.ts'
import type { FieldModel } from '../schema/model.ts'
import { identifier, literal, type SqlFragment, sql } from '../sql/fragment.ts'
import { nextAlias, type PlanContext } from './plan-context.ts'

/** JSON that fields are read from: the document column of a row, an embedded object, the entity of a mutation. */
export interface RowDocument {
  readonly sql: SqlFragment
  /** `false`: the column is `json`. */
  readonly jsonb: boolean
}

/** One row that fields are read from. */
export interface Row {
  /** `null`: there is only a document. */
  readonly alias: SqlFragment | null
  readonly source: CompiledSource | null
  readonly document: RowDocument | null
  /** Was the document read? Then the page is fenced, so that it is built once per row (performance.md). */
  readonly use: { document: boolean }
}

/** A value of a row, before it takes its form for the wire or for a comparison. */
export type RowValue =
  | { readonly from: 'column'; readonly sql: SqlFragment; readonly type: string | null; readonly notNull: boolean }
  | {
      readonly from: 'document'
      readonly json: SqlFragment
      readonly text: SqlFragment
      /** `false`: `json` is of type json. */
      readonly jsonb: boolean
    }

/** A row of a source under a fresh alias. */
export function openRow(context: PlanContext, source: CompiledSource, documentName: string | null): Row {
  const alias = nextAlias(context)
  const column = documentName === null ? undefined : columnOf(source, documentName)
  const has = documentName !== null && (column !== undefined || source.columns.length === 0)
  const document = has ? { sql: sql`${alias}.${identifier(documentName)}`, jsonb: column?.type !== 'json' } : null
  return { alias, source, document, use: { document: false } }
}

/** A row that is a JSON value. */
export function documentRow(json: SqlFragment, jsonb: boolean): Row {
  return { alias: null, source: null, document: { sql: json, jsonb }, use: { document: false } }
}

export function columnOf(source: CompiledSource, name: string): CompiledSource['columns'][number] | undefined {
  return source.columns.find((column) => column.name === name)
}

/** Can the row have that native column? Sources that were compiled without a catalog are believed. */
function hasColumn(row: Row, name: string): boolean {
  if (row.alias === null || row.source === null) return false
  return row.source.columns.length === 0 || columnOf(row.source, name) !== undefined
}

/** A native column. `type` counts where the catalog was not read. */
export function columnValue(row: Row, name: string, type: string | null, notNull: boolean): RowValue {
  if (row.alias === null || row.source === null) throw missing(row, name)
  const column = columnOf(row.source, name)
  return {
    from: 'column',
    sql: sql`${row.alias}.${identifier(name)}`,
    type: column?.type ?? type,
    notNull: column?.not_null ?? notNull,
  }
}

/** A key of the document. */
export function documentValue(row: Row, key: string): RowValue {
  const { document } = row
  if (document === null) throw missing(row, key)
  row.use.document = true
  return {
    from: 'document',
    json: sql`(${document.sql} -> ${literal(key)})`,
    text: sql`(${document.sql} ->> ${literal(key)})`,
    jsonb: document.jsonb,
  }
}

/** The native column when the row has one, else the key of the document. */
export function columnOrKey(row: Row, name: string, type: string | null, notNull = false): RowValue {
  if (hasColumn(row, name)) return columnValue(row, name, type, notNull)
  return row.document === null ? columnValue(row, name, type, notNull) : documentValue(row, name)
}

/**
 * The value of a field that is not a relation. A query may have another source than its type: what is a column in one
 * may be a key in the other.
 * @returns `null` when nothing in the database holds the field
 */
export function fieldValue(row: Row, field: FieldModel): RowValue | null {
  const { read } = field
  if (read === null) return null
  if (read.from === 'relation') throw new Error(`${field.name} is a relation`)
  if (read.from === 'column') {
    const { column, column_type, not_null } = read
    if (hasColumn(row, column) || row.document === null) return columnValue(row, column, column_type, not_null)
    return documentValue(row, column)
  }
  if (row.document === null && hasColumn(row, read.key)) return columnValue(row, read.key, null, false)
  return documentValue(row, read.key)
}

function missing(row: Row, name: string): SvcError {
  const source = row.source === null ? 'a document' : `"${row.source.name}"`
  return new SvcError(
    'INTERNAL_SERVER_ERROR',
    `${source} has neither a column nor a document key "${name}". Compile the schema again.`,
  )
}
