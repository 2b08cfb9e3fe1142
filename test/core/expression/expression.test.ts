import fc from 'fast-check'
import t from 'tap'
import { ExactNumber } from '../../../core/base/util/exact-number.ts'
import { compileExpression, type ExpressionScope } from '../../../core/expression/compile-expression.ts'
import { ExpressionFailure, ExpressionFault } from '../../../core/expression/expression-fault.ts'

type Facts = Readonly<Record<string, unknown>>
const NAMES = ['age_years', 'name', 'price', 'born', 'due', 'tags', 'user', 'missing', 'on', 'opens']
const scope: ExpressionScope<Facts> = {
  variable: (name) => (NAMES.includes(name) ? (of) => of[name] : null),
  names: () => NAMES,
}
const NOW = Date.UTC(2026, 10, 22, 12)
const FACTS: Facts = {
  age_years: 18,
  name: 'Zoë 😀',
  price: new ExactNumber('12345678901234567890.10'),
  born: '2008-11-22',
  due: '2026-12-01T10:00:00+02:00',
  tags: ['red', 'blue'],
  user: { id: 'u1', roles: ['admin'], level: 3, nested: { deep: true } },
  on: true,
  opens: '09:30:00.0',
}
const test = (source: string, facts: Facts = FACTS) => compileExpression(source, scope).test(facts, NOW)

const TRUE = [
  'true',
  'age_years == 18',
  'age_years >= 18 and age_years < 19',
  'age_years == 18 && !(age_years != 18)',
  'not age_years == 19',
  '!!on',
  'on == true and on != false and true in [on]',
  'false or true and true',
  'true or missing',
  "name == 'Zoë 😀'",
  'length(name) == 5',
  'length(name) / 5 / 1 == 1',
  'length(tags) == 2',
  'length(missing) == null',
  'price == 12345678901234567890.1',
  'price > 12345678901234567890.09',
  '0.1 + 0.2 == 0.3',
  '2 + 3 * 4 == 14',
  '(2 + 3) * 4 == 20',
  '10 - 3 - 2 == 5',
  '7 % 4 == 3',
  '1 / 4 == 0.25',
  '-age_years == -18',
  '- - 3 == 3',
  '1e3 == 1000',
  'age(born) == 18',
  "age(date(2026-01-01), '2026-01-31') == 30",
  'born < date(2008-11-23)',
  "due == '2026-12-01T08:00:00Z'",
  'due > now() and today() <= now()',
  "opens == '09:30' and opens in ['08:00', '09:30:00.000']",
  "opens < '10:00' and opens <= '09:30' and opens > '09:29:59.999999'",
  'today() == date(2026-11-22)',
  "contains(name, 'Zo')",
  "contains(tags, 'red')",
  "'red' in tags",
  "'red' in ['red', 'green']",
  'matches(name, /^Z\\p{L}+/)',
  "matches(name, 'o')",
  'matches(name, /[/]|Z/)',
  'is_string(name) and is_number(price) and is_date(born)',
  '!is_string(price) and !is_number(name) and !is_date(name)',
  'user.id == "u1" and user.nested.deep',
  "contains(user.roles, 'admin')",
  'user.roles.length == null',
  'user.constructor == null and user.__proto__ == null',
  'missing == null',
  'user.nothing.at.all == null',
  "'it\\'s' == \"it's\"",
  'missing != 5',
]
// Values of different types are not equal and have no order; a missing value is never greater or less.
const FALSE = [
  'false',
  'missing',
  "age_years == '18'",
  "age_years < '19'",
  'missing > 1',
  'missing <= 1',
  'missing + 1 > 0',
  'on > false',
  'on == 1',
  'name > 1',
  'tags == tags',
  'user == user',
  'matches(missing, /a/)',
  "contains(missing, 'a')",
  "'a' in missing",
  'contains(name, 1)',
  'age(missing) >= 18',
  "opens < '09:30'",
  'is_date(opens) or opens < date(2026-01-01)',
]
const FAILS = [
  'name',
  '1',
  'name and true',
  '!name',
  "'a' + 1 == 2",
  '1 / 0 == 1',
  '1 % 0 == 1',
  'length(1) == 1',
  'contains(1, 1)',
  'matches(1, /1/)',
  'age(name) > 1',
]

t.test('says what is true, and what is not', (t) => {
  for (const source of TRUE) t.equal(test(source), true, source)
  for (const source of FALSE) t.equal(test(source), false, source)
  t.end()
})

t.test('an evaluation without a result is a failure, so that its caller denies', (t) => {
  for (const source of FAILS) t.throws(() => test(source), ExpressionFailure, source)
  t.end()
})

t.test('a branch that is not evaluated cannot fail', (t) => {
  t.equal(test('false and 1 / 0 == 1'), false)
  t.equal(test('true or 1 / 0 == 1'), true)
  t.end()
})

const FAULTS: readonly (readonly [source: string, column: number, message: RegExp])[] = [
  ['', 1, /expected a value, got the end/],
  ['age_years = 18', 11, /To compare, write "=="/],
  ['on & on', 4, /Write "&&", or "and"/],
  ['age_yeras > 1', 1, /there is no "age_yeras" here\. Did you mean "age_years"\?/],
  ['on and zzzzzzzzzzz', 8, /There is: age_years, name/],
  ['lenght(name) > 1', 1, /there is no function "lenght"\. Did you mean "length"\?/],
  ['age() > 1', 1, /age\(\) wants 1 or 2 values, got 0/],
  ['length(name, name) > 1', 1, /length\(\) wants 1 value, got 2/],
  ['(on', 4, /expected "\)", got the end/],
  ['on)', 3, /unexpected "\)" after the expression/],
  ['on on', 4, /unexpected "on"/],
  ["name == 'open", 9, /is not closed/],
  ['1 < 2 < 3', 7, /two comparisons want "and"/],
  ['matches(name, name)', 15, /stands in the expression/],
  ['matches(name, /(/)', 15, /Unterminated group/],
  ['matches(name, /(a)\\1/)', 15, /linear time/],
  ['matches(name, /a', 15, /its \/ is missing/],
  ['/a/ == name', 1, /expected a value/],
  ['contains(/a/, name)', 10, /second argument of matches/],
  ['date(2024-02-30) == born', 1, /day of the calendar/],
  ['user. == 1', 7, /expected a name after "\."/],
  ['on and and on', 8, /expected a value, got "and"/],
  ['name == "€" ; DROP', 13, /unexpected ";"/],
  [`${'('.repeat(40)}on${')'.repeat(40)}`, 33, /nested deeper than 32 levels/],
  [`on${' or on'.repeat(200)}`, 1, /longer than 1000 bytes/],
]

t.test('a fault names its column and the way out', (t) => {
  for (const [source, column, message] of FAULTS) {
    t.throws(() => compileExpression(source, scope), { name: 'ExpressionFault', column, message }, source)
  }
  t.end()
})

t.test('any text compiles, or gives a fault with a column inside the text', (t) => {
  const word = fc.constantFrom(
    ...NAMES,
    ...TRUE,
    '(',
    ')',
    '[',
    ']',
    ',',
    '.',
    '==',
    '!',
    'not',
    'in',
    "'",
    '"',
    '/',
    '\\',
    '-',
    '1',
    '💥',
    '\u0000',
    '__proto__',
    'constructor',
    'toString()',
  )
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
      (source) => {
        try {
          const result = compileExpression(source, scope).test(FACTS, NOW)
          t.type(result, 'boolean')
        } catch (error) {
          if (error instanceof ExpressionFailure) return
          t.type(error, ExpressionFault)
          const { column } = error as ExpressionFault
          t.ok(column >= 1 && column <= source.length + 1, `${column} in ${source}`)
        }
      },
    ),
    { numRuns: 3000 },
  )
  t.end()
})

t.test('arithmetic is exact', (t) => {
  const digits = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 9 }))
  const text = ([value, scale]: readonly [bigint, number]) => `${value}e-${scale}`
  fc.assert(
    fc.property(digits, digits, (a, b) => {
      const facts = { price: new ExactNumber(text(a)), age_years: new ExactNumber(text(b)) }
      t.equal(test('price + age_years - age_years == price', facts), true)
      t.equal(test('price * age_years == age_years * price', facts), true)
      t.equal(test('price < age_years', facts), a[0] * 10n ** BigInt(b[1]) < b[0] * 10n ** BigInt(a[1]))
    }),
  )
  t.end()
})

t.test('functions of the scope, also behind a name', (t) => {
  const changed = { least: 1, most: 1, call: ([value]: readonly unknown[]) => value === 18 }
  const own = { ...scope, functions: new Map([['changed', changed]]) }
  t.equal(compileExpression('age_years.changed()', own).test(FACTS), true)
  t.equal(compileExpression('changed(price)', own).test(FACTS), false)
  t.throws(() => compileExpression('age_years.chagned()', own), { message: /Did you mean "changed"/ })
  t.end()
})
