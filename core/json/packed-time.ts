const ISO = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:([+-]\d\d)((?::\d\d)*))?( BC)?$/
const ISO_DATE = /^\d{4,}-\d\d-\d\d( BC)?$/

/**
 * PostgreSQL's text of a `timestamptz` or `timestamp` as its JSON: years of five digits, before Christ, infinite, in any
 * zone.
 * @returns `null`: the session has another `DateStyle` than ISO
 */
export function jsonOfTimestamp(text: string): string | null {
  if (isInfinite(text)) return text
  const match = ISO.exec(text)
  if (match === null) return null
  const [, date, time, hours = '', rest = '', era = ''] = match
  return `${date}T${time}${hours}${hours !== '' && rest === '' ? ':00' : rest}${era}`
}

/** The same for a `date`. */
export function jsonOfDate(text: string): string | null {
  return ISO_DATE.test(text) || isInfinite(text) ? text : null
}

function isInfinite(text: string): boolean {
  return text === 'infinity' || text === '-infinity'
}
