import type { CountOf, Direction, KeyedPage, Keyset, SortedPage } from '../../contract/plan/read-plan.ts'
import type { StoredValue } from '../../contract/plan/stored-value.ts'
import type { Slot } from '../../contract/slot.ts'
import { EMPTY, join, parameter, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { PageKey } from '../page-sql.ts'
import { aliasOf, type Emission, plainOf, sourceOf, sqlValueOf } from './emission.ts'
import { operator } from './operands.ts'
import { countOf, whereOf } from './rows.ts'
import { type Seek, seek, seekTerm } from './seek.ts'

/** SQL for a page of rows that is read with cursors (keyset pagination). */
export interface OpenKeyset {
  readonly key: SqlFragment
  /** `true` if it is proven that the key is never NULL. */
  readonly notNull: boolean
  /** SQL of a cursor's content, before base64: the text of the key, or a JSON array of the texts of all sort keys. */
  readonly cursor: SqlFragment
  /** PostgreSQL type of `cursor`; `null`: its text may be long. */
  readonly cursorType: string | null
  readonly size: SqlFragment
  readonly sizePlusOne: SqlFragment
  /**
   * Conditions for the rows after the start of the page. No row meets two of them. Each one is a range of an index in
   * the order of the page. Empty: there is no start, or it is in `bounds`.
   */
  readonly starts: readonly SqlFragment[]
  /** Further conditions on the cursors of the page. All of them must be true. */
  readonly bounds: readonly SqlFragment[]
  /** Sort keys of the page, without the keyword ORDER BY. */
  readonly order: SqlFragment
}

export function openKeyset(emission: Emission, keyset: Keyset): OpenKeyset {
  return keyset.by === 'key' ? openKey(emission, keyset) : openOrder(emission, keyset)
}

/**
 * Writes `source WHERE … ORDER BY … LIMIT …` for FROM. It returns the rows of a page, and one more row if there is a
 * next page.
 * @param conditions conditions of the rows without those of the cursors
 */
export function pageRows(
  emission: Emission,
  from: CountOf,
  { starts, bounds, order, sizePlusOne }: OpenKeyset,
  conditions: readonly SqlFragment[],
): SqlFragment {
  const source = sourceOf(emission, from.row)
  const page = sql` ORDER BY ${order}${emission.dialect.page(sizePlusOne, null)}`
  const [only = [], ...others] = starts.map((start) => [start])
  const rows = (start: readonly SqlFragment[]): SqlFragment =>
    sql`${source}${whereOf([...conditions, ...start, ...bounds])}${page}`
  if (others.length === 0) return rows(only)
  // Each range is a subquery of its own, so that each can use the index.
  const all = [only, ...others].map((start) => sql`SELECT * FROM (SELECT * FROM ${rows(start)}) u$`)
  const alias = aliasOf(emission, from.row)
  return sql`(${all.reduce((left, right) => sql`${left} UNION ALL ${right}`)}) ${alias}${page}`
}

function openKey(emission: Emission, keyset: KeyedPage): OpenKeyset {
  const { dialect } = emission
  const { type, after, before, forward } = keyset
  const value = sqlValueOf(emission, keyset.key)
  const key = value.from === 'column' ? value.sql : dialect.cast(value.text, type ?? 'int8')
  const tie = keyset.tie === null ? null : plainOf(sqlValueOf(emission, keyset.tie.value))
  const both = tie === null ? key : sql`(${key}, ${tie})`
  const types = keyset.tie === null ? [type] : [type, keyset.tie.type]
  const bounds: SqlFragment[] = []
  const bound = (id: string, slots: readonly Slot[]): void => {
    const parts = slots.map((slot, index) => {
      const own = types[index] ?? null
      return own === null ? parameter(slot) : dialect.cast(parameter(slot), own)
    })
    const operand = parts.length === 1 ? parts[0]! : sql`(${join(parts, ', ')})`
    bounds.push(operator(emission, id)({ value: both, text: both }, { sql: operand, yes: false }))
  }
  if (after !== null) bound('_gt', after)
  if (before !== null) bound('_lt', before)
  const direction = forward ? sql` ASC` : sql` DESC`
  return {
    key,
    notNull: value.from === 'column' && value.notNull,
    cursor: tie === null ? key : dialect.textArray([key, tie]),
    cursorType: tie === null ? type : null,
    size: countOf(emission, keyset.size),
    sizePlusOne: countOf(emission, keyset.sizePlusOne),
    starts: [],
    bounds,
    order: tie === null ? sql`${key}${direction}` : sql`${key}${direction}, ${tie}${direction}`,
  }
}

/** The opposite of each direction. */
const TURNED: Readonly<Record<Direction, Direction>> = {
  ASC: 'DESC',
  DESC: 'ASC',
  ASC_NULLS_FIRST: 'DESC_NULLS_LAST',
  ASC_NULLS_LAST: 'DESC_NULLS_FIRST',
  DESC_NULLS_FIRST: 'ASC_NULLS_LAST',
  DESC_NULLS_LAST: 'ASC_NULLS_FIRST',
}

/** Returns a digest of all values of a row as a sort key. It identifies rows whose key is not proven unique. */
function digestKey(emission: Emission, values: readonly StoredValue[]): PageKey {
  const { dialect } = emission
  const value = dialect.digest(values.map((one) => plainOf(sqlValueOf(emission, one))))
  return { value, text: value, operand: (slot) => dialect.cast(slot, 'text') }
}

function openOrder(emission: Emission, keyset: SortedPage): OpenKeyset {
  const { dialect } = emission
  const { forward, terms, after, before, marks } = keyset
  const keys = terms.map(({ target }) => dialect.sortKey(target, sqlValueOf(emission, target.value)))
  const wanted = terms.map(({ direction, nullable }) => ({ direction, nullable }))
  if (keyset.digest !== null) {
    keys.push(digestKey(emission, keyset.digest))
    wanted.push({ direction: wanted.at(-1)?.direction ?? 'ASC', nullable: false })
  }
  const directions = wanted.map(({ direction }) => (forward ? direction : TURNED[direction]))
  const order = keys.map(({ value }, index) => dialect.orderTerm(value, directions[index]!, wanted[index]!.nullable))
  const bound = (slots: readonly (Slot | null)[] | null, way: (direction: Direction) => Direction): Seek | null => {
    if (slots === null) return null
    return seek(slots.map((slot, index) => seekTerm(keys[index]!, wanted[index]!, way(directions[index]!), slot)))
  }
  const start = bound(forward ? after : before, (direction) => direction)
  const end = bound(forward ? before : after, (direction) => TURNED[direction])
  const texts = marks.map((mark) => dialect.cast(parameter(mark), 'text'))
  return {
    key: keys.at(-1)?.value ?? EMPTY,
    notNull: false,
    cursor: dialect.textArray([...texts, ...keys.map(({ text }) => text)]),
    cursorType: null,
    size: countOf(emission, keyset.size),
    sizePlusOne: countOf(emission, keyset.sizePlusOne),
    starts: start?.ranges ?? [],
    bounds: end === null ? [] : [end.condition],
    order: join(order, ', '),
  }
}
