import type { Database, FieldModel, SchemaModel } from '../../../core/doors/plugin.ts'
import type { CompiledColumn } from '../../../core/schema/compiled.ts'
import type { OutputComposite } from '../../../core/schema/type-model.ts'
import { memberOf, type Parsed, parseExactly } from '../json-text.ts'

/** A row as the database says it, column by column, in texts. */
export interface Row {
  readonly cells: ReadonlyMap<string, string | null>
  /** The object in the column of the type's document. */
  readonly document: Parsed | null
}

/** A view or table, read whole. */
export interface Source {
  readonly name: string
  /** Catalog types by column. */
  readonly types: ReadonlyMap<string, string>
  /** Columns that tell rows apart. */
  readonly key: readonly string[]
  readonly rows: readonly Row[]
  readonly byKey: ReadonlyMap<string, Row>
}

/** Every source of a schema, read before anything is asked. */
export type Sources = ReadonlyMap<string, Source>

export async function readSources(
  model: SchemaModel,
  database: Database,
  dialect: 'postgres' | 'sqlite' | 'mysql',
): Promise<Sources> {
  const found = new Map<string, Source>()
  const documents = new Map<string, string>()
  for (const type of model.types.values()) {
    if (type.kind === 'object' && type.source !== null && type.document !== null)
      documents.set(type.source.name, type.document)
  }
  for (const source of model.sources.values()) {
    const columns = source.columns.map((column) =>
      dialect === 'postgres' ? textOf(column) : dialect === 'mysql' ? mysqlTextOf(column) : `"${column.name}"`,
    )
    const text = `SELECT ${columns.join(', ')} FROM "${source.name}"`
    const { rows: read } = await database.query({ name: null, text, readOnly: true }, [], null)
    const names = source.columns.map(({ name }) => name)
    const document = documents.get(source.name)
    const rows = read.map((values): Row => {
      const cells = new Map(names.map((name, index) => [name, values[index] ?? null]))
      const json = document === undefined ? null : (cells.get(document) ?? null)
      return { cells, document: json === null ? null : parseExactly(json) }
    })
    const key =
      source.key.length > 0
        ? source.key
        : names.includes('id')
          ? ['id']
          : names.filter((name) => name.startsWith('pk_'))
    found.set(source.name, {
      name: source.name,
      types: new Map(source.columns.map(({ name, type }) => [name, type])),
      key,
      rows,
      byKey: new Map(rows.map((row) => [keyOf(key, row), row])),
    })
  }
  return found
}

/** The text of a column of MariaDB: booleans are 1 and 0, and numbers have the server's own digits. */
function mysqlTextOf({ name, type }: CompiledColumn): string {
  return type === 'bool' || type === 'float8' ? `CONCAT("${name}")` : `"${name}"`
}

/** The text of a column of PostgreSQL: points in time in UTC, lists as JSON, points as `lat,lng`, shapes as GeoJSON. */
function textOf({ name, type, place }: CompiledColumn): string {
  if (place?.shape === 'Point') return `ST_Y("${name}"::geometry) || ',' || ST_X("${name}"::geometry)`
  if (place !== undefined) return `ST_AsGeoJSON("${name}")`
  if (type === 'timestamptz') return `to_char("${name}" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`
  if (type === 'timestamp') return `to_char("${name}", 'YYYY-MM-DD"T"HH24:MI:SS.US')`
  if (type === '_timestamptz') {
    return `CASE WHEN "${name}" IS NOT NULL THEN coalesce((SELECT json_agg(to_char(v AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') ORDER BY n)
      FROM unnest("${name}") WITH ORDINALITY e(v, n))::text, '[]') END`
  }
  if (type === 'inet')
    return `CASE WHEN masklen("${name}") = CASE family("${name}") WHEN 4 THEN 32 ELSE 128 END THEN host("${name}") ELSE "${name}"::text END`
  return type.startsWith('_') ? `array_to_json("${name}")::text` : `"${name}"::text`
}

export function keyOf(key: readonly string[], { cells }: Row): string {
  return key.map((column) => cells.get(column)).join('\u0001')
}

/** The source that holds the rows of a type. */
export function sourceNameOf(type: OutputComposite): string {
  if (type.source === null) throw new Error(`${type.name} has no rows of its own`)
  return type.source.name
}

/** What is stored for a field: the text of a column, a value in a document. `null`: nothing. */
export type Stored =
  | { readonly from: 'column'; readonly text: string; readonly type: string | null }
  | { readonly from: 'document'; readonly value: Parsed }

/** @param holder a row, or an object in a document */
export function storedOf(holder: Row | Parsed, field: FieldModel, source: Source | null): Stored | null {
  const { read } = field
  if (read === null || read.from === 'relation') throw new Error(`${field.name} is not stored`)
  if (isRow(holder) && read.from === 'column') {
    const text = holder.cells.get(read.column) ?? null
    return text === null ? null : { from: 'column', text, type: source?.types.get(read.column) ?? read.column_type }
  }
  const key = read.from === 'document' ? read.key : read.column
  const value = memberOf(isRow(holder) ? holder.document : holder, key)
  if (value === null) return null
  // The null of JSON is a value of JSON, and nothing for every other scalar.
  const isNull = value.kind === 'word' && value.text === 'null'
  return isNull && (field.named.name !== 'JSON' || field.list) ? null : { from: 'document', value }
}

export function isRow(holder: Row | Parsed): holder is Row {
  return 'cells' in holder
}

/** The text of a value in a document, as `->>` gives it. */
export function plainText(value: Parsed): string {
  if (value.kind === 'text') return value.value
  if (value.kind === 'number' || value.kind === 'word') return value.text
  throw new Error('An object stands where a value should')
}
