import { dayEnd, daysAt, fractionEnd, microsAt, secondsAt, twoDigits } from './calendar.ts'
import { type Encoded, nullsOf, type Values } from './encoded.ts'
import { WideIntegers } from './wide-integers.ts'

const SECONDS_IN_DAY = 86_400
const MICROS = 1_000_000
/** Maximum number of seconds whose microseconds are an exact double. */
const SAFE_SECONDS = 9_000_000_000

/**
 * Encodes timestamp texts as microseconds since 1970-01-01T00:00:00Z, for the Arrow type Timestamp.
 * @throws RangeError for an invalid timestamp
 */
export function encodeTimestamps(values: Values): Encoded {
  const integers = new WideIntegers(values.length, 2)
  for (let i = 0; i < values.length; i++) {
    const text = values[i]
    if (text !== null && text !== undefined) setTimestamp(integers, i, text)
  }
  return { ...nullsOf(values), data: new BigInt64Array(integers.words.buffer) }
}

function setTimestamp(integers: WideIntegers, index: number, text: string): void {
  const day = dayEnd(text)
  const time = day + 1
  const fraction = time + 8
  const zone = fractionEnd(text, fraction)
  const seconds = daysAt(text, day) * SECONDS_IN_DAY + secondsAt(text, time) - offsetOf(text, zone)
  const micros = microsAt(text, fraction, zone)
  if (Math.abs(seconds) < SAFE_SECONDS) integers.setNumber(index, seconds * MICROS + micros)
  else integers.setBigInt(index, BigInt(seconds) * BigInt(MICROS) + BigInt(micros))
}

/** Reads the offset of a time zone from UTC, in seconds. */
function offsetOf(text: string, at: number): number {
  const sign = text[at]
  if (sign === undefined || sign === 'Z' || sign === ' ') return 0
  const minutes = text[at + 3] === ':' ? twoDigits(text, at + 4) : twoDigits(text, at + 3)
  const hours = twoDigits(text, at + 1)
  if ((sign !== '+' && sign !== '-') || Number.isNaN(hours)) throw new RangeError('has a zone that is none')
  const seconds = hours * 3600 + (Number.isNaN(minutes) ? 0 : minutes * 60)
  return sign === '-' ? -seconds : seconds
}
