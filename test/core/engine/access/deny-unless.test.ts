import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { AccessControl } from '../../../../core/contract/access.ts'
import { createEngine, unpacked } from '../../../conformance/access/engine.ts'
import { createPglite } from '../../../helpers/databases.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { USERS } from '../../../schemas/users.ts'

/** A field that is null in the rows that do not fulfil a condition: `access.deny(field, error, { unless })`. */
const SQL = `${USERS.sql}
INSERT INTO tb_user (pk_user, id, name, email, tags, level, fk_boss)
  VALUES (1, 'ann', 'Ann', 'ann@x.org', '{a}', 3, NULL), (2, 'bob', 'Bob', 'bob@x.org', '{b}', NULL, 1);
`
const SCHEMA = USERS.schema

t.setTimeout(120_000)
const url = await createPglite(t, { sql: SQL })
const database = await openTestDatabase(t, { kind: 'pglite', url })
const own = (access: AccessControl, who: string | undefined) =>
  access.deny('User.email', new SvcError('FORBIDDEN', 'Not yours.'), { unless: { id: { _eq: who } } })

for (const [form, one] of [
  ['packed', database],
  ['database-written', unpacked(database)],
] as const) {
  t.test(`${form}: the value stays where the condition holds, wherever the row is reached`, async (t) => {
    const engine = await createEngine(one, SCHEMA, ({ auth }, _operation, access) =>
      own(access, auth?.subject ?? undefined),
    )
    for (const [query, expected] of [
      ['{ users { id email } }', '{"users":[{"id":"ann","email":"ann@x.org"},{"id":"bob","email":null}]}'],
      [
        '{ users { e: email, ...F } } fragment F on User { f: email }',
        '{"users":[{"e":"ann@x.org","f":"ann@x.org"},{"e":null,"f":null}]}',
      ],
      ['{ user(id: "bob") { email boss { email } } }', '{"user":{"email":null,"boss":{"email":"ann@x.org"}}}'],
      ['{ node(id: "bob") { ... on User { email } } }', '{"node":{"email":null}}'],
      [
        '{ userPages { edges { node { email } } } }',
        '{"userPages":{"edges":[{"node":{"email":"ann@x.org"}},{"node":{"email":null}}]}}',
      ],
      [
        '{ cards { user { id email } } }',
        '{"cards":[{"user":{"id":"ann","email":"ann@x.org"}},{"user":{"id":"bob","email":null}}]}',
      ],
      ['{ cards { user { email } } }', '{"cards":[{"user":{"email":"ann@x.org"}},{"user":{"email":null}}]}'],
      ['mutation { touch(id: "bob") { name email } }', '{"touch":{"name":"Bob","email":null}}'],
      ['mutation { touch(id: "ann") { name email } }', '{"touch":{"name":"Ann","email":"ann@x.org"}}'],
    ] as const) {
      const { text, codes } = await engine.ask(query, 'ann')
      t.strictSame(JSON.parse(text), JSON.parse(expected), query)
      t.strictSame(codes, [], 'a row without it is no error')
    }
    for (const streamForm of ['rows', 'columns'] as const) {
      const { text } = await engine.stream('{ users { id email } }', streamForm, 'ann')
      t.match(text, /ann@x.org/)
      t.notMatch(text, /bob@x.org/)
    }
    const bob = await engine.ask('{ users { email } }', 'bob')
    t.strictSame(
      JSON.parse(bob.text),
      { users: [{ email: null }, { email: 'bob@x.org' }] },
      'the same plan, other values',
    )
    t.strictSame((await engine.ask('{ users { email } }', null)).codes, ['UNAUTHENTICATED'], 'absence denies')
  })
}

t.test('filters and orders cannot tell what it holds', async (t) => {
  const engine = await createEngine(database, SCHEMA, ({ auth }, _operation, access) =>
    own(access, auth?.subject ?? undefined),
  )
  for (const query of [
    '{ users(where: { email: { _eq: "bob@x.org" } }) { id } }',
    '{ users(where: { boss: { email: { _like: "a%" } } }) { id } }',
    '{ users(orderBy: [{ email: ASC }]) { id } }',
  ]) {
    const { text, codes } = await engine.ask(query, 'ann')
    t.notMatch(text, /bob/, query)
    t.strictSame(codes, ['FORBIDDEN'])
  }
})

t.test('a denial without an exception wins, and exceptions add up', async (t) => {
  const said: Record<string, (access: AccessControl) => void> = {
    both: (access) => {
      own(access, 'ann')
      access.deny('User.email', undefined, { unless: { level: { _gte: 4 } } })
    },
    first: (access) => {
      access.deny('User.email')
      own(access, 'ann')
    },
    last: (access) => {
      own(access, 'ann')
      access.deny('User.email')
    },
    alone: (access) => own(access, 'ann'),
  }
  let current = 'alone'
  const engine = await createEngine(database, SCHEMA, (_ctx, _operation, access) => said[current]?.(access))
  const operation = '{ users { email } }'
  for (const [how, shown] of [
    ['alone', true],
    ['both', false],
    ['first', false],
    ['last', false],
    ['alone', true],
  ] as const) {
    current = how
    t.equal((await engine.ask(operation, 'ann')).text.includes('ann@x.org'), shown, how)
  }
})

t.test('an exception for a field that cannot be null is refused', async (t) => {
  const refused = async (say: (access: AccessControl) => void) => {
    const engine = await createEngine(database, SCHEMA, (_ctx, _operation, access) => say(access))
    return (await engine.ask('{ users { id } }', 'ann')).codes
  }
  const unless = { id: { _eq: 'ann' } }
  for (const target of ['User.name', 'User', 'User.boss', 'User.emial']) {
    t.strictSame(await refused((access) => access.deny(target, undefined, { unless })), ['SVC_ACCESS_INVALID'], target)
  }
  t.strictSame(await refused((access) => access.deny('User.email', undefined, { unless: {} })), ['SVC_ACCESS_INVALID'])
  t.strictSame(await refused((access) => access.deny('User.email', undefined, { unless, onDeny: 'reject' })), [
    'SVC_ACCESS_INVALID',
  ])
  t.strictSame(await refused((access) => access.deny('User.tags', undefined, { unless })), [], 'a list of scalars')
})
