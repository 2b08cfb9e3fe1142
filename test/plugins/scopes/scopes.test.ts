import t from 'tap'
import {
  apiKeyRequired,
  authenticated,
  collectSchema,
  ID,
  list,
  mutation,
  query,
  requiresScope,
  role,
  String as Text,
  type,
} from '../../../core/authoring/index.ts'
import { withFreshRegistry } from '../../../core/authoring/registry.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createPglite } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { as, type TestCaller, testCredential } from '../../helpers/test-credential.ts'

/** The example of docs/plugins/scopes.md: `email` needs `read:email`. */
const SQL = `
CREATE TABLE tb_user (pk_user int PRIMARY KEY, id text NOT NULL UNIQUE, name text NOT NULL, email text, salary int NOT NULL, fk_team int);
CREATE TABLE tb_team (pk_team int PRIMARY KEY, id text NOT NULL UNIQUE, name text NOT NULL, budget int);
INSERT INTO tb_team VALUES (1, 't1', 'Red', 900);
INSERT INTO tb_user VALUES (1, 'u1', 'Ann', 'ann@example.com', 10, 1), (2, 'u2', 'Bob', 'bob@example.com', 20, 1);
CREATE VIEW v_user AS SELECT * FROM tb_user;
CREATE VIEW v_row AS SELECT pk_user AS pk_row, id FROM tb_user;
CREATE VIEW v_team AS SELECT * FROM tb_team;
CREATE FUNCTION fn_rename(p_id text, p_name text) RETURNS text LANGUAGE sql AS $$
  UPDATE tb_user SET name = p_name WHERE id = p_id RETURNING id $$;
`
/** The operations that are guarded by decorators. */
const declared = await withFreshRegistry(async () => {
  const User = type('User', { sqlSource: 'v_user', fields: { id: ID } })
  const users = { sqlSource: 'v_user' }
  const rename = { sqlSource: 'fn_rename', operation: 'UPDATE', args: { id: ID, name: Text } } as const
  class Api {
    @role('auditor') @query(list(User), users) @requiresScope('read:audit', 'write:audit') audited!: unknown
    @role('hr', 'boss') @query(list(User), users) staff!: unknown
    @authenticated @query(list(User), users) mine!: unknown
    @apiKeyRequired @query(list(User), users) exported!: unknown
    @role('boss') @mutation(User, rename) promote!: unknown
    @authenticated @mutation(User, rename) sign!: unknown
    @apiKeyRequired @mutation(User, rename) imported!: unknown
  }
  const { queries = [], mutations = [] } = collectSchema()
  return { queries, mutations, Api }
})
const SCHEMA: AuthoredSchema = {
  version: '1',
  interfaces: [{ name: 'Named', fields: [{ name: 'name', type: 'String!' }] }],
  types: [
    {
      name: 'User',
      sql_source: 'v_user',
      relay: true,
      implements: ['Named'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'email', type: 'String', requires_scope: 'read:email' },
        { name: 'salary', type: 'Int!', requires_role: ['hr', 'boss'], on_deny: 'reject' },
        { name: 'team', type: 'Team', relation: { from: 'fk_team', to: 'pk_team' } },
      ],
    },
    {
      name: 'Row',
      sql_source: 'v_row',
      relay: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'number', type: 'Int', column: 'pk_row', requires_scope: 'read:number' },
      ],
    },
    {
      name: 'Team',
      sql_source: 'v_team',
      requires_role: 'member',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'budget', type: 'Int', requires_scope: 'read:team read:budget' },
        { name: 'users', type: '[User!]!', relation: { from: 'pk_team', to: 'fk_team' } },
      ],
    },
  ],
  queries: [
    { name: 'rows', type: '[Row!]!', relay: true },
    { name: 'users', type: '[User!]!', sql_source: 'v_user' },
    { name: 'user', type: 'User', sql_source: 'v_user', arguments: [{ name: 'id', type: 'ID!' }] },
    ...declared.queries,
    { name: 'teams', type: '[Team!]!', sql_source: 'v_team' },
  ],
  mutations: [
    ...declared.mutations,
    {
      name: 'rename',
      type: 'User',
      sql_source: 'fn_rename',
      operation: 'UPDATE',
      requires_scope: 'write:user',
      arguments: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
      ],
    },
  ],
}

const url = await createPglite(t, { sql: SQL })
const keys = entry(plugin('api-keys', () => {}))
/** What ran, by its variant and by its template, which plans hang on. */
const seen: string[] = []
const templates = new Map<object, number>()
/** Operations that came to the hooks behind those of guards. */
const behind: string[] = []
const early = plugin(
  'early',
  (scope) =>
    scope.on('authorize', (_ctx, { template }) => {
      behind.push(template.roots[0]!.responseKey)
    }),
  { before: ['scopes'] },
)
const watch = plugin('watch', (scope) =>
  scope.on('resolve', (_ctx, { access, template }, next) => {
    if (!templates.has(template)) templates.set(template, templates.size)
    seen.push(`${access?.variant ?? ''} #${templates.get(template)}`)
    return next()
  }),
)
const app = await openApp(t, { kind: 'pglite', url }, SCHEMA, {
  plugins: [entry(early), testCredential(), keys, entry(watch)],
})
const ask = async (query: string, caller: TestCaller | null = null) => {
  const { data, errors } = await app.graphql(query, undefined, as(caller))
  const told = errors?.map(({ message, path, extensions }) => `${extensions.code} ${message} @${path?.join('.') ?? ''}`)
  return { data, errors: told ?? [] }
}

// proves: query.requires_scope query.requires_role query.authenticated query.api_key_required
// proves: access.requires_scope access.role access.authenticated access.api_key_required
t.test('an operation: FORBIDDEN states the missing scope or role, with the path and what is required', async (t) => {
  const said = async (caller: TestCaller | null) => (await ask('{ a: audited { id } }', caller)).errors
  t.strictSame(await said(null), ['UNAUTHENTICATED Authentication required @'])
  t.strictSame(await said({}), ['FORBIDDEN Forbidden: missing scope read:audit write:audit @a'])
  t.strictSame(await said({ scopes: ['read:audit'], roles: ['auditor'] }), [
    'FORBIDDEN Forbidden: missing scope read:audit write:audit @a',
  ])
  t.strictSame(
    await said({ scopes: ['*:audit'] }),
    ['FORBIDDEN Forbidden: missing role auditor @a'],
    'the scope is asked for before the role',
  )
  t.strictSame(await said({ scopes: ['*:audit'], roles: ['auditor'] }), [])
  const { errors } = await app.graphql('{ audited { id } }', undefined, as({ scopes: ['secret:other'] }))
  t.match(errors, [
    { extensions: { requiredScopes: ['read:audit', 'write:audit'], statusCode: 403 }, locations: [{ line: 1 }] },
  ])
  t.notMatch(JSON.stringify(errors), /secret:other/, 'what is granted is nobody’s business')

  t.strictSame((await ask('{ staff { id } }', { roles: ['boss'] })).errors, [])
  t.strictSame((await ask('{ staff { id } }', { roles: ['Boss'] })).errors, [
    'FORBIDDEN Forbidden: missing role: one of hr, boss @staff',
  ])
  t.strictSame((await ask('{ mine { id } }', null)).errors, ['UNAUTHENTICATED Authentication required @'])
  t.strictSame((await ask('{ mine { id } }', {})).errors, [])
  t.strictSame((await ask('{ exported { id } }', {})).errors, ['FORBIDDEN Forbidden: an API key is required @exported'])
  t.strictSame((await ask('{ exported { id } }', { method: 'api-keys' })).errors, [])
})

t.test('a refused operation reaches no hook of another plugin, in any order of the list', async (t) => {
  behind.length = 0
  await ask('{ refused: staff { id } }', { roles: ['auditor'] })
  await ask('{ allowed: staff { id } }', { roles: ['hr'] })
  t.strictSame(behind, ['allowed'])
})

// proves: mutation.requires_scope mutation.requires_role mutation.authenticated mutation.api_key_required
t.test('a mutation: nothing is written', async (t) => {
  const call = async (name: string, caller: TestCaller | null) =>
    (await ask(`mutation { ${name}(id: "u2", name: "Eve") { id } }`, caller)).errors
  for (const [name, allowed, error] of [
    ['rename', { scopes: ['write:user'] }, 'FORBIDDEN Forbidden: missing scope write:user @rename'],
    ['promote', { roles: ['boss'] }, 'FORBIDDEN Forbidden: missing role boss @promote'],
    ['imported', { method: 'api-keys' }, 'FORBIDDEN Forbidden: an API key is required @imported'],
  ] as const) {
    t.strictSame(await call(name, {}), [error])
    t.match((await ask('{ user(id: "u2") { name } }')).data, { user: { name: 'Bob' } }, `${name}: nothing is written`)
    t.strictSame(await call(name, allowed), [])
    await ask('mutation { sign(id: "u2", name: "Bob") { id } }', {})
  }
  t.strictSame(await call('sign', null), ['UNAUTHENTICATED Authentication required @'])
  t.match((await ask('{ user(id: "u2") { name } }')).data, { user: { name: 'Bob' } })
})

t.test('one root that is not allowed denies the whole operation: nothing is read, nothing is written', async (t) => {
  const caller = { scopes: [] }
  t.match(await ask('{ users { id } x: audited { id } }', caller), { data: undefined, errors: [/scope read:audit/] })
  const rename = (alias: string) => `${alias}: rename(id: "u1", name: "Eve") { id }`
  t.match(await ask(`mutation { ${rename('a')} }`, caller), { errors: [/missing scope write:user @a/] })
  t.match(await ask('{ user(id: "u1") { name } }'), { data: { user: { name: 'Ann' } } })
  t.match(await ask(`mutation { ${rename('a')} }`, { scopes: ['write:user'] }), {
    data: { a: { id: /^u1$/ } },
    errors: [],
  })
  await ask('mutation { rename(id: "u1", name: "Ann") { id } }', { scopes: ['write:*'] })
})

// proves: field.requires_scope field.requires_role field.on_deny
t.test('a field: null with an error at its place, its siblings stay', async (t) => {
  t.strictSame(await ask('{ users { id email } }', {}), {
    data: {
      users: [
        { id: 'u1', email: null },
        { id: 'u2', email: null },
      ],
    },
    errors: ['FORBIDDEN Forbidden: missing scope read:email @users.email'],
  })
  t.match((await ask('{ users { email } }', null)).errors, [
    'UNAUTHENTICATED Authentication required: missing scope read:email @users.email',
  ])
  t.match(await ask('{ users { email } }', { scopes: ['read:*'] }), {
    data: { users: [{ email: 'ann@example.com' }, {}] },
    errors: [],
  })
  t.match(await ask('{ users { id salary } }', {}), {
    data: undefined,
    errors: [/missing role: one of hr, boss/],
  })
  t.match(await ask('{ users { salary } }', { roles: ['hr'] }), { data: { users: [{ salary: 10 }, {}] }, errors: [] })
})

// proves: type.requires_role
t.test('a type: null wherever it is reached', async (t) => {
  t.match(await ask('{ users { team { name } } }', {}), {
    data: { users: [{ team: null }, { team: null }] },
    errors: [/missing role member @users.team/],
  })
  t.match(await ask('{ teams { id } }', {}), { data: null, errors: [/missing role member @teams/] })
  t.match(await ask('{ users(where: { team: { name: { _eq: "Red" } } }) { id } }', {}), {
    data: null,
    errors: [/missing role member/],
  })
  const member = { roles: ['member'] }
  t.match(await ask('{ teams { name budget users { email } } }', member), {
    data: { teams: [{ name: 'Red', budget: null, users: [{ email: null }, {}] }] },
    errors: [/missing scope read:team read:budget @teams.budget/, /missing scope read:email @teams.users.email/],
  })
  t.match(await ask('{ teams { budget } }', { ...member, scopes: ['read:team', 'read:budget'] }), {
    data: { teams: [{ budget: 900 }] },
    errors: [],
  })
})

t.test('plans are shared by those who may see the same, and by all where nothing is protected', async (t) => {
  const run = async (query: string, callers: readonly (TestCaller | null)[]) => {
    seen.length = 0
    for (const caller of callers) await ask(query, caller)
    return [...new Set(seen)].map((one) => one.split(' #')[0])
  }
  const callers = [null, {}, { subject: 'bob', scopes: ['x'] }, { scopes: ['read:email'] }, { roles: ['member'] }]
  for (const query of ['{ users { id name } }', '{ users(limit: 1) { name } }', '{ user(id: "u1") { name } }']) {
    t.strictSame(await run(query, callers), [''], query)
  }
  const closed = '-Row.number-Team-Team.budget-User.email-!User.salary'
  const sets = [[], ['a'], ['b'], ['a', 'b']].map((scopes) => ({ scopes }))
  t.strictSame(await run('{ users { email } }', sets), [closed], 'one for all whose scopes open nothing')
  t.strictSame(await run('{ users { email } }', [{ scopes: ['read:email'] }]), [''], 'what is closed is not asked for')
  const filtered = '{ users(where: { name: { _eq: "Ann" } }) { id } }'
  t.strictSame(await run(filtered, sets), [closed], 'a filter can speak of every field')
})

t.test('a cursor holds the key of its row: who may not see that gets none', async (t) => {
  const ask = (members: string, scopes: readonly string[]) =>
    app.graphql(`{ rows(first: 1) { ${members} } }`, undefined, as({ scopes }))
  for (const members of ['edges { cursor }', 'pageInfo { endCursor }']) {
    const denied = await ask(members, [])
    t.match(denied.errors, [{ extensions: { code: 'FORBIDDEN' } }], members)
    t.notOk(denied.data?.rows, members)
    t.equal((await ask(members, ['read:number'])).errors, undefined, members)
  }
  t.strictSame((await ask('edges { node { id } }', [])).data, { rows: { edges: [{ node: { id: 'u1' } }] } })
})
