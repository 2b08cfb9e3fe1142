import type { Database } from '../../contract/database.ts'
import type { DatabaseModel } from '../../contract/database-model.ts'
import { quoteName } from '../../introspect/crud/quote-name.ts'
import { sourceOf } from '../../introspect/qualified.ts'
import type { Advice } from './advice.ts'
import { findMissingReferences } from './advise-keys.ts'
import { tableName } from './create-index.ts'

/** Rows of a table that are read. */
const ROWS = 10_000

/** Adds to advice on missing foreign keys how many of the first rows refer to no row. Reads the tables. */
export async function sampleOrphans(
  database: Database,
  model: DatabaseModel,
  advice: readonly Advice[],
): Promise<readonly Advice[]> {
  const orphans = new Map<string, number>()
  for (const { relation, column, target, key } of findMissingReferences(model)) {
    const own = quoteName(column)
    const text =
      `SELECT count(*) FROM (SELECT ${own} AS v FROM ${tableName(relation)} WHERE ${own} IS NOT NULL LIMIT ${ROWS}) s ` +
      `WHERE NOT EXISTS (SELECT 1 FROM ${tableName(target)} t WHERE t.${quoteName(key)} = s.v)`
    const answer = await database.query({ name: null, text, readOnly: true }, [], null).catch(() => null)
    if (answer !== null) orphans.set(`${sourceOf(relation)}.${column}`, Number(answer.rows[0]?.[0]))
  }
  return advice.map((one) => {
    const found = one.rule === 'missing-foreign-key' ? orphans.get(one.subject) : undefined
    if (found === undefined) return one
    return { ...one, message: `${one.message}. Of the first ${ROWS} rows, ${found} refer to no row` }
  })
}
