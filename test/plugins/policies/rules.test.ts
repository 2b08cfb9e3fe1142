import t from 'tap'
import { evaluateRule, type FieldOf } from '../../../plugins/policies/evaluate-rule.ts'
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

t.test('what is known of the caller is decided at once; what only the row can say becomes a filter', async (t) => {
  const ann = { subject: 'ann', roles: ['hr', 'x'], scopes: ['a'], claims: { level: 3, dept: 'it', nested: { id: 7 } } }
  for (const [rule, expected] of [
    ['user.id == "ann"', true],
    ['user.dept == "it" and user.level >= 3', true],
    ['contains(user.roles, "hr")', true],
    ['"hr" in user.roles', true],
    ['"admin" in user.roles', false],
    ['user.role == "hr"', true],
    ['user.nested.id == 7', true],
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

t.test('absence denies, whichever way it is asked', async (t) => {
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

t.test('what cannot be asked of a row is refused, with the column', async (t) => {
  for (const [rule, message] of [
    ['object.a == object.b', /column \d+: two fields of object/],
    ['length(object.a) > 3', /a field of object stands by itself here/],
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
