import type { Direction, SortKey } from '../../contract/plan/read-plan.ts'
import type { Slot } from '../../contract/slot.ts'
import { FALSE, join, parameter, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { PageKey } from '../page-sql.ts'

/** A sort key of a page, with its value in the cursor. */
export interface SeekTerm {
  readonly value: SqlFragment
  readonly descending: boolean
  readonly nullable: boolean
  readonly nullsFirst: boolean
  /** SQL of the key's value in the cursor; `null`: that value is NULL. */
  readonly at: SqlFragment | null
}

/** The SQL condition that selects the rows after a cursor, as a whole and in parts. */
export interface Seek {
  readonly condition: SqlFragment
  /**
   * The same condition, split so that no row meets two of the parts, in sort order. Each part is a range of an index.
   */
  readonly ranges: readonly SqlFragment[]
}

/**
 * Makes a term of {@link seek} from a sort key. If the direction does not say where NULLs are, they sort as larger than
 * all values.
 * @param slot value of the key in the cursor; `null`: that value is NULL
 */
export function seekTerm(
  key: PageKey,
  term: Pick<SortKey, 'nullable'>,
  direction: Direction,
  slot: Slot | null,
): SeekTerm {
  const descending = direction.startsWith('DESC')
  return {
    value: key.value,
    descending,
    nullable: term.nullable,
    nullsFirst: direction.endsWith('FIRST') || (descending && !direction.endsWith('LAST')),
    at: slot === null ? null : key.operand(parameter(slot)),
  }
}

/**
 * Writes the condition for rows after the row of a cursor. The sort keys must order all rows without ties.
 *
 * If all keys have the same direction and no NULL can follow a value, it is one row comparison, which an index
 * supports. Otherwise it is a chain: after in the first key, or equal there and after in the next one. The condition on
 * the first key is repeated in front, so that an index can start at it. Rows whose first key is NULL are a separate
 * range.
 */
export function seek(terms: readonly SeekTerm[]): Seek {
  const row = rowComparison(terms)
  if (row !== null) return { condition: row, ranges: [row] }
  const [first, ...rest] = terms
  if (first === undefined) return { condition: FALSE, ranges: [FALSE] }
  const nulls = sql`${first.value} IS NULL`
  if (first.at === null) {
    const same = andBehind(nulls, rest)
    if (!first.nullsFirst) return { condition: same, ranges: [same] }
    const values = sql`${first.value} IS NOT NULL`
    return { condition: either(same, values), ranges: [same, values] }
  }
  const behind = behindValue(first, rest)
  if (!hasNullsBehind(first)) return { condition: behind, ranges: [behind] }
  return { condition: either(behind, nulls), ranges: [behind, nulls] }
}

function hasNullsBehind({ nullable, nullsFirst }: SeekTerm): boolean {
  return nullable && !nullsFirst
}

/** Writes a row comparison. A null in the first position makes it null, which is correct: that row does not come after the cursor. */
function rowComparison(terms: readonly SeekTerm[]): SqlFragment | null {
  const [first] = terms
  const operands: SqlFragment[] = []
  for (const term of terms) {
    if (term.at === null || hasNullsBehind(term) || term.descending !== first?.descending) return null
    operands.push(term.at)
  }
  if (first === undefined) return null
  return compare(
    terms.map(({ value }) => value),
    operands,
    first.descending,
  )
}

function compare(values: readonly SqlFragment[], operands: readonly SqlFragment[], descending: boolean): SqlFragment {
  const [left, right] = [tuple(values), tuple(operands)]
  return descending ? sql`${left} < ${right}` : sql`${left} > ${right}`
}

function tuple(items: readonly SqlFragment[]): SqlFragment {
  return items.length === 1 ? items[0]! : sql`(${join(items, ', ')})`
}

/** Writes the rows after the cursor among those with a value in the first key. */
function behindValue(first: SeekTerm, rest: readonly SeekTerm[]): SqlFragment {
  const at = first.at!
  const strictly = compare([first.value], [at], first.descending)
  if (rest.length === 0) return strictly
  const from = first.descending ? sql`${first.value} <= ${at}` : sql`${first.value} >= ${at}`
  return sql`${from} AND ${either(strictly, seek(rest).condition)}`
}

function andBehind(condition: SqlFragment, rest: readonly SeekTerm[]): SqlFragment {
  return rest.length === 0 ? FALSE : sql`${condition} AND ${seek(rest).condition}`
}

function either(one: SqlFragment, other: SqlFragment): SqlFragment {
  return sql`(${one} OR ${other})`
}
