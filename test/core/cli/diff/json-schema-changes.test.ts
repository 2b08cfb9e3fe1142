import t from 'tap'
import { collectChanges } from '../../../../core/cli/diff/change.ts'
import { compareJsonSchemas } from '../../../../core/cli/diff/json-schema-changes.ts'

function compare(direction: 'in' | 'out', before: unknown, after: unknown, components: object = {}) {
  const resolve = (ref: string) => (components as Record<string, unknown>)[ref.split('/').at(-1)!]
  return collectChanges('rest', (report) =>
    compareJsonSchemas(before, after, 'GET /x: body', {
      direction,
      before: resolve,
      after: resolve,
      report,
      seen: new Set(),
    }),
  )
}

const object = (properties: object, required: readonly string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
})
const A = { a: { type: 'string' } }
const AB = { ...A, b: { type: 'string' } }

/** Rule, its level for values that clients send, and for values that they receive; `null`: it does not apply. */
const CASES: readonly (readonly [
  string,
  sent: string | null,
  received: string | null,
  before: object,
  after: object,
])[] = [
  ['TYPE_CHANGED', 'breaking', 'breaking', { type: 'string' }, { type: 'integer' }],
  ['TYPE_WIDENED', 'safe', 'breaking', { type: 'integer' }, { type: 'number' }],
  ['TYPE_WIDENED', 'safe', 'breaking', { type: 'string' }, {}],
  ['TYPE_NARROWED', 'breaking', 'safe', { type: ['string', 'integer'] }, { type: 'string' }],
  ['BECAME_NULLABLE', 'safe', 'breaking', { type: 'string' }, { type: 'string', nullable: true }],
  ['BECAME_NULLABLE', 'safe', 'breaking', { type: 'string' }, { type: ['string', 'null'] }],
  ['BECAME_NON_NULL', 'breaking', 'safe', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string' }],
  ['ENUM_VALUE_REMOVED', 'breaking', 'safe', { type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a'] }],
  ['ENUM_VALUE_ADDED', 'safe', 'dangerous', { type: 'string', enum: ['a'] }, { type: 'string', enum: ['a', 'b'] }],
  ['ENUM_ADDED', 'breaking', 'safe', { type: 'string' }, { type: 'string', enum: ['a'] }],
  ['ENUM_REMOVED', 'safe', 'dangerous', { type: 'string', const: 'a' }, { type: 'string' }],
  ['LIMIT_TIGHTENED', 'breaking', 'safe', { type: 'string', maxLength: 9 }, { type: 'string', maxLength: 5 }],
  ['LIMIT_TIGHTENED', 'breaking', 'safe', { type: 'integer' }, { type: 'integer', minimum: 1 }],
  ['LIMIT_TIGHTENED', 'breaking', 'safe', { type: 'string' }, { type: 'string', pattern: 'a' }],
  ['LIMIT_LOOSENED', 'safe', 'dangerous', { type: 'integer', minimum: 1 }, { type: 'integer', minimum: 0 }],
  ['LIMIT_LOOSENED', 'safe', 'dangerous', { type: 'array', maxItems: 1 }, { type: 'array' }],
  ['RULE_CHANGED', 'breaking', 'breaking', { type: 'string', format: 'date' }, { type: 'string', format: 'time' }],
  ['MEMBER_ADDED', 'safe', 'safe', object(A), object(AB)],
  ['REQUIRED_MEMBER_ADDED', 'breaking', null, object(A), object(AB, ['b'])],
  ['MEMBER_ADDED', null, 'safe', object(A), object(AB, ['b'])],
  ['MEMBER_REMOVED', 'dangerous', 'breaking', object(AB), object(A)],
  [
    'MEMBER_REMOVED',
    'breaking',
    'breaking',
    object(AB, [], { additionalProperties: false }),
    object(A, [], { additionalProperties: false }),
  ],
  ['MEMBER_BECAME_REQUIRED', 'breaking', 'safe', object(A), object(A, ['a'])],
  ['MEMBER_BECAME_OPTIONAL', 'safe', 'breaking', object(A, ['a']), object(A)],
  ['MEMBERS_CLOSED', 'breaking', 'safe', object(A), object(A, [], { additionalProperties: false })],
  ['MEMBERS_OPENED', 'safe', 'safe', object(A, [], { additionalProperties: false }), object(A)],
  [
    'ALTERNATIVE_REMOVED',
    'breaking',
    'safe',
    { anyOf: [A.a, { type: 'integer' }, { type: 'boolean' }] },
    { anyOf: [A.a, { type: 'integer' }] },
  ],
  [
    'ALTERNATIVE_ADDED',
    'safe',
    'dangerous',
    { anyOf: [A.a, { type: 'integer' }] },
    { anyOf: [A.a, { type: 'integer' }, { type: 'boolean' }] },
  ],
  ['DEFAULT_CHANGED', 'dangerous', null, { type: 'integer', default: 1 }, { type: 'integer', default: 2 }],
]

for (const [rule, sent, received, before, after] of CASES) {
  for (const [direction, level] of [['in', sent] as const, ['out', received] as const]) {
    if (level === null) continue
    t.test(`${rule} is ${level} for values that clients ${direction === 'in' ? 'send' : 'receive'}`, async (t) => {
      t.match(compare(direction, before, after), [{ rule, level }])
      t.equal(compare(direction, before, after).length, 1)
      t.strictSame(compare(direction, before, before), [])
      t.match(compare(direction, object({ x: before }), object({ x: after })), [{ rule, level }], 'in a member')
      t.match(compare(direction, { type: 'array', items: before }, { type: 'array', items: after }), [{ rule, level }])
    })
  }
}

t.test('a component is reported once, under its name, also in a circle', async (t) => {
  const before = { Node: object({ name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } }) }
  const after = { Node: object({ name: { type: 'integer' }, next: { $ref: '#/components/schemas/Node' } }) }
  const ref = { $ref: '#/components/schemas/Node' }
  const changes = collectChanges('rest', (report) => {
    const comparison = {
      direction: 'out' as const,
      before: () => before.Node,
      after: () => after.Node,
      report,
      seen: new Set<string>(),
    }
    compareJsonSchemas(ref, ref, 'GET /a: 200', comparison)
    compareJsonSchemas({ allOf: [ref], nullable: true }, { allOf: [ref], nullable: true }, 'GET /b: 200', comparison)
  })
  t.match(changes, [{ rule: 'TYPE_CHANGED', place: 'GET /a: Node.name' }])
  t.equal(changes.length, 1)
})
