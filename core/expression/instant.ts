const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/

/**
 * A point in time: `ms` are milliseconds since 1970 in UTC. For a time of day, they are milliseconds since midnight.
 */
export interface Instant {
  readonly ms: number
  /** Nanoseconds after `ms`, from 0 to 999,999. */
  readonly nanoseconds: number
}

/**
 * Parses a date or a date with time in ISO 8601. A date without a time means midnight; a time without a zone
 * is UTC.
 * @returns `null` when the text is neither, or no valid date
 */
export function toInstant(text: string): Instant | null {
  const match = text.length > 40 ? null : ISO.exec(text)
  if (match === null) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return null
  const digits = fraction.padEnd(9, '0')
  const ms = date.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  return { ms: ms + Number(digits.slice(0, 3)) - offsetOf(zone), nanoseconds: Number(digits.slice(3)) }
}

const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/

/**
 * Parses a time of day without a zone, such as `09:30:15.5`, as the time since midnight.
 * @returns `null` when the text is no time
 */
export function toTimeOfDay(text: string): Instant | null {
  const match = TIME.exec(text)
  if (match === null) return null
  const [, hour, minute, second = '0', fraction = ''] = match
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return null
  const digits = fraction.padEnd(9, '0')
  const ms = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(digits.slice(0, 3))
  return { ms, nanoseconds: Number(digits.slice(3)) }
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || 0)
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

export function compareInstants(a: Instant, b: Instant): number {
  return a.ms - b.ms || a.nanoseconds - b.nanoseconds
}

/** Returns the number of completed years from one day to a later one, as for an age. Both are days in UTC. */
export function yearsBetween(from: Instant, to: Instant): number {
  const start = new Date(from.ms)
  const end = new Date(to.ms)
  const months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth()
  return Math.floor((end.getUTCDate() < start.getUTCDate() ? months - 1 : months) / 12)
}

const DAY_MS = 86_400_000

/** Returns the number of days between two days in UTC, regardless of their order and of the time of day. */
export function daysBetween(a: Instant, b: Instant): number {
  return Math.abs(Math.floor(a.ms / DAY_MS) - Math.floor(b.ms / DAY_MS))
}
