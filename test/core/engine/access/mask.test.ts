import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { AccessControl, MaskTransform } from '../../../../core/contract/access.ts'
import type { Exchange } from '../../../../core/contract/exchange.ts'
import { AccessCollector } from '../../../../core/engine/access/collect-access.ts'
import { createEngine, unpacked } from '../../../conformance/access/engine.ts'
import { createPglite } from '../../../helpers/databases.ts'
import { executeWorldOn } from '../../../helpers/execute-world.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { USERS } from '../../../schemas/users.ts'

/** A value that is shown as a function makes it: `access.mask(field, transform)`. */
const SQL = `${USERS.sql}
INSERT INTO tb_user VALUES (1, 'ann', 'Ann', 'ann@x.org', '{red,blue}', 3, 'STAFF', '{"a": 1}', NULL), (2, 'bob', 'Bob', NULL, NULL, NULL, NULL, NULL, 1);
`
const SCHEMA = USERS.schema

t.setTimeout(120_000)
const url = await createPglite(t, { sql: SQL })
const database = await openTestDatabase(t, { kind: 'pglite', url })
const domain: MaskTransform = (value) => `…@${String(value).split('@')[1]}`
const engineFor = (say: (access: AccessControl, who: string | null) => void, one = database) =>
  createEngine(one, SCHEMA, ({ auth }, _operation, access) => say(access, auth?.subject ?? null))

for (const [form, one] of [
  ['packed', database],
  ['database-written', unpacked(database)],
] as const) {
  t.test(`${form}: the value is shown as the function makes it, wherever the row is reached`, async (t) => {
    const engine = await engineFor((access, who) => who !== 'bob' && access.mask('User.email', domain), one)
    for (const [query, masked] of [
      ['{ users { id email } }', '{"users":[{"id":"ann","email":"…@x.org"},{"id":"bob","email":null}]}'],
      [
        '{ users { e: email, ...F } } fragment F on User { f: email }',
        '{"users":[{"e":"…@x.org","f":"…@x.org"},{"e":null,"f":null}]}',
      ],
      ['{ user(id: "bob") { email boss { email } } }', '{"user":{"email":null,"boss":{"email":"…@x.org"}}}'],
      ['{ node(id: "ann") { ... on User { email } } }', '{"node":{"email":"…@x.org"}}'],
      [
        '{ userPages { edges { node { email } } } }',
        '{"userPages":{"edges":[{"node":{"email":"…@x.org"}},{"node":{"email":null}}]}}',
      ],
      ['{ cards { user { email } } }', '{"cards":[{"user":{"email":"…@x.org"}},{"user":{"email":null}}]}'],
      ['mutation { touch(id: "ann") { name email } }', '{"touch":{"name":"Ann","email":"…@x.org"}}'],
    ] as const) {
      const { text, codes } = await engine.ask(query, 'ann')
      t.strictSame(JSON.parse(text), JSON.parse(masked), query)
      t.strictSame(codes, [], 'a mask is no error')
      const twin = await engine.ask(query, 'bob')
      t.strictSame(JSON.parse(twin.text), JSON.parse(masked.replaceAll('…@', 'ann@')), `${query}: its twin`)
    }
    for (const streamForm of ['rows', 'columns'] as const) {
      const { text, codes } = await engine.stream('{ users { id email } }', streamForm, 'ann')
      t.strictSame(codes, [])
      t.match(text, /"…@x.org/)
      t.notMatch(text, /ann@x/)
      t.match((await engine.stream('{ users { id email } }', streamForm, 'bob')).text, /ann@x/)
    }
  })
}

t.test('filters, orders, groups and numbers cannot tell the value', async (t) => {
  let isMasked = true
  const engine = await engineFor((access) => isMasked && access.mask('User.email', domain))
  for (const query of [
    '{ users(where: { email: { _eq: "ann@x.org" } }) { id } }',
    '{ users(where: { email: { _is_null: true } }) { id } }',
    '{ users(where: { boss: { email: { _like: "a%" } } }) { id } }',
    '{ users(orderBy: [{ email: ASC }]) { id } }',
    '{ userPages(orderBy: [{ email: ASC }]) { edges { cursor } } }',
  ]) {
    isMasked = true
    const { text, codes } = await engine.ask(query, 'ann')
    t.notMatch(text, /ann|bob/, query)
    t.strictSame(codes, ['FORBIDDEN'])
    isMasked = false
    t.strictSame((await engine.ask(query, 'ann')).codes, [], `${query}: its twin`)
  }
})

t.test('every leaf can be masked, and what a mask gives is held to the type', async (t) => {
  const shown = async (field: string, transform: MaskTransform) => {
    const engine = await engineFor((access) => access.mask(`User.${field}`, transform))
    const { text, codes } = await engine.ask(`{ user(id: "ann") { value: ${field} } }`, 'ann')
    return [JSON.parse(text).user?.value ?? null, ...codes]
  }
  t.strictSame(await shown('tags', (tag) => String(tag)[0]), [['r', 'b']], 'the items of a list')
  t.strictSame(await shown('level', (level) => Math.floor(Number(level) / 2) * 2), [2])
  t.strictSame(await shown('kind', () => 'OTHER'), ['OTHER'])
  t.strictSame(await shown('notes', (notes) => Object.keys(notes as object)), [['a']])
  t.strictSame(await shown('name', () => '*'), ['*'], 'one that may not be null')
  t.strictSame(await shown('email', () => null), [null], 'nothing')
  for (const [field, transform] of [
    ['level', () => 'many'],
    ['level', () => 2.5],
    ['kind', () => 'BOSS'],
    ['email', () => ['a']],
    ['email', () => ({ a: 1 })],
    ['email', () => 1n],
    ['email', async () => 'a'],
    ['notes', async () => 'a'],
    ['name', () => null],
    [
      'email',
      (value: unknown) => {
        throw new Error(`no ${value}`)
      },
    ],
  ] as const) {
    t.strictSame(await shown(field, transform), [null, 'INTERNAL_SERVER_ERROR'], `${field}: ${transform}`)
  }
})

t.test('a mask that fails says nothing of the value', async (t) => {
  const engine = await engineFor((access) =>
    access.mask('User.email', (value) => {
      throw new SvcError('INTERNAL_SERVER_ERROR', `cannot mask ${value}`)
    }),
  )
  const { text } = await engine.ask('{ user(id: "ann") { email } }', 'ann')
  t.equal(text, '{"user":{"email":null}}')
})

t.test('several hooks: masks follow each other, exceptions hold beside them, a denial wins', async (t) => {
  const initial: MaskTransform = (value) => String(value)[0]
  const stars: MaskTransform = (value) => `${value}***`
  let say: (access: AccessControl) => void = () => {}
  const engine = await engineFor((access) => say(access))
  const shown = async (given: typeof say) => {
    say = given
    const { text, codes } = await engine.ask('{ user(id: "ann") { email } }', 'ann')
    return [JSON.parse(text).user.email, ...codes]
  }
  const both = (access: AccessControl): void => {
    access.mask('User.email', initial)
    access.mask('User.email', stars)
    access.mask('User.email', initial)
  }
  t.strictSame(await shown(() => {}), ['ann@x.org'])
  t.strictSame(await shown((access) => access.mask('User.email', initial)), ['a'])
  t.strictSame(
    await shown((access) => access.mask('User.email', stars)),
    ['ann@x.org***'],
    'another function, another plan',
  )
  t.strictSame(await shown(both), ['a***'])
  for (const [who, expected] of [
    ['ann', 'a'],
    ['bob', null],
  ] as const) {
    const unless = { id: { _eq: who } }
    t.strictSame(
      await shown((access) => {
        access.mask('User.email', initial)
        access.deny('User.email', undefined, { unless })
      }),
      [expected],
    )
    t.strictSame(
      await shown((access) => {
        access.deny('User.email', undefined, { unless })
        access.mask('User.email', initial)
      }),
      [expected],
    )
  }
  for (const said of [
    (access: AccessControl) => {
      access.deny('User.email')
      both(access)
    },
    (access: AccessControl) => {
      both(access)
      access.deny('User.email')
    },
  ]) {
    t.strictSame(await shown(said), [null, 'FORBIDDEN'])
  }
})

t.test('a mask of one type behind an interface holds for the others under the same key, never less', async (t) => {
  const people = '{ people { id email } }'
  const rows = async (say: (access: AccessControl) => void, query = people) =>
    JSON.parse((await (await engineFor(say)).ask(query, 'ann')).text).people
  const masked = [
    { id: 'ann', email: '…@x.org' },
    { id: 'bob', email: null },
    { id: 'r1', email: '…@x.org' },
  ]
  t.strictSame(await rows((access) => access.mask('User.email', domain)), masked)
  t.strictSame(await rows((access) => access.mask('Person.email', domain)), masked)
  const apart = '{ people { ... on User { email } ... on Robot { robots: email } } }'
  t.strictSame(await rows((access) => access.mask('User.email', domain), apart), [
    { email: '…@x.org' },
    { email: null },
    { robots: 'r1@x.org' },
  ])
})

t.test('a mask of an unsupported field is refused', async (t) => {
  const refused = async (say: (access: AccessControl) => void) =>
    (await (await engineFor(say)).ask('{ users { id } }', 'ann')).codes
  for (const target of ['User', 'User.boss', 'User.emial', 'node:User']) {
    t.strictSame(await refused((access) => access.mask(target, domain)), ['SVC_ACCESS_INVALID'], target)
  }
  t.strictSame(await refused((access) => access.mask('User.email', 'x' as never)), ['SVC_ACCESS_INVALID'])
  t.strictSame(await refused((access) => access.mask('User.email', domain)), [])
})

t.test('plans and kept answers are kept apart by function', async (t) => {
  const { model } = await executeWorldOn(database, SCHEMA)
  const accessOf = (transform: MaskTransform | null) => {
    const collector = new AccessCollector({ generation: { schema: model }, auth: null } as unknown as Exchange)
    if (transform !== null) collector.mask('User.email', transform)
    return collector.take()
  }
  const [one, same, other, none] = [domain, domain, (value: unknown) => value, null].map(accessOf)
  for (const key of ['key', 'variant'] as const) {
    t.equal(one?.[key], same?.[key])
    t.equal(new Set([one, other, none].map((access) => access?.[key])).size, 3)
  }
  t.match(one?.key, /[0-9a-f]{8}-[0-9a-f]{4}-/, 'another process cannot take its function for this one')
})
