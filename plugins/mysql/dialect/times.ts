import { momentText } from './slot-values.ts'

/** Converts a DATETIME, or a text with a point in time, to the form `2026-01-31T12:00:00.5+00:00`. @throws Error */
export function readDateTime(text: string): string {
  const moment = momentText(text)
  return `${moment.slice(0, 10)}T${trimFraction(moment.slice(11))}+00:00`
}

/** Returns the date of a DATE or DATETIME, in UTC. @throws Error */
export function readDate(text: string): string {
  return momentText(text).slice(0, 10)
}

const TIME = /^(-?\d{2,3}):([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?$/

/** Converts a TIME to the form `12:30:00.5`. @throws Error when the text is no time */
export function readTime(text: string): string {
  const [, hours, minutes, seconds = '00'] = TIME.exec(text) ?? []
  if (hours === undefined) throw new Error(`invalid input syntax for type time: ${JSON.stringify(text.slice(0, 80))}`)
  return trimFraction(`${hours}:${minutes}:${seconds}`)
}

function trimFraction(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
