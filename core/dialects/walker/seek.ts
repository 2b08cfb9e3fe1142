import type { Slot } from '../../contract/slot.ts'
import type { Direction, SortKey } from '../../plan/read-plan.ts'
import { FALSE, join, parameter, type SqlFragment, sql } from '../../sql/fragment.ts'
import type { PageKey } from '../primitives.ts'

/** One sort key and where the cursor stands in it. */
export interface SeekTerm {
  readonly value: SqlFragment
  readonly descending: boolean
  readonly nullable: boolean
  readonly nullsFirst: boolean
  /** `null`: the cursor stands at a row that has none. */
  readonly at: SqlFragment | null
}

/** The rows behind a cursor. */
export interface Seek {
  readonly condition: SqlFragment
  /** The same in parts that no row is in twice, each of which is a range of an index in that order. */
  readonly ranges: readonly SqlFragment[]
}

/** Nulls are larger than all values where the direction does not say. */
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
 * Rows behind the one at which the cursor stands, in an order that is total.
 *
 * Where all keys go one way and no null comes behind a value, it is one comparison of rows, which an index serves. Else it is
 * a chain: behind in the first key, or equal there and behind in the next; what the first key says is said in front again, so
 * that an index still knows where to begin. Rows whose first key is null are a range of their own.
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

/** A null that comes first makes the comparison null, as it should: its row is not behind. */
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

/** Among rows that have a value in the first key. */
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
