import { type DatabaseModel, uniqueKeys } from '../../core/doors/driver.ts'
import type { ChildConnection } from './child-connection.ts'
import { type ReadRelations, type Relation, readRelations, rowsOf } from './read-relations.ts'

/** Columns of keys in the order of the key. JSON, because names may contain a comma. `to` is NULL for the primary key of the other table. */
const FOREIGN_KEYS = `
SELECT m.name, f."table",
  (SELECT json_group_array(k."from") FROM (SELECT "from" FROM pragma_foreign_key_list(m.name) WHERE id = f.id ORDER BY seq) k),
  (SELECT json_group_array(k."to") FROM (SELECT "to" FROM pragma_foreign_key_list(m.name) WHERE id = f.id ORDER BY seq) k)
FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f
WHERE m.type = 'table' AND f.seq = 0 ORDER BY m.name, f.id DESC`

const INDEXES = `
SELECT m.name, i.name, i."unique", i.partial,
  (SELECT json_group_array(coalesce(x.name, '')) FROM pragma_index_info(i.name) x)
FROM sqlite_schema m JOIN pragma_index_list(m.name) i WHERE m.type = 'table' ORDER BY m.name, i.seq DESC`

/** Tables of SQLite, of full-text and other virtual tables (`shadow`), and of svc. */
const HIDDEN = `
SELECT name FROM pragma_table_list WHERE schema = 'main'
  AND (type = 'shadow' OR name LIKE 'sqlite~_%' ESCAPE '~' OR name LIKE 'svc~_%' ESCAPE '~')`

const TRIGGERS = "SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'"
const INSTEAD = /\bINSTEAD\s+OF\s+(INSERT|UPDATE|DELETE)\b/i

type ModelRelation = DatabaseModel['relations'][number]
type SkippedObject = DatabaseModel['skipped'][number]
/** Statements that are possible, by lower-case name of a view. */
type Writes = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Describes all tables and views of a SQLite file, for `svc introspect`. SQLite has neither privileges nor comments,
 * and its functions are not in the file.
 */
export async function introspect(connection: ChildConnection): Promise<DatabaseModel> {
  const read = await readRelations(connection)
  const hidden = new Set((await rowsOf(connection, HIDDEN, [])).map(([name]) => name!.toLowerCase()))
  const shown = [...read.relations].filter(([key]) => !hidden.has(key)).map(([, relation]) => relation)
  shown.sort((a, b) => (a.name < b.name ? -1 : 1))
  const keys = await readForeignKeys(connection, read.relations)
  const indexes = await readIndexes(connection)
  const writes = await readWrites(connection)
  const broken = [...read.broken.values()].map(({ name, error }) => ({
    kind: 'view',
    name,
    reason: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
  }))
  return {
    relations: shown.map((relation) => ({
      ...describe(relation, read.proven, writes),
      foreignKeys: keys.found.get(relation.name) ?? [],
      indexes: indexes.get(relation.name) ?? [],
    })),
    functions: [],
    enums: [],
    skipped: [...broken, ...keys.skipped],
  }
}

function describe(relation: Relation, proven: ReadRelations['proven'], writes: Writes) {
  const { columns, compositeKeys } = proven(relation)
  const required = new Set(columns.filter(({ notNull }) => notNull).map(({ name }) => name))
  const single = columns.filter(({ unique }) => unique).map(({ name }) => [name])
  const isView = relation.kind === 'view'
  const allows = (statement: string): boolean =>
    !isView || writes.get(relation.name.toLowerCase())?.has(statement) === true
  return {
    name: relation.name,
    visible: true,
    kind: isView ? ('view' as const) : ('table' as const),
    columns: columns.map(({ name, type, notNull }, i) => {
      const declared = relation.declared[i]!
      const { hasDefault, isGenerated, isRowId, default: fallback } = declared
      return {
        name,
        type,
        sqlType: declared.type,
        notNull,
        hasDefault,
        ...(fallback === null || isGenerated ? {} : { default: fallback }),
        ...(isRowId ? { identity: true as const } : {}),
        ...(isGenerated ? { generated: true as const } : {}),
      }
    }),
    primaryKey: relation.keys,
    uniqueKeys: uniqueKeys([...single, ...compositeKeys], relation.keys, required),
    privileges: { select: true, insert: allows('insert'), update: allows('update'), delete: allows('delete') },
  }
}

/** Reads foreign keys with names as the tables declare them, because references ignore case. */
async function readForeignKeys(connection: ChildConnection, relations: ReadRelations['relations']) {
  const found = new Map<string, ModelRelation['foreignKeys'][number][]>()
  const skipped: SkippedObject[] = []
  for (const [table, target, from, to] of await rowsOf(connection, FOREIGN_KEYS, [])) {
    const own = relations.get(table!.toLowerCase())
    const other = relations.get(target!.toLowerCase())
    const columns = (JSON.parse(from!) as string[]).map((name) => nameIn(own, name))
    const referenced = (JSON.parse(to!) as (string | null)[]).map((name, i) => nameIn(other, name ?? other?.keys[i]))
    const name = `${table}_${columns.join('_')}_fkey`
    if (own === undefined || other === undefined || columns.includes(null) || referenced.includes(null)) {
      const reason =
        other === undefined
          ? `references ${target}, which does not exist`
          : `references columns that ${target} does not have`
      skipped.push({ kind: 'foreign key', name: `${table}.${name}`, reason })
      continue
    }
    const ofTable = found.get(own.name) ?? []
    ofTable.push({
      name,
      columns: columns as string[],
      references: { name: other.name, columns: referenced as string[] },
    })
    found.set(own.name, ofTable)
  }
  return { found, skipped }
}

function nameIn(relation: Relation | undefined, name: string | undefined): string | null {
  return relation?.columns.find((column) => column.name.toLowerCase() === name?.toLowerCase())?.name ?? null
}

async function readIndexes(connection: ChildConnection): Promise<ReadonlyMap<string, ModelRelation['indexes']>> {
  const found = new Map<string, ModelRelation['indexes'][number][]>()
  for (const [table, name, unique, partial, columns] of await rowsOf(connection, INDEXES, [])) {
    const ofTable = found.get(table!) ?? []
    ofTable.push({
      name: name!,
      columns: JSON.parse(columns!) as string[],
      unique: unique === '1',
      method: 'btree',
      ...(partial === '1' ? { partial: true } : {}),
    })
    found.set(table!, ofTable)
  }
  return found
}

/** Statements that INSTEAD OF triggers of views carry out, by lower-case name of the view. */
async function readWrites(connection: ChildConnection): Promise<Writes> {
  const writes = new Map<string, Set<string>>()
  for (const [view, sql] of await rowsOf(connection, TRIGGERS, [])) {
    const statement = INSTEAD.exec(sql!)?.[1]?.toLowerCase()
    if (statement === undefined) continue
    writes.set(view!.toLowerCase(), (writes.get(view!.toLowerCase()) ?? new Set()).add(statement))
  }
  return writes
}
