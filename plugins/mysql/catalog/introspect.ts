import { type DatabaseModel, uniqueKeys } from '../../../core/doors/driver.ts'
import type { Row } from '../../../core/doors/plugin.ts'
import {
  type CatalogRows,
  type DeclaredColumn,
  type ReadRelations,
  type Relation,
  readRelations,
} from './read-relations.ts'
import { type Routine, readRoutines } from './read-routines.ts'

type ModelRelation = DatabaseModel['relations'][number]
type ModelColumn = ModelRelation['columns'][number]
type ModelFunction = DatabaseModel['functions'][number]
type SkippedObject = DatabaseModel['skipped'][number]

const FOREIGN_KEYS = `
SELECT TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = ?1 AND REFERENCED_TABLE_NAME IS NOT NULL
ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`

/** Columns that only statements see which name them. */
const INVISIBLE = `
SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA = ?1 AND EXTRA LIKE '%INVISIBLE%' ORDER BY 1, ORDINAL_POSITION`

/** The server shows each user its own privileges. A name of a database may be a pattern. NULL: for all tables. */
const DELETABLE = `
SELECT NULL FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE = 'DELETE'
UNION ALL
SELECT NULL FROM information_schema.SCHEMA_PRIVILEGES
WHERE PRIVILEGE_TYPE = 'DELETE' AND (?1 = TABLE_SCHEMA OR ?1 LIKE REPLACE(TABLE_SCHEMA, '\\_', '|_') ESCAPE '|')
UNION ALL
SELECT TABLE_NAME FROM information_schema.TABLE_PRIVILEGES WHERE PRIVILEGE_TYPE = 'DELETE' AND TABLE_SCHEMA = ?1`

/** Describes all tables, views and routines of the database of the connection, for `svc introspect`. */
export async function introspect(rowsOf: CatalogRows, isMariaDb: boolean): Promise<DatabaseModel> {
  const [[schema] = []] = await rowsOf('SELECT DATABASE()')
  const read = await readRelations(rowsOf, schema!, isMariaDb)
  const keys = foreignKeys(await rowsOf(FOREIGN_KEYS, [schema!]), schema!, read.relations)
  const deletable = new Set((await rowsOf(DELETABLE, [schema!])).map(([table]) => table))
  const mayDelete = (table: string): boolean => deletable.has(null) || deletable.has(table)
  const shown = [...read.relations.values()].filter(({ name }) => !isOfSvc(name))
  const invisible = (await rowsOf(INVISIBLE, [schema!])).map(([table, column]) => ({
    kind: 'column',
    name: `${table}.${column}`,
    reason: 'is invisible',
  }))
  const broken = [...read.broken].map(([name, reason]) => ({ kind: 'view', name, reason: `cannot be read: ${reason}` }))
  return {
    relations: shown.map((relation) =>
      describe(relation, read, keys.found.get(relation.name) ?? [], mayDelete(relation.name)),
    ),
    functions: (await readRoutines(rowsOf, schema!)).filter(({ name }) => !isOfSvc(name)).map(toModel),
    enums: shown.flatMap(enumsOf),
    skipped: [...broken, ...invisible, ...keys.skipped],
  }
}

function isOfSvc(name: string): boolean {
  return name.startsWith('svc_')
}

function describe(
  relation: Relation,
  { proven }: ReadRelations,
  foreign: ModelRelation['foreignKeys'],
  mayDelete: boolean,
): ModelRelation {
  const { columns, compositeKeys } = proven(relation)
  const required = new Set(columns.filter(({ notNull }) => notNull).map(({ name }) => name))
  const single = columns.filter(({ unique }) => unique).map(({ name }) => [name])
  const isView = relation.kind === 'view'
  const mayWrite = !isView || relation.isUpdatable
  const may = (privilege: string): boolean =>
    relation.declared.some(({ privileges }) => privileges.split(',').includes(privilege))
  return {
    name: relation.name,
    visible: true,
    kind: relation.kind,
    ...(relation.comment === '' ? {} : { comment: relation.comment }),
    columns: columns.map((column, index) => describeColumn(relation, column, relation.declared[index]!)),
    primaryKey: relation.keys,
    uniqueKeys: uniqueKeys([...single, ...compositeKeys], relation.keys, required),
    foreignKeys: foreign,
    indexes: relation.indexes.map(({ name, parts, isPrefix, unique, method }) => ({
      name,
      // The beginning of a value is an expression of it.
      columns: parts.map((part, index) => (part === null || isPrefix[index] === true ? '' : part)),
      unique,
      method,
    })),
    ...(relation.rows === null ? {} : { estimatedRows: relation.rows }),
    privileges: {
      select: may('select'),
      insert: mayWrite && may('insert'),
      update: mayWrite && may('update'),
      delete: mayWrite && mayDelete,
    },
  }
}

function describeColumn(
  { name: table, kind, declared: all }: Relation,
  { name, type, notNull }: Pick<ModelColumn, 'name' | 'type' | 'notNull'>,
  { columnType, default: fallback, extra, comment, privileges, labels, digits, dimensions }: DeclaredColumn,
): ModelColumn {
  const isGenerated = /\bGENERATED\b/i.test(extra) && !/DEFAULT_GENERATED/i.test(extra)
  const isIdentity = /auto_increment/i.test(extra)
  const written = defaultText(fallback, extra, columnType)
  const may = (privilege: string, of = privileges): boolean => of.split(',').includes(privilege)
  const refuses = (['insert', 'update'] as const).filter(
    (statement) => !may(statement) && all.some((column) => may(statement, column.privileges)),
  )
  return {
    name,
    type,
    sqlType: columnType,
    notNull,
    hasDefault: written !== null || !notNull || isIdentity || isGenerated || kind === 'view',
    ...(comment === '' ? {} : { comment }),
    ...(written === null || isGenerated ? {} : { default: written }),
    ...(isIdentity ? { identity: true as const } : {}),
    ...(isGenerated ? { generated: true as const } : {}),
    ...(may('select') ? {} : { unreadable: true as const }),
    ...(refuses.length === 0 ? {} : { refuses }),
    ...(labels === null ? {} : { enum: `${table}_${name}` }),
    ...(digits === null ? {} : { digits }),
    ...(dimensions === undefined ? {} : { dimensions }),
  }
}

/** MariaDB writes a default as SQL. MySQL writes the bare text of a constant. */
function defaultText(fallback: string | null, extra: string, columnType: string): string | null {
  if (fallback === null || fallback === 'NULL') return null
  if (/DEFAULT_GENERATED/i.test(extra)) return `(${fallback})`
  const isWritten = /^(?:'(?:[^']|'')*'|[-+]?[\d.]+(?:e[-+]?\d+)?|[a-z_]+\(.*\)|\(.*\)|b'[01]*'|x'[\da-f]*')$/is.test(
    fallback,
  )
  const isText = /char|text|enum|set|date|time|year|blob|binary/i.test(columnType)
  return isWritten && !(isText && /^[-+]?[\d.]+$/.test(fallback)) ? fallback : `'${fallback.replaceAll("'", "''")}'`
}

/** An enum belongs to its column, so that its name is made of both. */
function enumsOf({ name: table, columns, declared }: Relation): DatabaseModel['enums'] {
  return columns.flatMap(({ name }, index) => {
    const { labels } = declared[index]!
    return labels === null ? [] : [{ name: `${table}_${name}`, visible: true, labels }]
  })
}

function foreignKeys(rows: readonly Row[], schema: string, relations: ReadRelations['relations']) {
  const found = new Map<
    string,
    { name: string; columns: string[]; references: { schema?: string; name: string; columns: string[] } }[]
  >()
  const skipped: SkippedObject[] = []
  for (const [table, name, column, otherSchema, other, otherColumn] of rows as readonly (readonly string[])[]) {
    const isOther = otherSchema !== schema
    const ofTable = found.get(table!) ?? []
    found.set(table!, ofTable)
    const last = ofTable.at(-1)
    if (last?.name === name) {
      last!.columns.push(column!)
      last!.references.columns.push(otherColumn!)
      continue
    }
    if (isOther || !relations.has(other!)) {
      const where = isOther ? `${otherSchema}.${other}, in another database` : `${other}, which does not exist`
      const reason = `references ${where}`
      if (skipped.at(-1)?.name !== `${table}.${name}`)
        skipped.push({ kind: 'foreign key', name: `${table}.${name}`, reason })
      continue
    }
    ofTable.push({ name: name!, columns: [column!], references: { name: other!, columns: [otherColumn!] } })
  }
  return { found, skipped }
}

function toModel(routine: Routine): ModelFunction {
  const { name, kind, comment, parameters, returns, isDeterministic, access, sqlTypes, yields } = routine
  const reads = access === 'READS SQL DATA' || access === 'NO SQL'
  return {
    name,
    visible: true,
    kind,
    ...(yields === true ? { yields } : {}),
    ...(comment === '' ? {} : { comment }),
    volatility: !reads || kind === 'procedure' ? 'volatile' : isDeterministic ? 'immutable' : 'stable',
    parameters: parameters.map((parameter, index) => ({
      name: parameter.name,
      type: parameter.type,
      sqlType: sqlTypes[index]!,
      hasDefault: parameter.hasDefault,
    })),
    returns: { ...returns, columns: returns.columns },
    executable: true,
  }
}
