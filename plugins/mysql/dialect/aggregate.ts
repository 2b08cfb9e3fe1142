import type {
  AggregateFunction,
  ComparedKeys,
  GroupKey,
  LookupTexts,
  Period,
  SqlFragment,
  SqlValue,
  Target,
} from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { comparable, type KeyComparable } from './comparable.ts'
import type { Flavour } from './flavour.ts'
import { cast } from './forms.ts'
import { listOf, orNull, tableOf } from './json.ts'
import { type Kind, kindOf, kindOfType, NUMBERS, WRITTEN } from './kind.ts'

function typeOf(target: Target, value: SqlValue): string | null {
  return value.from === 'column' ? value.type : target.type
}

/** Column types of the values that {@link comparable} converts texts of documents to. */
const CONVERTED: Partial<Record<Kind, string>> = {
  datetime: 'timestamptz',
  date: 'date',
  time: 'time',
  boolean: 'bool',
}

/** Writes a GROUP BY key. Texts are grouped by the collation of their column. */
export function groupKey(flavour: Flavour, target: Target, value: SqlValue, period: Period | null): GroupKey {
  const { value: compared } = comparable(flavour, target, value)
  if (period !== null) {
    const start = startOf(compared, period)
    return { by: start, value: start, type: period === 'hour' ? 'timestamptz' : 'date' }
  }
  const type = typeOf(target, value)
  if (value.from === 'column') return { by: compared, value: sql`MIN(${value.sql})`, type }
  const kind = kindOf(target.named, type)
  // These texts do not sort as their values do, and have several forms.
  const typed = CONVERTED[kind]
  if (typed !== undefined) return { by: compared, value: compared, type: typed }
  // A number in a document is shown as written.
  const isWritten = kind === 'integer' || kind === 'real' || kind === 'decimal'
  const shown = isWritten ? sql`CASE WHEN ${compared} IS NOT NULL THEN ${value.text} END` : value.text
  return { by: compared, value: sql`MIN(${shown})`, type: isWritten ? WRITTEN : type }
}

function startOf(time: SqlFragment, period: Period): SqlFragment {
  switch (period) {
    case 'year':
      return sql`CAST(DATE_FORMAT(${time}, '%Y-01-01') AS DATE)`
    case 'quarter':
      return sql`CAST(CONCAT(DATE_FORMAT(${time}, '%Y-'), QUARTER(${time}) * 3 - 2, '-01') AS DATE)`
    case 'month':
      return sql`CAST(DATE_FORMAT(${time}, '%Y-%m-01') AS DATE)`
    case 'week':
      return sql`(CAST(${time} AS DATE) - INTERVAL WEEKDAY(${time}) DAY)`
    case 'day':
      return sql`CAST(${time} AS DATE)`
    case 'hour':
      return sql`CAST(DATE_FORMAT(${time}, '%Y-%m-%d %H:00:00') AS DATETIME)`
  }
}

export function measure(
  flavour: Flavour,
  name: AggregateFunction,
  target: Target,
  value: SqlValue,
): Pick<GroupKey, 'value' | 'type'> {
  const { value: compared } = comparable(flavour, target, value)
  const base = target.named?.kind === 'scalar' ? target.named.base : ''
  const isExact = base === 'Int' || base === 'BigInt' || base === 'Decimal'
  const stored = typeOf(target, value)
  // A decimal that was a text has thirty digits behind the point.
  const isRead = base === 'Decimal' && (value.from === 'document' || !NUMBERS.has(kindOfType(stored)))
  const type = isRead ? 'average' : stored
  switch (name) {
    case 'count':
      return { value: sql`COUNT(${compared})`, type: 'int8' }
    case 'countDistinct':
      return { value: sql`COUNT(DISTINCT ${compared})`, type: 'int8' }
    case 'sum':
      return { value: sql`SUM(${compared})`, type: isRead ? 'average' : isExact ? 'numeric' : 'float8' }
    case 'avg':
      // The server adds four digits to those of the value.
      return isExact
        ? { value: sql`AVG(CAST(${compared} AS DECIMAL(65,16)))`, type: 'average' }
        : { value: sql`AVG(${compared})`, type: 'float8' }
    case 'min':
      return { value: sql`MIN(${compared})`, type }
    case 'max':
      return { value: sql`MAX(${compared})`, type }
  }
}

/**
 * Writes a list with one element per requested key, in their order.
 * @param parts columns of the key, with the values to look up
 * @param alias alias of the list of keys
 * @param element writes one element, from the conditions that find its row and the given key values
 * @param given the key values as texts
 */
export function rowPerKey(
  parts: readonly ComparedKeys[],
  alias: SqlFragment,
  element: (matches: readonly SqlFragment[], given: readonly SqlFragment[]) => SqlFragment,
  given: readonly LookupTexts[],
): SqlFragment {
  const itemOf = (list: SqlFragment): SqlFragment => sql`JSON_EXTRACT(${list}, CONCAT('$[', ${alias}.n - 1, ']'))`
  const [first] = parts
  const row = element(
    parts.map(({ keys, target }, index) => {
      const own = target as KeyComparable
      // The iterated list already provides the value.
      const json = index === 0 ? sql`${alias}.j` : itemOf(own.keys(keys))
      return sql`${own.value} IN (${own.item(json)})`
    }),
    given.map(({ texts, type }) => cast(sql`JSON_UNQUOTE(${itemOf(texts)})`, type)),
  )
  const list = listOf(orNull(row), sql` ORDER BY ${alias}.n`)
  return sql`(SELECT ${list} FROM ${tableOf((first!.target as KeyComparable).keys(first!.keys), alias)})`
}
