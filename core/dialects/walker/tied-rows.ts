import type { Tie } from '../../contract/plan/condition.ts'
import type { SourceRow } from '../../contract/plan/stored-value.ts'
import { identifier, join, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import { tiedColumns, writeCondition } from './condition.ts'
import { type Emission, nextAlias, openSourceRow, sourceOf } from './emission.ts'
import { fenceRelations } from './fence-relations.ts'
import { whereOf } from './rows.ts'

/** Related rows of all parents at once. */
export interface TiedRows {
  /** The text after FROM. */
  readonly from: SqlFragment
  /** Conditions that join the rows to the join table; empty without one. */
  readonly conditions: readonly SqlFragment[]
  /** Columns of the key of the parent: in these rows (`inner`), and in the parent (`outer`). */
  readonly keys: readonly { readonly inner: SqlFragment; readonly outer: SqlFragment }[]
}

/**
 * Writes the related rows of all parents with the key of their parent, for databases whose subqueries in FROM cannot
 * refer to the parent. A row that several rows of a join table connect with a parent counts once.
 * @param row the related row, which must be open
 */
export function tiedRows(emission: Emission, tie: Tie, row: SourceRow): TiedRows {
  const source = sourceOf(emission, row)
  const { through } = tie
  if (through === undefined) return { from: source, conditions: [], keys: tiedColumns(emission, tie) }
  openSourceRow(emission, through.row)
  const keys = tiedColumns(emission, tie)
  const { rules } = through
  const conditions = fenceRelations(emission, rules, () => rules.map((rule) => writeCondition(emission, rule)))
  const pairs = tiedColumns(emission, { ...through.pairs[0]!, also: through.pairs.slice(1) })
  const alias = nextAlias(emission)
  const keyOf = (index: number): SqlFragment => sql`${alias}.${identifier(`k${index + 1}`)}`
  const pairOf = (index: number): SqlFragment => sql`${alias}.${identifier(`p${index + 1}`)}`
  const columns = [
    ...keys.map(({ inner }, index) => sql`${inner} AS ${identifier(`k${index + 1}`)}`),
    ...pairs.map(({ outer }, index) => sql`${outer} AS ${identifier(`p${index + 1}`)}`),
  ]
  const connections = sql`(SELECT DISTINCT ${join(columns, ', ')} FROM ${sourceOf(emission, through.row)}${whereOf(conditions)}) ${alias}`
  return {
    from: sql`${connections} JOIN ${source}`,
    conditions: pairs.map(({ inner }, index) => sql`${inner} = ${pairOf(index)}`),
    keys: keys.map(({ outer }, index) => ({ inner: keyOf(index), outer })),
  }
}
