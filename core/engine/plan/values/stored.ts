import { SvcError } from '../../../base/errors/svc-error.ts'
import type {
  Column,
  DocumentKey,
  JsonType,
  RowRef,
  SourceRow,
  StoredValue,
} from '../../../contract/plan/stored-value.ts'
import type { CompiledSource } from '../../../schema/compiled.ts'
import type { FieldModel } from '../../../schema/model.ts'

export function columnOf(source: CompiledSource, name: string): CompiledSource['columns'][number] | undefined {
  return source.columns.find((column) => column.name === name)
}

/**
 * Tests whether a row has a column. If the schema was compiled without a catalog, every column is assumed to exist. An
 * object in a JSON document has none.
 */
export function hasColumn(row: RowRef, name: string): row is SourceRow {
  if (row.kind !== 'source') return false
  return row.source.columns.length === 0 || columnOf(row.source, name) !== undefined
}

/**
 * Returns a column of a row as a stored value.
 * @param type PostgreSQL type, used if the catalog was not read; `null`: unknown
 * @param notNull used if the catalog was not read
 */
export function columnValue(row: RowRef, name: string, type: string | null, notNull: boolean): Column {
  if (row.kind !== 'source') throw missing(row, name)
  const column = columnOf(row.source, name)
  const value: Column = { from: 'column', row, name, type: column?.type ?? type, notNull: column?.not_null ?? notNull }
  // An empty point is not null, but has no coordinates.
  return column?.place === undefined ? value : { ...value, notNull: false, place: column.place }
}

/**
 * Returns the reference of a plan to the value of a key in the JSON document of a row. It reads nothing.
 * @throws SvcError INTERNAL_SERVER_ERROR: the row has no document
 */
export function documentValue(row: RowRef, key: string): DocumentKey {
  const json = documentType(row)
  if (json === null) throw missing(row, key)
  const casts = castsOf(row, key)
  return { from: 'document', row, key, json, ...(casts === undefined ? {} : { casts }) }
}

function castsOf(row: RowRef, key: string): readonly string[] | undefined {
  if (row.kind !== 'source' || row.document === null || row.documents !== undefined) return undefined
  const casts = columnOf(row.source, row.document.column)?.casts
  return casts !== undefined && Object.hasOwn(casts, key) ? casts[key] : undefined
}

/** Returns the type of the JSON that fields of the row may be read from; `null`: there is none. */
function documentType(row: RowRef): JsonType | null {
  return row.kind === 'embedded' ? row.json : (row.document?.json ?? null)
}

/**
 * Returns a stored value by name: the column if the row has one, otherwise the key of its JSON document.
 * @param type PostgreSQL type of the column, used if the catalog was not read; `null`: unknown
 */
export function columnOrKey(row: RowRef, name: string, type: string | null, notNull = false): StoredValue {
  if (hasColumn(row, name)) return columnValue(row, name, type, notNull)
  return documentType(row) === null ? columnValue(row, name, type, notNull) : documentValue(row, name)
}

/**
 * Returns the stored value of a field that is not a relation. A query may read another view than its type; a column of
 * the type's view may then be a key of the JSON document in that view.
 * @returns `null`: the database does not store the field
 */
export function fieldValue(row: RowRef, field: FieldModel): StoredValue | null {
  const { read } = field
  if (read === null) return computedValue(row, field)
  if (read.from === 'relation') throw new Error(`${field.name} is a relation`)
  if (read.from === 'column') {
    const { column, column_type, not_null } = read
    if (hasColumn(row, column) || documentType(row) === null) return columnValue(row, column, column_type, not_null)
    return documentValue(row, column)
  }
  if (documentType(row) === null && hasColumn(row, read.key)) return columnValue(row, read.key, null, false)
  return documentValue(row, read.key)
}

/** Returns the computed column of a field; `null` when it has none. */
function computedValue(row: RowRef, field: FieldModel): Column | null {
  const column = row.kind === 'source' ? row.computed?.get(field) : undefined
  return column === undefined
    ? null
    : { from: 'column', row: row as SourceRow, name: column.name, type: null, notNull: false }
}

/** Returns whether a stored JSON value is of type `json` or `jsonb`. */
export function jsonTypeOf(value: StoredValue): JsonType {
  if (value.from === 'document') return value.json
  return value.type === 'json' ? 'json' : 'jsonb'
}

function missing(row: RowRef, name: string): SvcError {
  const source = row.kind === 'source' ? `"${row.source.name}"` : 'a document'
  return new SvcError(
    'INTERNAL_SERVER_ERROR',
    `${source} has neither a column nor a document key "${name}". Compile the schema again.`,
  )
}
