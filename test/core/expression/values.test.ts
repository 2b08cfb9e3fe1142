import t from 'tap'
import { decimalText, toDecimal } from '../../../core/expression/decimal.ts'
import { toTimeOfDay } from '../../../core/expression/instant.ts'
import { compareValues } from '../../../core/expression/value.ts'

t.test('a time of day: each part has its own bound', (t) => {
  for (const text of ['24:00', '23:59', '23:59:60', '00:00:00.000000001']) t.not(toTimeOfDay(text), null, text)
  for (const text of ['25:00', '23:60', '23:59:61', '9:30', '09:30:00.', '']) t.equal(toTimeOfDay(text), null, text)
  t.strictSame(toTimeOfDay('01:02:03.004000005'), { ms: 3_723_004, nanoseconds: 5 })
  t.end()
})

t.test('texts stand in the order of their characters, times in the order of time', (t) => {
  const order = (a: unknown, b: unknown) => Math.sign(compareValues(a, b) ?? Number.NaN)
  for (const [less, more] of [
    ['a', 'b'],
    ['B', 'a'],
    ['a', 'aa'],
    ['09:30', '10:00:00.0'],
    ['2026-12-01T11:00:00+02:00', '2026-12-01T10:00:00Z'],
    [2, 10],
    [-3, -2],
  ]) {
    t.equal(order(less, more), -1, `${less} before ${more}`)
    t.equal(order(more, less), 1, `${more} after ${less}`)
    t.equal(order(less, less), 0, `${less} beside itself`)
  }
  for (const [a, b] of [
    [2, 'a'],
    ['a', null],
    [true, 'a'],
  ])
    t.equal(compareValues(a, b), null, `${a} and ${b} have no order`)
  t.end()
})

t.test('a number as a text is the number that was read', (t) => {
  for (const text of ['0', '1.50', '-1.50', '-0.05', '-12', '12345678901234567890.10'])
    t.equal(decimalText(toDecimal(text)!), text)
  t.equal(decimalText(toDecimal('-2e3')!), '-2000')
  t.end()
})
