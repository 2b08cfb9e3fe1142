const WIRE = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d*[1-9])?\+00:00$/
const DATETIME =
  /^((?!0000)\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,9})?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?)?$/i
const TIME =
  /^(?:([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,9})?)?|(24:00)(?::00)?)(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/i

/**
 * Converts a stored timestamp to UTC in the form `2026-01-31T12:00:00.5+00:00`. Texts in this form sort by time.
 * @throws Error when the text is not a timestamp; SQLite reports it for the statement
 */
export function readDateTime(text: string): string {
  if (WIRE.test(text) || isInfinite(text)) return text
  const match = DATETIME.exec(text)
  const [, day = '', minutes = '00:00', seconds = ':00', fraction = '', , sign, hours = '0', rest = '0'] = match ?? []
  const start = Date.parse(`${day}T${minutes}${seconds}Z`)
  if (match === null || Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day) {
    throw unreadable('timestamp', text)
  }
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(rest)) * 60_000
  return `${new Date(start - offset).toISOString().slice(0, 19)}${trimFraction(fraction)}+00:00`
}

/**
 * Returns the date of a stored date or timestamp, in UTC.
 * @throws Error when the text is neither; SQLite reports it for the statement
 */
export function readDate(text: string): string {
  return isInfinite(text) ? text : readDateTime(text).slice(0, 10)
}

/** Infinite times sort correctly as texts: a minus sorts before every digit, and a letter after it. */
function isInfinite(text: string): boolean {
  return text === 'infinity' || text === '-infinity'
}

/**
 * Converts a stored time of day to the form `12:30:00.5`, without trailing zeros and without its
 * zone, as PostgreSQL does.
 * @throws Error when the text is not a time; SQLite reports it for the statement
 */
export function readTime(text: string): string {
  const [, hours, minutes, seconds = '00', fraction = '', end] = TIME.exec(text) ?? []
  if (end !== undefined) return `${end}:00`
  if (hours === undefined) throw unreadable('time', text)
  return `${hours}:${minutes}:${seconds}${trimFraction(fraction)}`
}

function trimFraction(fraction: string): string {
  return fraction.replace(/\.?0+$/, '')
}

function unreadable(type: string, text: string): Error {
  return new Error(`invalid input syntax for type ${type}: ${JSON.stringify(text.slice(0, 80))}`)
}
