import { jsonColumns, type ProvenRelation, type ProvenRows, proveViews } from '../../../core/doors/driver.ts'
import type { Row } from '../../../core/doors/plugin.ts'
import { bitLength, canonicalType, enumLabels } from './column-type.ts'

/** Runs a query on the catalog. @param parameters values of the placeholders `?1`, … */
export type CatalogRows = (text: string, parameters?: readonly (string | null)[]) => Promise<readonly Row[]>

/** A column as the database declares it. */
export interface DeclaredColumn {
  readonly columnType: string
  readonly default: string | null
  readonly extra: string
  readonly comment: string
  /** `select,insert,update` */
  readonly privileges: string
  readonly labels: readonly string[] | null
  readonly digits: { readonly precision: number; readonly scale: number } | null
  readonly dimensions: number | undefined
}

/** A table or view as `information_schema` describes it. */
export interface Relation extends ProvenRelation {
  readonly schema: string
  readonly kind: 'view' | 'table'
  readonly columns: ProvenRelation['columns'][number][]
  /** Further facts about the columns, in the order of `columns`. */
  readonly declared: DeclaredColumn[]
  readonly keys: string[]
  readonly compositeKeys: (readonly string[])[]
  readonly indexes: readonly Index[]
  readonly comment: string
  /** Estimated number of rows; `null`: unknown. */
  readonly rows: number | null
  readonly isUpdatable: boolean
}

/** Columns that `SELECT *` leaves out are not used. */
const COLUMNS = `
SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA, COLUMN_COMMENT, PRIVILEGES,
  NUMERIC_PRECISION, NUMERIC_SCALE
FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ?1 AND EXTRA NOT LIKE '%INVISIBLE%'
ORDER BY TABLE_NAME, ORDINAL_POSITION`

const TABLES = `
SELECT t.TABLE_NAME, t.TABLE_TYPE, t.TABLE_ROWS, t.TABLE_COMMENT, v.VIEW_DEFINITION, v.IS_UPDATABLE
FROM information_schema.TABLES t LEFT JOIN information_schema.VIEWS v
  ON v.TABLE_SCHEMA = t.TABLE_SCHEMA AND v.TABLE_NAME = t.TABLE_NAME
WHERE t.TABLE_SCHEMA = ?1 AND t.TABLE_TYPE <> 'SEQUENCE' ORDER BY t.TABLE_NAME`

const INDEXES = `
SELECT TABLE_NAME, INDEX_NAME, NON_UNIQUE, INDEX_TYPE, COLUMN_NAME, SUB_PART FROM information_schema.STATISTICS
WHERE TABLE_SCHEMA = ?1 ORDER BY TABLE_NAME, INDEX_NAME <> 'PRIMARY', INDEX_NAME, SEQ_IN_INDEX`

/** MariaDB stores JSON as text with a condition. */
const JSON_CHECKS = `
SELECT TABLE_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS
WHERE CONSTRAINT_SCHEMA = ?1 AND CHECK_CLAUSE LIKE 'json_valid(%'`

/** So much of a value tells nearly all values apart. */
const LONG_PREFIX = 100

/** All tables and views of a database, and the views that cannot be read. */
export interface ReadRelations {
  /** Tables and views by name. */
  readonly relations: ReadonlyMap<string, Relation>
  readonly proven: (relation: Relation) => ProvenRows
  /** Reasons why views cannot be read, by name. */
  readonly broken: ReadonlyMap<string, string>
}

/**
 * Reads all tables and views of a database. Facts about a view are derived from its tables, so all are needed.
 * @param schema name of the database
 */
export async function readRelations(rowsOf: CatalogRows, schema: string, isMariaDb: boolean): Promise<ReadRelations> {
  const columns = groupBy(await rowsOf(COLUMNS, [schema]))
  const indexes = readIndexes(groupBy(await rowsOf(INDEXES, [schema])))
  const json = new Set(isMariaDb ? (await rowsOf(JSON_CHECKS, [schema])).map(jsonColumnOf) : [])
  const relations = new Map<string, Relation>()
  const broken = new Map<string, string>()
  for (const [name, type, rows, comment, definition, updatable] of await rowsOf(TABLES, [schema])) {
    const kind = type!.endsWith('VIEW') ? 'view' : 'table'
    const own = columns.get(name!) ?? []
    if (own.length === 0) {
      broken.set(name!, comment ?? '')
      continue
    }
    const query = kind === 'view' ? withoutSchema(definition ?? '', schema) : null
    const ofTable = indexes.get(name!) ?? []
    const unique = ofTable.filter((index) => index.unique && !index.parts.includes(null))
    const singles = new Set(unique.flatMap(({ parts }) => (parts.length === 1 ? [parts[0]!] : [])))
    const isJson = query === null ? [] : jsonColumns(query)
    relations.set(name!, {
      schema,
      name: name!,
      kind,
      query,
      comment: kind === 'view' ? '' : (comment ?? ''),
      rows: kind === 'view' || rows === null ? null : Number(rows),
      isUpdatable: updatable !== 'NO',
      columns: own.map((row, index) => {
        const [, column, dataType, columnType, nullable] = row as readonly string[]
        const declared = canonicalType({
          dataType: dataType!,
          columnType: columnType!,
          enumName: `${name}_${column}`,
        })
        return {
          name: column!,
          type: json.has(`${name} ${column}`) || isJson[index] === true ? 'json' : declared,
          notNull: nullable === 'NO',
          unique: singles.has(column!),
        }
      }),
      declared: own.map(declaredOf),
      keys: ofTable.find((index) => index.name === 'PRIMARY')?.parts.map((part) => part!) ?? [],
      compositeKeys: unique.flatMap(({ parts }) => (parts.length > 1 ? [parts.map((part) => part!)] : [])),
      indexes: ofTable,
    })
  }
  const prove = proveViews(byLowerCase(relations))
  return { relations, proven: prove, broken }
}

function declaredOf(row: Row): DeclaredColumn {
  const [, , dataType, columnType, , fallback, extra, comment, privileges, precision, scale] = row
  return {
    columnType: columnType ?? '',
    default: fallback ?? null,
    extra: extra ?? '',
    comment: comment ?? '',
    privileges: privileges ?? '',
    labels: dataType === 'enum' ? enumLabels(columnType ?? '') : null,
    digits: dataType === 'decimal' ? { precision: Number(precision), scale: Number(scale) } : null,
    dimensions: bitLength(columnType ?? ''),
  }
}

/** ``json_valid(`doc`)`` → `table doc`. The quotes depend on the session that opened the table first. */
function jsonColumnOf([table, clause]: Row): string {
  const column = /^json_valid\([`"]((?:[^`"]|``|"")*)[`"]\)$/i.exec(clause!)?.[1] ?? ''
  return `${table} ${column.replaceAll('``', '`')}`
}

/**
 * Removes the name of the database from the names of tables and columns of a view: the server writes
 * `` `shop`.`item`.`id` ``. Texts stay as they are.
 */
function withoutSchema(definition: string, schema: string): string {
  const prefix = `\`${schema.replaceAll('`', '``')}\`.`
  return definition.replace(/'(?:[^'\\]|''|\\.)*'|`(?:[^`]|``)*`\./gs, (part) => (part === prefix ? '' : part))
}

/** Names are sensitive to case on some servers. Nothing is proven for names that differ only in case. */
function byLowerCase(relations: ReadonlyMap<string, Relation>): ReadonlyMap<string, Relation> {
  const found = new Map<string, Relation>()
  const twice = new Set<string>()
  for (const relation of relations.values()) {
    const key = relation.name.toLowerCase()
    if (found.has(key)) twice.add(key)
    found.set(key, relation)
  }
  for (const key of twice) found.delete(key)
  return found
}

function groupBy(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row[0]!)
    if (group === undefined) groups.set(row[0]!, [row])
    else group.push(row)
  }
  return groups
}

/** An index of a table. */
export interface Index {
  readonly name: string
  readonly unique: boolean
  readonly method: string
  /** Columns in the order of the index; `null`: an expression. */
  readonly parts: readonly (string | null)[]
  /** Is only the first part of a value in the index? By position of the column. */
  readonly isPrefix: readonly boolean[]
}

function readIndexes(rows: ReadonlyMap<string, readonly Row[]>): ReadonlyMap<string, readonly Index[]> {
  const found = new Map<string, readonly Index[]>()
  for (const [table, ofTable] of rows) {
    const names = [...new Set(ofTable.map(([, name]) => name!))]
    found.set(
      table,
      names.map((name) => {
        const parts = ofTable.filter((row) => row[1] === name)
        return {
          name,
          unique: parts[0]![2] === '0',
          method: parts[0]![3]!.toLowerCase(),
          parts: parts.map(([, , , , column]) => column ?? null),
          isPrefix: parts.map(([, , , , , length]) => length !== null && Number(length) < LONG_PREFIX),
        }
      }),
    )
  }
  return found
}
