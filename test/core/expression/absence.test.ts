import t from 'tap'
import type { CallerNames } from '../../../core/expression/absence.ts'
import { compileExpression, type ExpressionScope } from '../../../core/expression/compile-expression.ts'

/** An absent fact about the caller is equal to nothing, an absent value of the row included. */

interface Facts {
  readonly owner?: unknown
  readonly members?: unknown
  readonly me?: Readonly<Record<string, unknown>>
}

function scopeWith(absence: CallerNames['absence'] | null): ExpressionScope<Facts> {
  return {
    variable: (name) => (['owner', 'members', 'me'].includes(name) ? (of) => of[name as keyof Facts] : null),
    names: () => ['owner', 'members', 'me'],
    ...(absence === null ? {} : { caller: { has: (name: string) => name === 'me', absence } }),
  }
}

const ABSENT: readonly Facts[] = [
  {},
  { owner: null, me: {} },
  { owner: undefined, me: { id: null } },
  { me: { id: undefined } },
]
const test = (source: string, facts: Facts, absence: CallerNames['absence'] | null): boolean =>
  compileExpression(source, scopeWith(absence)).test(facts)

/** Each holds, or its negation, where both sides have a value. */
const NEED_THE_CALLER: readonly string[] = [
  'owner == me.id',
  'me.id == owner',
  'owner != me.id',
  'owner < me.id',
  'owner in [me.id]',
  'me.id in [owner]',
  'owner in [me.id, me.other]',
  'contains([owner], me.id)',
  'me.id == me.other',
  'me.id',
  'is_string(me.id)',
  'matches(me.id, /a/)',
  '(owner == me.id) == true',
  '(owner == me.id) == false',
  '(owner == me.id) != true',
]

t.test('a test that needs an absent fact about the caller is not fulfilled, negated or not', async (t) => {
  for (const facts of ABSENT) {
    for (const source of NEED_THE_CALLER) {
      t.equal(test(source, facts, 'fails'), false, source)
      t.equal(test(`not (${source})`, facts, 'fails'), false, `not (${source})`)
      t.equal(test(`not (not (${source}))`, facts, 'fails'), false, `not (not (${source}))`)
      t.equal(test(`not (${source} or owner == 'x')`, facts, 'fails'), false, `behind not and or: ${source}`)
      t.equal(test(`not (${source} and owner == null)`, facts, 'fails'), false, `behind not and and: ${source}`)
      t.equal(test(`${source} or owner == null`, facts, 'fails'), true, `the other side of or counts: ${source}`)
    }
  }
})

t.test('a caller that is known is not equal to a row without a value, nor different from it', async (t) => {
  const facts: Facts = { owner: null, me: { id: 'ann' } }
  for (const source of ['owner == me.id', 'owner != me.id', 'not (owner == me.id)']) {
    t.equal(test(source, facts, 'fails'), false, source)
  }
})

t.test('with both sides present a test is as without a caller', async (t) => {
  const facts: Facts = { owner: 'ann', members: ['ann', null], me: { id: 'ann', other: 'bob' } }
  for (const [source, holds] of [
    ['owner == me.id', true],
    ['owner == me.other', false],
    ['owner != me.other', true],
    ['not (owner == me.other)', true],
    ['me.id in members', true],
    ['contains(members, me.other)', false],
    ['not contains(members, me.other)', true],
  ] as const) {
    for (const absence of ['fails', 'differs', null] as const) t.equal(test(source, facts, absence), holds, source)
  }
})

t.test('absence itself can be tested', async (t) => {
  for (const facts of ABSENT) {
    t.equal(test('me.id == null', facts, 'fails'), true)
    t.equal(test('null == me.id', facts, 'fails'), true)
    t.equal(test('me.id != null', facts, 'fails'), false)
    t.equal(test('not (me.id == null)', facts, 'fails'), false)
  }
  t.equal(test('me.id == null', { me: { id: 'ann' } }, 'fails'), false)
  t.equal(test('me.id != null', { me: { id: 'ann' } }, 'fails'), true)
})

t.test('where a condition demands more, an absent fact differs from everything', async (t) => {
  const facts: Facts = { owner: null, members: [null], me: {} }
  t.equal(test('owner == me.id', facts, 'differs'), false)
  t.equal(test('owner != me.id', facts, 'differs'), true)
  t.equal(test('not (owner == me.id)', facts, 'differs'), true)
  t.equal(test('me.id in members', facts, 'differs'), false)
  t.equal(test('contains(members, me.id)', facts, 'differs'), false)
  t.equal(test('me.id == null', facts, 'differs'), true)
})

t.test('conditions about rows alone compare absent values as before', async (t) => {
  t.equal(test('owner == members', {}, 'fails'), true)
  t.equal(test("owner != 'x'", {}, 'fails'), true)
  t.equal(test("not (owner == 'x')", {}, 'fails'), true)
})
