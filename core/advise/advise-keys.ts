import type { Database } from '../contract/database.ts'
import type { DatabaseModel, ModelColumn, ModelRelation } from '../contract/database-model.ts'
import { joinKeysOf } from '../introspect/join-keys.ts'
import { singularOf } from '../introspect/names/inflect.ts'
import { qualified, sourceOf } from '../introspect/qualified.ts'
import type { Advice } from './advice.ts'
import { createUniqueIndex, tableName } from './create-index.ts'
import type { DatabaseFacts } from './read-facts.ts'

/** A column that looks like a reference, for which there is no constraint. */
interface MissingReference {
  readonly relation: ModelRelation
  readonly column: string
  readonly target: ModelRelation
  readonly key: string
}

/**
 * Advises on missing keys of tables: primary keys, foreign keys, and unique keys of the tables between many-to-many
 * relations.
 */
export function adviseKeys(model: DatabaseModel, facts: DatabaseFacts): readonly Advice[] {
  const tables = model.relations.filter(isTable)
  return [
    ...tables
      .filter((table) => table.primaryKey.length === 0 && !joinTableKey(table, facts).some(addsPrimaryKey))
      .map((table) => missingPrimaryKey(table, facts)),
    ...findMissingReferences(model).map((reference) => missingForeignKey(reference, facts)),
    ...tables.flatMap((table) => joinTableKey(table, facts)),
  ]
}

function isTable({ kind }: ModelRelation): boolean {
  return kind === 'table' || kind === 'partitioned table'
}

function weightOf(relation: ModelRelation, { rows }: DatabaseFacts): number {
  return rows.get(qualified(relation)) ?? 0
}

function missingPrimaryKey(relation: ModelRelation, facts: DatabaseFacts): Advice {
  const required = new Set(relation.columns.filter(({ notNull }) => notNull).map(({ name }) => name))
  const key = relation.uniqueKeys.find((columns) => columns.every((name) => required.has(name)))
  const statement = `ALTER TABLE ${tableName(relation, facts)} ADD PRIMARY KEY (${(key ?? []).map(facts.quote).join(', ')});`
  return {
    rule: 'missing-primary-key',
    subject: sourceOf(relation),
    level: 'warning',
    weight: weightOf(relation, facts),
    message:
      key === undefined
        ? 'has no primary key: rows cannot be told apart, so pages sort by all columns and changes cannot be sent as events'
        : `has no primary key, and ${key.join(', ')} would be one`,
    statements: key === undefined || facts.kind === 'sqlite' ? [] : [statement],
    usedBy: [],
  }
}

/**
 * Finds columns that are named like the key of another table: `author_id` or `fk_author` for a table `author` or
 * `authors`, or like a key of a name of its own, such as `artist_id`. Both columns must have the same type.
 */
function findMissingReferences({ relations }: DatabaseModel): readonly MissingReference[] {
  const tables = relations.filter(isTable)
  const targets = new Map<string, ModelRelation[]>()
  const add = (name: string, table: ModelRelation): void => {
    const found = targets.get(name) ?? []
    if (!found.includes(table)) targets.set(name, [...found, table])
  }
  for (const table of tables) {
    if (table.primaryKey.length !== 1) continue
    const name = table.name.toLowerCase()
    for (const one of [name, singularOf(name)]) add(one, table)
    const stem = stemOf(table.primaryKey[0]!)
    if (stem !== null) add(stem, table)
  }
  return tables.flatMap((relation) => {
    const referencing = new Set(relation.foreignKeys.flatMap(({ columns }) => columns))
    return relation.columns.flatMap((column) => {
      const stem = stemOf(column.name)
      const isOwnKey = relation.primaryKey.length === 1 && relation.primaryKey[0] === column.name
      if (stem === null || isOwnKey || referencing.has(column.name) || column.generated === true) return []
      const found = (targets.get(stem) ?? []).filter((target) => fits(column, target))
      const target =
        found.find(({ schema }) => schema === relation.schema) ?? (found.length === 1 ? found[0] : undefined)
      return target === undefined ? [] : [{ relation, column: column.name, target, key: target.primaryKey[0]! }]
    })
  })
}

/** @returns `author` of `author_id`, `authorId` and `fk_author`; `null`: the column is not named like a reference */
function stemOf(name: string): string | null {
  const found = /^(?:fk_(?<after>\w+)|(?<snake>\w+)_id|(?<camel>\w+[a-z0-9])I[dD])$/.exec(name)?.groups
  const stem = found?.after ?? found?.snake ?? found?.camel
  return stem === undefined ? null : stem.toLowerCase()
}

function fits({ type }: ModelColumn, { columns, primaryKey }: ModelRelation): boolean {
  return columns.some((column) => column.name === primaryKey[0] && column.type === type)
}

function missingForeignKey({ relation, column, target, key }: MissingReference, facts: DatabaseFacts): Advice {
  const name = facts.quote(`${relation.name}_${column}_fkey`.slice(0, 63))
  const table = tableName(relation, facts)
  const references = `FOREIGN KEY (${facts.quote(column)}) REFERENCES ${tableName(target, facts)} (${facts.quote(key)})`
  // Before version 18, PostgreSQL rejects NOT VALID for partitioned tables.
  const isAtOnce = relation.kind === 'partitioned table' || facts.kind === 'mysql'
  const add = `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${references}`
  const statements = isAtOnce ? [`${add};`] : [`${add} NOT VALID;`, `ALTER TABLE ${table} VALIDATE CONSTRAINT ${name};`]
  return {
    rule: 'missing-foreign-key',
    subject: `${sourceOf(relation)}.${column}`,
    level: 'warning',
    weight: weightOf(relation, facts),
    message:
      `is named like a reference to ${sourceOf(target)}.${key}, and no foreign key holds it to that` +
      (facts.kind === 'sqlite'
        ? '. SQLite adds foreign keys only to new tables, so the table must be created again'
        : ''),
    statements: facts.kind === 'sqlite' ? [] : statements,
    usedBy: [],
  }
}

/** A table whose rows say nothing but that two rows belong together. */
function joinTableKey(relation: ModelRelation, facts: DatabaseFacts): readonly Advice[] {
  const found = joinKeysOf(relation)
  if (found === null || !found.bare || found.unique) return []
  const { pair } = found
  return [
    {
      rule: 'join-table-key',
      subject: sourceOf(relation),
      level: 'warning',
      weight: weightOf(relation, facts),
      message: `may hold the same pair twice: no key is unique over ${pair.join(', ')}, so lists may repeat rows`,
      statements: [keyOver(relation, pair, facts)],
      usedBy: [],
    },
  ]
}

/** Returns the statement for the primary key, if the table has none and may have it, and else for a unique index. */
function keyOver(relation: ModelRelation, pair: readonly string[], facts: DatabaseFacts): string {
  const isRequired = pair.every((name) => relation.columns.find((one) => one.name === name)?.notNull === true)
  if (facts.kind === 'sqlite' || relation.primaryKey.length > 0 || !isRequired)
    return createUniqueIndex(relation, pair, facts)
  return `ALTER TABLE ${tableName(relation, facts)} ADD PRIMARY KEY (${pair.map(facts.quote).join(', ')});`
}

function addsPrimaryKey({ statements }: Advice): boolean {
  return statements.some((statement) => statement.includes(' ADD PRIMARY KEY '))
}

/** Rows of a table that are read. */
const SAMPLED_ROWS = 10_000

/**
 * Counts, for advice on missing foreign keys, the rows whose value refers to no row, and adds the number to the
 * messages. Reads at most 10,000 rows of each table.
 */
export async function sampleOrphans(
  database: Database,
  model: DatabaseModel,
  advice: readonly Advice[],
  facts: DatabaseFacts,
): Promise<readonly Advice[]> {
  const orphans = new Map<string, number>()
  for (const { relation, column, target, key } of findMissingReferences(model)) {
    const own = facts.quote(column)
    const text =
      `SELECT count(*) FROM (SELECT ${own} AS v FROM ${tableName(relation, facts)} WHERE ${own} IS NOT NULL LIMIT ${SAMPLED_ROWS}) s ` +
      `WHERE NOT EXISTS (SELECT 1 FROM ${tableName(target, facts)} t WHERE t.${facts.quote(key)} = s.v)`
    const answer = await database.query({ name: null, text, readOnly: true }, [], null).catch(() => null)
    if (answer !== null) orphans.set(`${sourceOf(relation)}.${column}`, Number(answer.rows[0]?.[0]))
  }
  return advice.map((one) => {
    const found = one.rule === 'missing-foreign-key' ? orphans.get(one.subject) : undefined
    if (found === undefined) return one
    return { ...one, message: `${one.message}. Of the first ${SAMPLED_ROWS} rows, ${found} refer to no row` }
  })
}
