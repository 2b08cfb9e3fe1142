import { parseFloat64 } from '../scalar-number.ts'
import { parseDate } from '../scalar-time.ts'
import { parseDuration } from './duration.ts'
import { isObjectOf, number, refuse, type SemanticScalar, text } from './semantic-scalar.ts'

function dateOf(value: unknown): string | null {
  try {
    return parseDate(value)
  } catch {
    return null
  }
}

/** An empty range, as PostgreSQL writes it. */
const EMPTY = 'empty'
const MOST_CHARACTERS = 60

/**
 * Checks a date range from a client: a range literal of PostgreSQL, or `{ start, end }` with both ends included.
 * Returns it as a range literal.
 * @throws Error if the value is no date range
 */
export function parseDateRange(value: unknown): string {
  if (value === EMPTY) return value
  const match =
    typeof value === 'string' && value.length <= MOST_CHARACTERS
      ? /^([[(])\s*([\d-]*)\s*,\s*([\d-]*)\s*([\])])$/.exec(value)
      : null
  let [open, start, end, close] = match === null ? [] : match.slice(1)
  if (isObjectOf(value, ['start', 'end']) && (value.start !== null || value.end !== null)) {
    ;[open, start, end, close] = ['[', bound(value.start), bound(value.end), ']']
  }
  const fits = (date: string | undefined): boolean => date === '' || dateOf(date) !== null
  if (
    start !== undefined &&
    end !== undefined &&
    fits(start) &&
    fits(end) &&
    (start === '' || end === '' || start <= end)
  )
    return `${open}${start},${end}${close}`
  throw refuse(
    { name: 'DateRange', example: '"[2026-01-01,2026-02-01)" or { start: "2026-01-01", end: "2026-01-31" }' },
    'two days, the first not after the second',
    value,
  )
}

/** Converts a bound. `null` = unbounded. */
function bound(value: unknown): string | undefined {
  return value === null ? '' : typeof value === 'string' ? value : undefined
}

export const EXTENT: readonly SemanticScalar[] = [
  text({
    name: 'LTree',
    description: 'A path in a tree: labels of letters, digits and `_` with dots between them.',
    specifiedByUrl: 'https://www.postgresql.org/docs/current/ltree.html',
    columns: ['ltree'],
    example: '"top.science.astronomy"',
    wants: 'labels of letters, digits and _ with dots between them',
    check: /^[A-Za-z0-9_]{1,255}(?:\.[A-Za-z0-9_]{1,255})*$/,
  }),
  {
    name: 'DateRange',
    description: 'A range of days, `"[2026-01-01,2026-02-01)"`. `{ start, end }` with both ends in it is taken, too.',
    specifiedByUrl: 'https://www.postgresql.org/docs/current/rangetypes.html',
    base: 'String',
    columns: ['daterange'],
    unordered: true,
    example: '"[2026-01-01,2026-02-01)"',
    parse: parseDateRange,
  },
  {
    name: 'Duration',
    description: "A length of time in ISO 8601. The database's own text of an interval is taken, too.",
    specifiedByUrl: 'https://www.iso.org/iso-8601-date-and-time-format.html',
    base: 'String',
    columns: ['interval'],
    unordered: true,
    example: '"PT1H30M"',
    parse: parseDuration,
  },
  number({
    name: 'Percentage',
    description: 'A share of a hundred, from 0 to 100.',
    base: 'Float',
    example: '12.5',
    wants: 'a number from 0 to 100',
    of: parseFloat64,
    bounds: { min: 0, max: 100 },
  }),
]
