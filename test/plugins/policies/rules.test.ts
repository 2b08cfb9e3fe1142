import t from 'tap'
import { yearsBetween } from '../../../core/expression/instant.ts'
import { evaluateRule, type FieldOf } from '../../../plugins/policies/evaluate-rule.ts'
import { measured } from '../../../plugins/policies/object-functions.ts'
import { type PolicyUser, policyUserOf } from '../../../plugins/policies/policy-user.ts'
import { objectPaths, parseRule } from '../../../plugins/policies/rule-tree.ts'
import { authOf, type TestCaller } from '../../helpers/test-credential.ts'

const BASES: Readonly<Record<string, string>> = {
  owner_id: 'ID',
  level: 'Int',
  price: 'Decimal',
  public: 'Boolean',
  day: 'Date',
}
const fieldOf: FieldOf = (path) =>
  path.map((name) => ({ wireName: name, named: { kind: 'scalar', base: BASES[name] ?? 'String' } }) as never)
const NOW = Date.UTC(2026, 0, 31, 12)
const says = (
  rule: string,
  caller: TestCaller | null,
  user: PolicyUser | null = policyUserOf(caller && authOf(caller)),
) => evaluateRule(parseRule(rule), user, NOW, fieldOf)

t.test('conditions on the caller are decided at once; conditions on the row become a filter', async (t) => {
  const ann = {
    subject: 'ann',
    roles: ['hr', 'x'],
    scopes: ['a'],
    claims: { level: 3, dept: 'it', nested: { id: 7 }, 'https://example.com/claims': { 'x-role': 'boss' } },
  }
  for (const [rule, expected] of [
    ['user.id == "ann"', true],
    ['user.dept == "it" and user.level >= 3', true],
    ['contains(user.roles, "hr")', true],
    ['"hr" in user.roles', true],
    ['"admin" in user.roles', false],
    ['user.role == "hr"', true],
    ['user.nested.id == 7', true],
    ['user."https://example.com/claims"."x-role" == "boss"', true],
    ['user."https://example.com/claims"."x-role" == object.dept', { dept: { _eq: 'boss' } }],
    ['matches(user.dept, /^i/)', true],
    ['user.id == object.owner_id', { owner_id: { _eq: 'ann' } }],
    ['object.owner_id == user.id', { owner_id: { _eq: 'ann' } }],
    ['3 < object.level', { level: { _gt: 3 } }],
    ['object.level <= user.level', { level: { _lte: 3 } }],
    ['not (object.level < user.level)', { level: { _gte: 3 } }],
    ['object.price > 9.50', { price: { _gt: '9.50' } }],
    ['object.day == today()', { day: { _eq: '2026-01-31' } }],
    ['object.public', { public: { _eq: true } }],
    ['not object.public', { public: { _neq: true } }],
    ['object.author.name == user.id', { author: { name: { _eq: 'ann' } } }],
    ['object.dept in user.roles', { dept: { _in: ['hr', 'x'] } }],
    ['contains(["a", "b"], object.dept)', { dept: { _in: ['a', 'b'] } }],
    ['not (object.dept in ["a"])', { dept: { _nin: ['a'] } }],
    ['object.dept == null', { dept: { _is_null: true } }],
    ['object.dept != null', { dept: { _is_null: false } }],
    ['user.id == object.owner_id or "hr" in user.roles', true],
    ['user.id == object.owner_id and "boss" in user.roles', false],
    ['object.public or user.id == object.owner_id', { _or: [{ public: { _eq: true } }, { owner_id: { _eq: 'ann' } }] }],
    ['not (object.public or object.level > 2)', { _and: [{ public: { _neq: true } }, { level: { _lte: 2 } }] }],
  ] as const) {
    t.strictSame(says(rule, ann), expected, rule)
  }
})

t.test('absence denies in every form of a condition', async (t) => {
  for (const rule of [
    'user.id == object.owner_id',
    'user.id != object.owner_id',
    'not (user.id == object.owner_id)',
    'object.dept in user.departments',
    'not (object.dept in user.departments)',
    'user.a == user.b',
    'user.a != user.b',
    'not (user.suspended == true)',
    'not user.suspended',
    'not matches(user.email, /x/)',
  ]) {
    t.equal(says(rule, null), false, `${rule}: nobody`)
    if (!rule.includes('user.id')) t.equal(says(rule, {}), false, `${rule}: who does not carry it`)
  }
  t.strictSame(says('object.public or user.id == object.owner_id', null), { public: { _eq: true } })
  t.equal(says('user.suspended == null', {}), true, 'to ask for absence')
  t.equal(says('object.dept in []', {}), false)
  t.equal(says('not (object.level in user.roles)', { roles: ['x'] }), false, 'a list that does not fit the field')
})

t.test('names that every object has are nothing, in claims and out of them', async (t) => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']) {
    t.equal(says(`user.${name} != null`, {}), false, name)
    t.equal(says(`user.nested.${name} != null`, { claims: { nested: {} } }), false, `nested ${name}`)
  }
  const user = policyUserOf({
    ...authOf({}),
    claims: JSON.parse('{"sub":"ann","__proto__":{"admin":true},"roles":["admin"]}'),
  })
  t.equal(says('user.admin == true', {}, user), false, 'a claim that is called __proto__ gives no others')
  t.equal(says('"admin" in user.roles', {}, user), false, 'a claim that is called roles makes no role')
  t.equal(says('"constructor" in user.roles', { roles: ['constructor'] }), true, 'a role may have any name')
  t.equal(says('user.id == "ann"', { claims: { id: 'root' } }), true, 'the id is the subject’s')
  t.equal(({} as Record<string, unknown>).admin, undefined)
})

t.test('functions of a field of the row become filters on the field', async (t) => {
  // It is 2026-01-31.
  const cases: readonly (readonly [string, unknown])[] = [
    ['age(object.day) >= 18', { day: { _lt: '2008-02-01' } }],
    ['age(object.day) > 17', { day: { _lt: '2008-02-01' } }],
    ['18 <= age(object.day)', { day: { _lt: '2008-02-01' } }],
    ['age(object.day) < 18', { day: { _gte: '2008-02-01' } }],
    ['not (age(object.day) >= 18)', { day: { _gte: '2008-02-01' } }],
    ['age(object.day) <= 17.5', { day: { _gte: '2008-02-01' } }],
    ['age(object.day) >= 17.5', { day: { _lt: '2008-02-01' } }],
    ['age(object.day) == 0', { day: { _lt: '2026-02-01', _gte: '2025-02-01' } }],
    ['age(object.day) != 0', { _or: [{ day: { _gte: '2026-02-01' } }, { day: { _lt: '2025-02-01' } }] }],
    ['age(object.day) == 0.5', false],
    ['age(object.day) == null', { day: { _is_null: true } }],
    ['age(object.day) != 0.5', { day: { _is_null: false } }],
    ['age(object.day) >= user.least', { day: { _lt: '2008-02-01' } }],
    ['age(object.day) >= user.absent', false],
    ['not (age(object.day) >= user.absent)', false],
    ['age(object.day) >= user.word', false],
    ['age(object.day) >= 99999', false],
    ['age(object.day) < 99999', { day: { _is_null: false } }],
    ['age(object.day, user.since) <= 1', { day: { _gte: '2026-01-09', _lt: '2026-01-12' } }],
    ['age(object.day, user.since) > 1', { _or: [{ day: { _lt: '2026-01-09' } }, { day: { _gte: '2026-01-12' } }] }],
    ['age(object.day, user.since) == 0', { day: { _gte: '2026-01-10', _lt: '2026-01-11' } }],
    [
      'age(object.day, user.since) == 2',
      {
        _or: [{ day: { _gte: '2026-01-08', _lt: '2026-01-09' } }, { day: { _gte: '2026-01-12', _lt: '2026-01-13' } }],
      },
    ],
    ['age(object.day, user.since) >= 2', { _or: [{ day: { _lt: '2026-01-09' } }, { day: { _gte: '2026-01-12' } }] }],
    ['age(object.day, user.since) < 2', { day: { _gte: '2026-01-09', _lt: '2026-01-12' } }],
    ['age(object.day, user.since) == -1', false],
    ['age(object.day, user.since) >= 0', { day: { _is_null: false } }],
    ['age(object.day, user.since) < 0', false],
    ['age(object.day, user.word) < 3', false],
    ['length(object.dept) >= 2', { dept: { _like: '__%' } }],
    ['length(object.dept) < 2', { dept: { _nlike: '__%' } }],
    ['length(object.dept) == 3', { dept: { _like: '___' } }],
    ['length(object.dept) != 0', { dept: { _like: '_%' } }],
    ['length(object.dept) < 0', false],
    ['contains(object.dept, user.word)', { dept: { _contains: 'soon' } }],
    ['not contains(object.dept, "x")', { _not: { dept: { _contains: 'x' } } }],
    ['contains(object.dept, user.absent)', false],
    ['not contains(object.dept, user.absent)', false],
    ['not contains(object.dept, 3)', false],
    ['object.author.name.contains("x")', { author: { name: { _contains: 'x' } } }],
  ]
  const user = { subject: 'ann', claims: { least: 18, since: '2026-01-10T23:00:00Z', word: 'soon' } }
  for (const [rule, expected] of cases) t.strictSame(says(rule, user), expected, rule)
})

t.test('birthdays are counted as the expression language counts them', async (t) => {
  const day = (text: string) => ({ ms: Date.parse(text), nanoseconds: 0 })
  for (const today of ['2026-01-31', '2024-02-29', '2023-02-28', '2023-03-01', '2026-03-31', '2025-12-31']) {
    for (let years = 0; years < 9; years++) {
      const [leaf] = measured(
        'years',
        '>=',
        years,
        { named: { kind: 'scalar', base: 'Date' } as never, list: false },
        day(today).ms,
      )
      for (let offset = -3; offset <= 3; offset++) {
        const born = new Date(Date.parse(String(leaf!._lt)) + offset * 86_400_000).toISOString().slice(0, 10)
        t.equal(born < String(leaf!._lt), yearsBetween(day(born), day(today)) >= years, `${born} on ${today}: ${years}`)
      }
    }
  }
})

t.test('a claim in another form of the same value is compared as that value', async (t) => {
  const claims = { text: '5', number: 5, decimal: '9.50', flag: true, word: 'true', date: '2026-01-31' }
  for (const [rule, expected] of [
    ['object.level == user.text', { level: { _eq: 5 } }],
    ['object.level == user.number', { level: { _eq: 5 } }],
    ['object.price == user.decimal', { price: { _eq: '9.50' } }],
    ['object.price == user.number', { price: { _eq: '5' } }],
    ['object.price == user.word', false],
    ['object.owner_id == user.number', { owner_id: { _eq: '5' } }],
    ['object.owner_id == user.flag', false],
    ['object.public == user.flag', { public: { _eq: true } }],
    ['object.public == user.word', false],
    ['object.day == user.date', { day: { _eq: '2026-01-31' } }],
    ['object.day == user.number', false],
  ] as const) {
    t.strictSame(says(rule, { claims }), expected, rule)
  }
})

t.test('a claim that is no value of the field is equal to nothing', async (t) => {
  for (const rule of [
    'object.level == user.id',
    'object.day == user.id',
    'object.public == user.id',
    'object.level < user.big',
  ]) {
    t.equal(says(rule, { subject: 'service-x', claims: { big: 9_000_000_000 } }), false, rule)
    t.equal(says(`not (${rule})`, { subject: 'service-x', claims: { big: 9_000_000_000 } }), false, `not (${rule})`)
  }
  t.strictSame(says('object.level in user.levels', { claims: { levels: [1, 'x', 2] } }), { level: { _in: [1, 2] } })
  t.equal(says('not (object.level in user.levels)', { claims: { levels: [1, 'x'] } }), false)
})

t.test('a condition that a row cannot answer is refused with the column', async (t) => {
  for (const [rule, message] of [
    ['object.a == object.b', /column \d+: two fields of object/],
    ['length(object.a, 3) > 3', /length\(\) takes a field of object/],
    ['age(object.a, object.b) > 3', /age\(\) takes a field of object, and beside it what is known of the user/],
    ['contains(object.a)', /contains/],
    ['age(3) > object.a + 1', /a field of object stands by itself/],
    ['is_date(object.a)', /column 1: this cannot be asked of a row/],
    ['matches(object.a, /x/)', /column 1: this cannot be asked of a row/],
    ['user.id in object.members', /column \d+: a list of object/],
    ['object == 3', /a field of object stands by itself/],
    ['usr.id == 3', /there is no "usr" here/],
    ['user == 3', /there is no "user" here/],
    ['user.id = 3', /To compare, write "=="/],
    ['matches(user.id, /(a+)+$/)', undefined],
    [`${'('.repeat(200)}true${')'.repeat(200)}`, /nested deeper/],
    [`user.id == "${'x'.repeat(2000)}"`, /longer than 1000 bytes/],
  ] as const) {
    if (message === undefined) t.doesNotThrow(() => parseRule(rule))
    else t.throws(() => parseRule(rule), { message }, rule)
  }
})

t.test('an expression of a pattern costs time in proportion to the text', async (t) => {
  const rule = 'matches(user.id, /^(a+)+$/)'
  const ask = (length: number) => {
    const began = performance.now()
    says(rule, { subject: `${'a'.repeat(length)}!` })
    return performance.now() - began
  }
  t.ok(ask(2000) < 1000, 'no backtracking')
  t.strictSame(objectPaths(parseRule(rule)), [])
})
