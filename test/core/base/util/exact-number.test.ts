import fc from 'fast-check'
import t from 'tap'
import { ExactNumber, numberOf, parseJson, withoutZeros, writeJson } from '../../../../core/base/util/exact-number.ts'

/** The digits that came in come out. */
const through = (text: string): string => writeJson(parseJson(text))

t.test('numbers that a double holds stay numbers', async (t) => {
  for (const token of [
    '0',
    '-0.0',
    '1',
    '-12.5',
    '1e3',
    '0.1',
    '9007199254740991',
    '0.30000000000000004',
    '1e22',
    '5E-300',
  ]) {
    t.equal(Array.isArray(parseJson(`[ ${token}]`)) && (parseJson(`[${token}]`) as unknown[])[0], Number(token), token)
  }
  t.strictSame(parseJson('{"a":[1,"1e400",{"b":-2.5}]}'), { a: [1, '1e400', { b: -2.5 }] })
})

t.test('the others keep their digits, wherever they stand', async (t) => {
  const tokens = [
    '12345678901234567890',
    '0.1234567890123456789',
    '1e400',
    '-1E+400',
    '1e-400',
    '9007199254740992',
    '-9007199254740992',
    '100000000000000000000',
    '9007199254740993',
    '1.00000000000000000001',
    '1e-320',
  ]
  for (const token of tokens) {
    t.equal(String(numberOf(token)), token)
    for (const text of [`[${token}]`, `{"a":${token}}`, `{"a":{"b":[1,${token},"x"]}}`, `[\n${token}\n]`]) {
      t.equal(through(text).replaceAll(/\s/g, ''), text.replaceAll(/\s/g, ''), text)
    }
    t.ok((parseJson(`[ ${token} ]`) as unknown[])[0] instanceof ExactNumber, token)
  }
})

t.test('zeros at the end of a fraction are kept on request', async (t) => {
  const keep = (text: string): string => writeJson(parseJson(text, true))
  for (const text of ['1.10', '[1.0]', '{"a":-0.50,"b":[2.500,3]}', '{"a":1.0e2}', '{"a": 1.10}', '[0.0]', '10.00']) {
    t.equal(keep(text), text.replaceAll(' ', ''), text)
  }
  for (const text of ['[10]', '[1.01]', '["1.10"]', '["a: 1.10"]', '[100, 0.1]', '{"1.10":1.5}']) {
    t.strictSame(parseJson(text, true), JSON.parse(text), text)
  }
  t.strictSame(parseJson('[1.10]'), [1.1], 'not without it')
  t.equal(withoutZeros(numberOf('1.10', true)), 1.1)
  t.equal(withoutZeros(numberOf('0.0', true)), 0)
  t.equal(String(withoutZeros(numberOf('12345678901234567890.0', true))), '12345678901234567890.0')
})

t.test('an object that only looks like an exact number is unchanged', async (t) => {
  for (const text of [
    '["12345678901234567890"]',
    '[": 12345678901234567890"]',
    '["\\\\",": 1e400"]',
    '["\\": 1e400"]',
    '[":1e400",1e3]',
  ]) {
    t.strictSame(parseJson(text), JSON.parse(text), text)
  }
  t.strictSame(through('[":1e400",12345678901234567890,"\\":2e400"]'), '[":1e400",12345678901234567890,"\\":2e400"]')
  t.strictSame(Object.getPrototypeOf(parseJson('{"__proto__":12345678901234567890}')), Object.prototype)
  t.throws(() => parseJson('[1e400'), SyntaxError)
})

t.test('no text of a client becomes a number', async (t) => {
  const inside = String((parseJson('[12345678901234567890]') as unknown[])[0])
  t.equal(inside, '12345678901234567890')
  t.equal(JSON.stringify(parseJson('[1e400]')), '["1e400"]', 'JSON.stringify has only a string for it')
  t.throws(
    () =>
      writeJson({
        toJSON: () => {
          throw new Error('no')
        },
      }),
    /no/,
  )
  t.equal(JSON.stringify(parseJson('[1e400]')), '["1e400"]', 'nor after a failure')
})

t.test('any JSON is read as JSON.parse reads it, when no number is too long', async (t) => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), (text) => {
      const plain: unknown = JSON.parse(text)
      t.strictSame(JSON.parse(writeJson(parseJson(text))), plain)
    }),
    { numRuns: 300 },
  )
})
