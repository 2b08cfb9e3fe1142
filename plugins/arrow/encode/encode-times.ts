import { fractionEnd, microsAt, secondsAt } from './calendar.ts'
import { type Encoded, nullsOf, type Values } from './encoded.ts'
import { WideIntegers } from './wide-integers.ts'

const SECONDS_IN_DAY = 86_400

/**
 * Encodes texts of times of day as microseconds since midnight, for the Arrow type Time64.
 * @throws RangeError for an invalid time
 */
export function encodeTimes(values: Values): Encoded {
  const integers = new WideIntegers(values.length, 2)
  for (let i = 0; i < values.length; i++) {
    const text = values[i]
    if (text === null || text === undefined) continue
    const seconds = secondsAt(text, 0)
    if (seconds >= SECONDS_IN_DAY) throw new RangeError('is not within a day')
    integers.setNumber(i, seconds * 1_000_000 + microsAt(text, 8, fractionEnd(text, 8)))
  }
  return { ...nullsOf(values), data: new BigInt64Array(integers.words.buffer) }
}
