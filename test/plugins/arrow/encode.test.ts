import t from 'tap'
import { daysOf } from '../../../plugins/arrow/encode/calendar.ts'
import { encodeBool } from '../../../plugins/arrow/encode/encode-bool.ts'
import { encodeDays } from '../../../plugins/arrow/encode/encode-days.ts'
import { encodeDecimals } from '../../../plugins/arrow/encode/encode-decimals.ts'
import { encodeFloats } from '../../../plugins/arrow/encode/encode-floats.ts'
import { encodeInt32 } from '../../../plugins/arrow/encode/encode-int32.ts'
import { encodeInt64 } from '../../../plugins/arrow/encode/encode-int64.ts'
import { encodeText } from '../../../plugins/arrow/encode/encode-text.ts'
import { encodeTimes } from '../../../plugins/arrow/encode/encode-times.ts'
import { encodeTimestamps } from '../../../plugins/arrow/encode/encode-timestamps.ts'

/** Words of 32 bits, the lowest first, as one number. */
function wide(words: ArrayLike<number>, width: number): readonly bigint[] {
  const values: bigint[] = []
  for (let at = 0; at < words.length; at += width) {
    let value = 0n
    for (let word = width - 1; word >= 0; word--) value = (value << 32n) | BigInt(words[at + word]! >>> 0)
    values.push(BigInt.asIntN(32 * width, value))
  }
  return values
}

t.test('integers of 64 bits, around the ends of each way to write them', async (t) => {
  const sure = ['0', '-1', '1', '2147483647', '2147483648', '-2147483648', '-2147483649', '4294967295', '4294967296']
  const edges = ['-4294967296', '-4294967297', '999999999999999', '-99999999999999', '1000000000000000']
  const ends = ['9007199254740993', '-9007199254740993', '9223372036854775807', '-9223372036854775808']
  const texts = [...sure, ...edges, ...ends]
  t.strictSame([...(encodeInt64(texts).data as BigInt64Array)], texts.map(BigInt))
  for (const none of ['9223372036854775808', '1.5', '', '-', '--1', '1-', 'NaN', '0x10', ' 1', '1.2345678901234567'])
    t.throws(() => encodeInt64([none]), RangeError, none)
})

t.test('decimals of 128 bits', async (t) => {
  const texts = ['0', '-0.01', '1.5', '-12345678.90', '99999999999999999999.99', '-99999999999999999999.99', '0.1']
  const found = wide(encodeDecimals(texts, 2).data as Uint32Array, 4)
  t.strictSame(found, [0n, -1n, 150n, -1234567890n, 9999999999999999999999n, -9999999999999999999999n, 10n])
  const nines = '9'.repeat(38)
  t.strictSame(wide(encodeDecimals([nines, `-${nines}`], 0).data as Uint32Array, 4), [BigInt(nines), -BigInt(nines)])
  t.throws(() => encodeDecimals(['1.234'], 2), /has 3 digits behind its point, where 2 may be/)
  for (const none of ['NaN', 'Infinity', '-', '1..2', '-.', '1.', '.5', '1e5', '9'.repeat(40)])
    t.throws(() => encodeDecimals([none], 2), RangeError, none)
})

t.test('points of time, near and far', async (t) => {
  const known: Readonly<Record<string, bigint>> = {
    '1970-01-01T00:00:00+00:00': 0n,
    '1969-12-31T23:59:59.999999+00:00': -1n,
    '2026-01-31T12:00:00.5Z': 1769860800500000n,
    '2026-01-31 12:00:00.123456789': 1769860800123456n,
    '2026-01-31T12:00:00+05:30': 1769841000000000n,
    '2026-01-31T12:00:00-0130': 1769866200000000n,
    '2026-01-31T12:00:00+02': 1769853600000000n,
    '0001-01-01T00:00:00+00:00': -62135596800000000n,
    '0001-12-31T00:00:00+00:00 BC': -62135683200000000n,
    '294276-12-31T23:59:59.999999+00:00': 9224318015999999999n,
    '4714-11-24T00:00:00+00:00 BC': -210866803200000000n,
  }
  for (const [text, micros] of Object.entries(known))
    if (micros < 9223372036854775807n)
      t.strictSame([...(encodeTimestamps([text]).data as BigInt64Array)], [micros], text)
  for (const none of [
    'infinity',
    '-infinity',
    '2026-01-31',
    '2026-01-31T12:00',
    '2026-01-31T12:00:00*02',
    '294277-01-01T00:00:00Z',
  ])
    t.throws(() => encodeTimestamps([none]), RangeError, none)
})

t.test('days are those of Date, four hundred years around', async (t) => {
  for (let day = -150_000; day < 150_000; day += 37) {
    const date = new Date(day * 86_400_000)
    const found = daysOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
    if (found !== day) t.fail(`${date.toISOString()}: ${found}, not ${day}`)
  }
  t.strictSame(
    [...(encodeDays(['1970-01-01', '12026-01-31', '0044-03-15 BC']).data as Int32Array)],
    [0, 3672909, -735160],
  )
  for (const none of ['infinity', '2026-1-1', '26-01-01', '']) t.throws(() => encodeDays([none]), RangeError, none)
})

t.test('times of day, truth, floats, small integers', async (t) => {
  t.strictSame(
    [...(encodeTimes(['00:00:00', '23:59:59.999999', '12:30:00.5']).data as BigInt64Array)],
    [0n, 86399999999n, 45000500000n],
  )
  for (const none of ['24:00:00', '12:30', 'x']) t.throws(() => encodeTimes([none]), RangeError, none)
  t.strictSame(
    [...(encodeBool(['true', 'false', null, 'true', 'true', 'true', 'true', 'true', 'true']).data as Uint8Array)],
    [0b1111_1001, 1],
  )
  t.throws(() => encodeBool(['1']), RangeError)
  t.strictSame(
    [...(encodeFloats(['1.5', '-Infinity', 'NaN', '5e-324']).data as Float64Array)],
    [1.5, -Infinity, NaN, 5e-324],
  )
  t.throws(() => encodeFloats(['x']), RangeError)
  t.strictSame([...(encodeInt32(['2147483647', '-2147483648', null]).data as Int32Array)], [2147483647, -2147483648, 0])
  for (const none of ['2147483648', '1.5', 'x']) t.throws(() => encodeInt32([none]), RangeError, none)
})

t.test('texts of bytes and of characters, and which are null', async (t) => {
  const plain = encodeText(['ab', null, '', 'c'])
  t.match(plain, { nullCount: 1, valueOffsets: new Int32Array([0, 2, 2, 2, 3]) })
  t.strictSame([...plain.nullBitmap!], [0b1101])
  const wider = encodeText(['é', '🦊', 'x'])
  t.strictSame([...wider.valueOffsets!], [0, 2, 6, 7])
  t.equal(Buffer.from(wider.data as Uint8Array).toString(), 'é🦊x')
  t.notOk('nullBitmap' in wider, 'without nulls nobody reads a bit')
  const many = Array.from({ length: 17 }, (_, i) => (i % 2 === 0 ? 'x' : null))
  t.strictSame([...encodeText(many).nullBitmap!], [0b0101_0101, 0b0101_0101, 1])
})
