import type { Row } from 'svc'
import {
  type Catalog,
  type CatalogNames,
  type CatalogRelation,
  type DatabaseModel,
  type ProvenRelation,
  proveViews,
} from 'svc/driver'

/** Runs a query without parameters. */
type Ask = (text: string) => Promise<readonly Row[]>

const OF_FILE = 'database_name = current_database() AND NOT internal'
const RELATIONS = `
SELECT schema_name, table_name, NULL AS sql, comment, estimated_size FROM duckdb_tables() WHERE ${OF_FILE}
UNION ALL SELECT schema_name, view_name, sql, comment, NULL FROM duckdb_views() WHERE ${OF_FILE} ORDER BY 1, 2`
const COLUMNS = `
SELECT schema_name, table_name, column_name, data_type, is_nullable, column_default, comment
FROM duckdb_columns() WHERE ${OF_FILE} ORDER BY schema_name, table_name, column_index`
const KEYS = `
SELECT schema_name, table_name, constraint_type, constraint_name, to_json(constraint_column_names), referenced_table,
  to_json(referenced_column_names)
FROM duckdb_constraints() WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
ORDER BY schema_name, table_name, constraint_index`

/** PostgreSQL's names of DuckDB's types, which svc uses for all databases. */
const TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: 'bool',
  TINYINT: 'int2',
  SMALLINT: 'int2',
  UTINYINT: 'int2',
  INTEGER: 'int4',
  USMALLINT: 'int4',
  BIGINT: 'int8',
  UINTEGER: 'int8',
  UBIGINT: 'numeric',
  HUGEINT: 'numeric',
  UHUGEINT: 'numeric',
  FLOAT: 'float4',
  DOUBLE: 'float8',
  VARCHAR: 'text',
  UUID: 'uuid',
  DATE: 'date',
  TIME: 'time',
  'TIMESTAMP WITH TIME ZONE': 'timestamptz',
  JSON: 'json',
  BLOB: 'bytea',
  INTERVAL: 'interval',
}

function typeOf(type: string): string {
  if (type.endsWith('[]')) return `_${typeOf(type.slice(0, -2))}`
  if (type.startsWith('DECIMAL')) return 'numeric'
  if (type.startsWith('ENUM')) return 'text'
  if (/^TIMESTAMP(?:_\w+)?$/.test(type)) return 'timestamp'
  return TYPES[type] ?? type.replace(/\(.*$/s, '').toLowerCase()
}

/** The query of a view, from the statement that created it. Nothing is known of a view whose columns are named there. */
const VIEW = /^CREATE VIEW (?:(?:"(?:[^"]|"")*"|\w+)\.)*(?:"(?:[^"]|"")*"|\w+) AS (.*?);?$/s

interface Relation extends ProvenRelation {
  readonly schema: string
  readonly kind: 'table' | 'view'
  readonly comment: string | null
  readonly rows: number | null
  readonly columns: (ProvenRelation['columns'][number] & {
    readonly declared: string
    readonly fallback: string | null
    readonly comment: string | null
  })[]
  readonly keys: string[]
  readonly compositeKeys: (readonly string[])[]
  readonly foreignKeys: DatabaseModel['relations'][number]['foreignKeys'][number][]
}

/** Reads all tables and views of the file, by `schema.name` in lower case, and by `name` those of the schema `main`. */
async function readRelations(ask: Ask): Promise<ReadonlyMap<string, Relation>> {
  const found = new Map<string, Relation>()
  const of = (schema: string | null, name: string | null) => found.get(`${schema}.${name}`.toLowerCase())
  for (const [schema, name, sql, comment, rows] of await ask(RELATIONS)) {
    const relation: Relation = {
      schema: schema!,
      name: name!,
      kind: sql === null ? 'table' : 'view',
      query: VIEW.exec(sql ?? '')?.[1] ?? null,
      comment: comment ?? null,
      rows: rows === null ? null : Number(rows),
      columns: [],
      keys: [],
      compositeKeys: [],
      foreignKeys: [],
    }
    found.set(`${schema}.${name}`.toLowerCase(), relation)
    if (schema === 'main') found.set(name!.toLowerCase(), relation)
  }
  for (const [schema, table, type, name, columnNames, other, otherColumns] of await ask(KEYS)) {
    const relation = of(schema!, table!)
    const columns = JSON.parse(columnNames!) as string[]
    if (type === 'PRIMARY KEY') relation?.keys.push(...columns)
    if (type !== 'FOREIGN KEY') relation?.compositeKeys.push(columns)
    else
      relation?.foreignKeys.push({
        name: name!,
        columns,
        references: { schema: schema!, name: other!, columns: JSON.parse(otherColumns!) as string[] },
      })
  }
  for (const [schema, table, name, type, nullable, fallback, comment] of await ask(COLUMNS)) {
    const relation = of(schema!, table!)
    relation?.columns.push({
      name: name!,
      type: typeOf(type!),
      notNull: nullable === 'false',
      unique: relation.compositeKeys.some(([first, ...more]) => first === name && more.length === 0),
      declared: type!,
      fallback: fallback ?? null,
      comment: comment ?? null,
    })
  }
  return found
}

/** Describes the tables and views that a schema names, for the compiler. DuckDB's macros are no functions for svc. */
export async function readCatalog(ask: Ask, names: CatalogNames): Promise<Catalog> {
  const all = await readRelations(ask)
  const prove = proveViews(all)
  const relations = new Map<string, CatalogRelation>()
  for (const asked of names.relations) {
    const relation = all.get(asked.toLowerCase())
    if (relation === undefined) continue
    const { schema, name, kind, keys } = relation
    const { columns, compositeKeys } = prove(relation)
    const several = compositeKeys.filter((key) => key.length > 1)
    const entry = { schema, name, kind, columns, primaryKey: keys, compositeKeys: several }
    relations.set(asked, entry)
  }
  const allRelations = [...all.keys()].filter((name) => !name.startsWith('main.'))
  return { relations, functions: new Map(), allRelations, allFunctions: [] }
}

/** Describes the whole file, for `svc introspect`. */
export async function readModel(ask: Ask): Promise<DatabaseModel> {
  const all = await readRelations(ask)
  const prove = proveViews(all)
  const relations = [...new Set(all.values())].map((relation) => {
    const proven = prove(relation)
    const { schema, name, kind, comment, rows, keys, foreignKeys } = relation
    return {
      schema,
      name,
      kind,
      visible: schema === 'main',
      ...(comment === null ? {} : { comment }),
      columns: relation.columns.map(({ declared, fallback, comment, ...column }, index) => ({
        name: column.name,
        type: column.type,
        sqlType: declared,
        notNull: proven.columns[index]!.notNull,
        hasDefault: fallback !== null,
        ...(comment === null ? {} : { comment }),
      })),
      primaryKey: keys,
      uniqueKeys: [
        ...proven.columns.filter(({ unique }) => unique).map((column) => [column.name]),
        ...proven.compositeKeys.filter((key) => key.length > 1),
      ].filter((key) => key.join() !== keys.join()),
      foreignKeys,
      indexes: [],
      ...(rows === null ? {} : { estimatedRows: rows }),
      privileges: { select: true, insert: false, update: false, delete: false },
    }
  })
  return { relations, functions: [], enums: [], skipped: [] }
}
