import fc from 'fast-check'
import t from 'tap'
import { ExactNumber } from '../../../core/base/util/exact-number.ts'
import type { ScalarType } from '../../../core/schema/model.ts'
import { BUILTIN_SCALARS, findScalar, scalarOf } from '../../../core/schema/scalars.ts'

function parse(scalar: string, value: unknown): unknown {
  const builtin = findScalar(scalar)
  if (builtin === undefined) throw new Error(`no ${scalar}`)
  return builtin.parse(value)
}

t.test('every built-in scalar of the schema language is there, with a description', (t) => {
  t.strictSame(
    [...BUILTIN_SCALARS.keys()],
    ['ID', 'String', 'Int', 'Float', 'Boolean', 'DateTime', 'Date', 'Time', 'UUID', 'Decimal', 'BigInt', 'JSON'],
  )
  for (const [name, scalar] of BUILTIN_SCALARS) {
    t.equal(scalar.name, name)
    t.match(scalar.description, /\.$/)
  }
  t.end()
})

const taken: readonly [string, unknown, unknown][] = [
  ['ID', 'a', 'a'],
  ['ID', 17, '17'],
  ['String', '', ''],
  ['String', 'Grüße 🎉', 'Grüße 🎉'],
  ['Int', 2147483647, 2147483647],
  ['Int', -2147483648, -2147483648],
  ['Float', 1.5, 1.5],
  ['Float', 3, 3],
  ['Boolean', false, false],
  ['Date', '2024-02-29', '2024-02-29'],
  ['Date', 'infinity', 'infinity'],
  ['Date', '-infinity', '-infinity'],
  ['Date', '0044-03-15 BC', '0044-03-15 BC'],
  ['Date', '0001-02-29 BC', '0001-02-29 BC'],
  ['Date', '4713-01-01 BC', '4713-01-01 BC'],
  ['Date', '12026-01-01', '12026-01-01'],
  ['Date', '5874897-12-31', '5874897-12-31'],
  ['Time', '24:00:00', '24:00:00'],
  ['DateTime', 'infinity', 'infinity'],
  ['DateTime', '-infinity', '-infinity'],
  ['DateTime', '0044-03-15T12:00:00+00:00 BC', '0044-03-15T12:00:00+00:00 BC'],
  ['DateTime', '0044-03-15t12:00Z bc', '0044-03-15T12:00:00+00:00 BC'],
  ['DateTime', '294276-12-31T23:59:59.999999+00:00', '294276-12-31T23:59:59.999999+00:00'],
  ['DateTime', '10000-01-01 00:00', '10000-01-01T00:00:00+00:00'],
  ['Int', new ExactNumber('2.0'), 2],
  ['Float', new ExactNumber('1.10'), 1.1],
  ['Float', new ExactNumber('0.0'), 0],
  ['BigInt', new ExactNumber('7.0'), '7'],
  ['ID', new ExactNumber('7.0'), '7'],
  ['Decimal', new ExactNumber('1.10'), '1.10'],
  ['Time', '07:05', '07:05:00'],
  ['Time', '23:59:59.123', '23:59:59.123'],
  ['DateTime', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00+00:00'],
  ['DateTime', '2026-01-31T12:00:00', '2026-01-31T12:00:00+00:00'],
  ['DateTime', '2026-01-31 12:00', '2026-01-31T12:00:00+00:00'],
  ['DateTime', '2026-01-31', '2026-01-31T00:00:00+00:00'],
  ['DateTime', '2026-01-31T23:30:15.123456-01:00', '2026-02-01T00:30:15.123456+00:00'],
  ['DateTime', '2024-03-01T00:00:00+0530', '2024-02-29T18:30:00+00:00'],
  ['DateTime', '2024-03-01t00:00:00+05', '2024-02-29T19:00:00+00:00'],
  ['UUID', '3B241101-E2BB-4255-8CAF-4136C566A962', '3b241101-e2bb-4255-8caf-4136c566a962'],
  ['Decimal', '12.50', '12.50'],
  ['Decimal', '-0.00000000000000000000000000000001', '-0.00000000000000000000000000000001'],
  ['Decimal', '1e3', '1e3'],
  ['Decimal', 12.5, '12.5'],
  ['Decimal', 9007199254740991, '9007199254740991'],
  ['BigInt', 42, '42'],
  ['BigInt', '9223372036854775807', '9223372036854775807'],
  ['BigInt', '-9223372036854775808', '-9223372036854775808'],
  ['BigInt', '007', '7'],
  ['JSON', { a: [1, null] }, { a: [1, null] }],
  ['ID', new ExactNumber('12345678901234567890'), '12345678901234567890'],
  ['Decimal', new ExactNumber('0.1234567890123456789'), '0.1234567890123456789'],
  ['Decimal', new ExactNumber('1e400'), '1e400'],
  ['BigInt', new ExactNumber('9007199254740993'), '9007199254740993'],
  ['Float', new ExactNumber('0.1234567890123456789'), 0.12345678901234568],
  ['JSON', null, null],
  ['JSON', { '\\u0000': '\\ud800 \u{1f600}' }, { '\\u0000': '\\ud800 \u{1f600}' }],
  ['Email', 'ann+shop@mail.example.org', 'ann+shop@mail.example.org'],
]
for (const [scalar, value, expected] of taken) {
  t.test(`${scalar} takes ${JSON.stringify(value)}`, (t) => {
    t.strictSame(parse(scalar, value), expected)
    t.end()
  })
}

const refused: readonly [string, unknown, string][] = [
  ['ID', true, 'ID cannot represent value: true'],
  ['ID', 1.5, 'ID cannot represent value: 1.5'],
  ['ID', 'a\u0000b', 'ID cannot hold the character U+0000'],
  ['String', 5, 'String cannot represent a non string value: 5'],
  ['String', 'a\u0000', 'String cannot hold the character U+0000'],
  ['String', '\ud800', 'String cannot hold half of a surrogate pair'],
  ['Int', '5', 'Int cannot represent non-integer value: "5"'],
  ['Int', 1.5, 'Int cannot represent non-integer value: 1.5'],
  ['Int', 2147483648, 'Int cannot represent non 32-bit signed integer value: 2147483648'],
  ['Int', -2147483649, 'Int cannot represent non 32-bit signed integer value: -2147483649'],
  ['Float', 'NaN', 'Float cannot represent non numeric value: "NaN"'],
  ['Float', Number.NaN, 'Float cannot represent non numeric value: null'],
  ['Float', new ExactNumber('1e400'), 'Float cannot represent 1e400: it is outside of what 64 bits can hold'],
  ['Float', new ExactNumber('-1e-400'), 'Float cannot represent -1e-400: it is outside of what 64 bits can hold'],
  [
    'Int',
    new ExactNumber('12345678901234567890'),
    'Int cannot represent non 32-bit signed integer value: 12345678901234567890',
  ],
  ['Int', new ExactNumber('1.0000000000000000001'), 'Int cannot represent non-integer value: 1.0000000000000000001'],
  ['ID', new ExactNumber('1.0000000000000000001'), 'ID cannot represent value: 1.0000000000000000001'],
  [
    'BigInt',
    new ExactNumber('12345678901234567890'),
    'BigInt cannot represent non 64-bit signed integer value: "12345678901234567890"',
  ],
  ['JSON', [new ExactNumber('1e9999')], 'JSON cannot hold the number 1e9999'],
  ['String', new ExactNumber('1e400'), 'String cannot represent a non string value: 1e400'],
  ['Boolean', 1, 'Boolean cannot represent a non boolean value: 1'],
  ['Date', '2023-02-29', 'Date must be a day of the calendar as "YYYY-MM-DD", not "2023-02-29"'],
  ['Date', '1900-02-29', 'Date must be a day of the calendar as "YYYY-MM-DD", not "1900-02-29"'],
  ['Date', '2023-13-01', 'Date must be a day of the calendar as "YYYY-MM-DD", not "2023-13-01"'],
  ['Date', '0000-01-01', 'Date must be a day of the calendar as "YYYY-MM-DD", not "0000-01-01"'],
  ['Time', '24:00', 'Time must be "HH:MM", "HH:MM:SS" or "HH:MM:SS.fff", not "24:00"'],
  ['Date', 'Infinity', 'Date must be a day of the calendar as "YYYY-MM-DD", not "Infinity"'],
  ['Date', 'infinity ', 'Date must be a day of the calendar as "YYYY-MM-DD", not "infinity "'],
  ['Date', 'inf', 'Date must be a day of the calendar as "YYYY-MM-DD", not "inf"'],
  ['Date', '0002-02-29 BC', 'Date must be a day of the calendar as "YYYY-MM-DD", not "0002-02-29 BC"'],
  ['Date', '0000-01-01 BC', 'Date must be a day of the calendar as "YYYY-MM-DD", not "0000-01-01 BC"'],
  ['Date', '4714-01-01 BC', 'Date must be a day of the calendar as "YYYY-MM-DD", not "4714-01-01 BC"'],
  ['Date', '09999-01-01', 'Date must be a day of the calendar as "YYYY-MM-DD", not "09999-01-01"'],
  ['Date', '5874898-01-01', 'Date must be a day of the calendar as "YYYY-MM-DD", not "5874898-01-01"'],
  ['Date', '12026-13-01', 'Date must be a day of the calendar as "YYYY-MM-DD", not "12026-13-01"'],
  ['Date', '0044-03-15 AD', 'Date must be a day of the calendar as "YYYY-MM-DD", not "0044-03-15 AD"'],
  ['Date', '0044-03-15BC', 'Date must be a day of the calendar as "YYYY-MM-DD", not "0044-03-15BC"'],
  ['DateTime', 'Infinity', 'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "Infinity"'],
  ['DateTime', '0044-03-15 BC', 'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "0044-03-15 BC"'],
  [
    'DateTime',
    '0044-03-15T12:00:00+01:00 BC',
    'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "0044-03-15T12:00:00+01:00 BC"',
  ],
  [
    'DateTime',
    '294277-01-01T00:00:00Z',
    'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "294277-01-01T00:00:00Z"',
  ],
  [
    'DateTime',
    '12026-01-01T24:00:00Z',
    'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "12026-01-01T24:00:00Z"',
  ],
  [
    'DateTime',
    '09999-01-01T00:00:00Z',
    'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "09999-01-01T00:00:00Z"',
  ],
  [
    'DateTime',
    '12026-02-30T00:00:00Z',
    'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "12026-02-30T00:00:00Z"',
  ],
  ['Time', '24:00:01', 'Time must be "HH:MM", "HH:MM:SS" or "HH:MM:SS.fff", not "24:00:01"'],
  ['DateTime', 5, 'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not 5'],
  [
    'DateTime',
    '2026-01-31T25:00Z',
    'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "2026-01-31T25:00Z"',
  ],
  ['DateTime', '2026-01-31X12:00', 'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "2026-01-31X12:00"'],
  [
    'DateTime',
    '2026-01-31T12:00+99:00',
    'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "2026-01-31T12:00+99:00"',
  ],
  [
    'DateTime',
    '0001-01-01T00:00+01:00',
    'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "0001-01-01T00:00+01:00"',
  ],
  ['DateTime', 'now', 'DateTime must be ISO 8601 such as "2026-01-31T12:00:00Z", not "now"'],
  [
    'UUID',
    '3b241101e2bb42558caf4136c566a962',
    'UUID must look like "3b241101-e2bb-4255-8caf-4136c566a962", not "3b241101e2bb42558caf4136c566a962"',
  ],
  ['Decimal', 'NaN', 'Decimal must be a number as text, such as "12.50", not "NaN"'],
  ['Decimal', 'Infinity', 'Decimal must be a number as text, such as "12.50", not "Infinity"'],
  ['Decimal', Number.POSITIVE_INFINITY, 'Decimal must be a number as text, such as "12.50", not null'],
  ['Decimal', '1e99999', 'Decimal must be a number as text, such as "12.50", not "1e99999"'],
  ['Decimal', '1e9999', 'Decimal must be a number as text, such as "12.50", not "1e9999"'],
  ['Decimal', 0.1 + 0.2, 'Decimal cannot be exact as the JSON number 0.30000000000000004: send it as a string'],
  ['BigInt', 1.5, 'BigInt cannot represent non-integer value: 1.5'],
  ['BigInt', 2 ** 53, 'BigInt cannot be exact as the JSON number 9007199254740992: send it as a string'],
  ['BigInt', 'x', 'BigInt must be an integer, as a number or as text, not "x"'],
  ['BigInt', '9223372036854775808', 'BigInt cannot represent non 64-bit signed integer value: "9223372036854775808"'],
  ['JSON', undefined, 'JSON cannot represent this value'],
  ['JSON', 'a\u0000', 'JSON cannot hold the character U+0000'],
  ['JSON', { a: [{ '\u0000': 1 }] }, 'JSON cannot hold the character U+0000'],
  ['JSON', ['\ud800'], 'JSON cannot hold half of a surrogate pair'],
  ['JSON', { '\udc00': 1 }, 'JSON cannot hold half of a surrogate pair'],
  ['Email', 'nobody', 'Email must be an e-mail address, such as "name@example.org", not "nobody"'],
  ['Email', 'a@b', 'Email must be an e-mail address, such as "name@example.org", not "a@b"'],
]
for (const [scalar, value, message] of refused) {
  t.test(`${scalar} refuses ${String(JSON.stringify(value))}`, (t) => {
    t.throws(() => parse(scalar, value), new Error(message))
    t.end()
  })
}

t.test('a refused value is cut in the message', (t) => {
  t.throws(() => parse('Int', 'x'.repeat(5000)), { message: /^.{100,200}…$/ })
  t.end()
})

t.test('a DateTime with an offset is the same instant in UTC', (t) => {
  const two = (n: number) => String(n).padStart(2, '0')
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
      fc.integer({ min: -15 * 60, max: 15 * 60 }),
      (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
        const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
        return Date.parse(parse('DateTime', local + zone) as string) === date.getTime()
      },
    ),
  )
  t.end()
})

const custom = (codec: ScalarType['codec'], base = 'String'): ScalarType => ({
  kind: 'scalar',
  name: 'Isbn',
  description: 'A book number.',
  specifiedByUrl: undefined,
  base,
  custom: true,
  codec,
})

t.test('a custom scalar takes everything from its base', (t) => {
  const scalar = scalarOf(custom(null, 'Decimal'))
  t.equal(scalar.name, 'Isbn')
  t.equal(scalar.group, 'number')
  t.equal(scalar.documentCast, 'numeric')
  t.equal(scalar.parse('1.0'), '1.0')
  t.end()
})

t.test('a custom scalar parses first, and its value must still be one of the base', (t) => {
  const type = custom({ parse: (value) => (value === 'bad' ? 5 : String(value).replaceAll('-', '')) })
  t.equal(scalarOf(type), scalarOf(type), 'made once')
  t.equal(scalarOf(type).parse('978-3-16'), '978316')
  t.throws(() => scalarOf(type).parse('bad'), { message: 'String cannot represent a non string value: 5' })
  t.end()
})

t.test('a built-in scalar of a schema is the one of the table', (t) => {
  const type: ScalarType = { ...custom(null, 'Int'), name: 'Int', custom: false }
  t.equal(scalarOf(type), BUILTIN_SCALARS.get('Int'))
  t.throws(() => scalarOf(custom(null, 'Nope')), {
    message: 'Scalar Isbn is based on Nope, which is not a built-in scalar',
  })
  t.end()
})
