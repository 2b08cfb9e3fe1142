import t from 'tap'
import { decimalKey } from '../../../plugins/sqlite/child/decimal-key.ts'
import { readDate, readDateTime, readTime } from '../../../plugins/sqlite/child/read-time.ts'

t.test('keys of decimals sort as the decimals do', async (t) => {
  const sorted = '-1e30 -100 -10.51 -10.5 -1 -0.51 -0.5 -0.05 0 1e-20 0.05 0.5 0.51 1 9.99 10 10.5 99 100 1e30'.split(
    ' ',
  )
  const keys = sorted.map(decimalKey)
  t.strictSame([...keys].sort(), keys)
  t.equal(new Set(keys).size, keys.length)
  for (const same of ['1.10', '+1.1', '01.1', '0.11e1', '110e-2']) t.equal(decimalKey(same), decimalKey('1.1'), same)
  for (const zero of ['-0', '0.000', '0e5']) t.equal(decimalKey(zero), decimalKey('0'), zero)
  for (const none of ['', '.', 'x', '1,5', 'NaN']) t.throws(() => decimalKey(none), /numeric/, none)
})

t.test('points in time have one form', async (t) => {
  for (const [text, form] of [
    ['2024-01-01T10:00:00.120+00:00', '2024-01-01T10:00:00.12+00:00'],
    ['2024-01-01 10:00:00', '2024-01-01T10:00:00+00:00'],
    ['2024-01-01T01:30+02', '2023-12-31T23:30:00+00:00'],
    ['2024-01-01T01:30:05.5-0130', '2024-01-01T03:00:05.5+00:00'],
    ['2024-01-01T01:30:05.000Z', '2024-01-01T01:30:05+00:00'],
    ['2024-02-29', '2024-02-29T00:00:00+00:00'],
  ] as const) {
    t.equal(readDateTime(text), form, text)
  }
  for (const none of ['', 'soon', '2023-02-29', '2024-01-01T25:00:00Z', '1700000000']) {
    t.throws(() => readDateTime(none), /timestamp/, none)
  }
  t.equal(readDate('2024-01-01T01:30+02'), '2023-12-31')
  t.equal(readTime('08:30'), '08:30:00')
  t.equal(readTime('08:30:01.50'), '08:30:01.5')
  t.equal(readTime('08:30+02'), '08:30:00', 'without its zone, as PostgreSQL reads it')
  for (const end of ['24:00', '24:00:00', '24:00Z']) t.equal(readTime(end), '24:00:00')
  for (const none of ['', '24:01', '8:30', '08:60', '08:30+15', '08:30 am'])
    t.throws(() => readTime(none), /time/, none)
})
