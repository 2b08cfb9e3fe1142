const ISO = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:([+-]\d\d)((?::\d\d)*))?( BC)?$/
const ISO_DATE = /^\d{4,}-\d\d-\d\d( BC)?$/

/**
 * Converts PostgreSQL's text of a `timestamptz` or `timestamp` to the text in its JSON: also years of five digits, BC,
 * infinity, and all time zones.
 * @returns `null` when the `DateStyle` of the session is not ISO
 */
export function jsonOfTimestamp(text: string): string | null {
  if (isInfinite(text)) return text
  const match = ISO.exec(text)
  if (match === null) return null
  const [, date, time, hours = '', rest = '', era = ''] = match
  return `${date}T${time}${hours}${hours !== '' && rest === '' ? ':00' : rest}${era}`
}

/** Converts PostgreSQL's text of a `date` in the same way. */
export function jsonOfDate(text: string): string | null {
  return ISO_DATE.test(text) || isInfinite(text) ? text : null
}

function isInfinite(text: string): boolean {
  return text === 'infinity' || text === '-infinity'
}
