import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import type { AuthorFunction } from '../../../core/schema/model.ts'
import compile from '../../../plugins/policies/compile.ts'
import policies from '../../../plugins/policies/index.ts'
import type { PolicyOptions } from '../../../plugins/policies/options.ts'
import { createPglite } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { as, type TestCaller, testCredential } from '../../helpers/test-credential.ts'

const SQL = `
CREATE TABLE tb_note (pk_note int PRIMARY KEY, id text NOT NULL UNIQUE, owner_id text, body text, secret text, level int NOT NULL, public boolean NOT NULL);
INSERT INTO tb_note VALUES (1, 'n1', 'ann', 'Of ann', 'a', 1, false), (2, 'n2', 'bob', 'Of bob', 'b', 5, true), (3, 'n3', NULL, 'Of nobody', 'c', 9, false);
CREATE VIEW v_note AS SELECT * FROM tb_note;
CREATE VIEW v_card AS SELECT pk_note AS pk_card, 'c' || pk_note AS id, body FROM tb_note;
CREATE VIEW v_page AS SELECT pk_note AS pk_page, 'p' || pk_note AS id, body, owner_id FROM tb_note;
CREATE FUNCTION fn_edit(p_id text, p_body text) RETURNS text LANGUAGE sql AS $$
  UPDATE tb_note SET body = p_body WHERE id = p_id RETURNING id $$;
CREATE FUNCTION fn_give(p_id text, p_owner_id text) RETURNS text LANGUAGE sql AS $$
  UPDATE tb_note SET owner_id = p_owner_id WHERE id = p_id RETURNING id $$;
CREATE FUNCTION fn_drop(p_id text) RETURNS text LANGUAGE sql AS $$ DELETE FROM tb_note WHERE id = p_id RETURNING id $$;
`
const EDIT = {
  type: 'Note',
  sql_source: 'fn_edit',
  operation: 'UPDATE',
  arguments: [
    { name: 'id', type: 'ID!' },
    { name: 'body', type: 'String!' },
  ],
} as const
const list = (name: string, policy: string, more: object = {}) => ({
  name,
  type: '[Note!]!',
  sql_source: 'v_note',
  requires_policy: policy,
  ...more,
})
const SCHEMA: AuthoredSchema = {
  version: '1',
  modules: [{ path: './schema.ts' }],
  author_functions: ['asked', 'throws', 'hangs', 'says_nothing', 'says_yes', 'rejects'].map((name) => ({
    kind: 'policy',
    name,
    module: './schema.ts',
    export: name,
  })),
  types: [
    {
      name: 'Note',
      sql_source: 'v_note',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'owner_id', type: 'String' },
        { name: 'body', type: 'String' },
        { name: 'secret', type: 'String', authorize: 'staff' },
        { name: 'level', type: 'Int!' },
        { name: 'public', type: 'Boolean!' },
      ],
    },
    ...['Card', 'Page'].map((name) => ({
      name,
      sql_source: `v_${name.toLowerCase()}`,
      relay: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'body', type: 'String' },
        ...(name === 'Page' ? [{ name: 'owner_id', type: 'String' }] : []),
      ],
    })),
  ],
  queries: [
    ...['Card', 'Page'].map((name) => ({
      name: name.toLowerCase(),
      type: name,
      arguments: [{ name: 'id', type: 'ID!' }],
      requires_policy: name === 'Card' ? 'staff' : 'owner',
    })),
    { name: 'notes', type: '[Note!]!', sql_source: 'v_note' },
    list('any_role', 'staff'),
    list('all_roles', 'both'),
    list('exact_roles', 'exact'),
    list('own', 'owner'),
    list('own_or_public', 'visible', { public: true }),
    list('of_department', 'department'),
    list('limited', 'hybrid'),
    list('asked', 'asked'),
    ...['throws', 'hangs', 'says_nothing', 'says_yes', 'rejects'].map((name) => list(name, name)),
    list('kept', 'kept'),
  ],
  mutations: [
    { name: 'edit', requires_policy: 'owner', ...EDIT },
    { name: 'force', requires_policy: 'staff', ...EDIT },
    {
      name: 'give',
      requires_policy: 'owner',
      ...EDIT,
      sql_source: 'fn_give',
      arguments: [
        { name: 'id', type: 'ID!' },
        { name: 'owner_id', type: 'String!' },
      ],
    },
    {
      name: 'drop',
      requires_policy: 'owner',
      type: 'Note',
      sql_source: 'fn_drop',
      operation: 'DELETE',
      arguments: [{ name: 'id', type: 'ID!' }],
    },
  ],
}
const custom = (name: string) => ({ name, type: 'custom', rule: name }) as const
const OPTIONS: PolicyOptions = {
  rules: [
    { name: 'owner', rule: 'user.id == object.owner_id', description: 'Whose it is.' },
    { name: 'visible', rule: 'object.public or user.id == object.owner_id' },
  ],
  policies: [
    { name: 'staff', type: 'rbac', roles: ['hr', 'boss'] },
    { name: 'both', type: 'rbac', roles: ['hr', 'boss'], strategy: 'all' },
    { name: 'exact', type: 'rbac', roles: ['hr', 'boss'], strategy: 'exactly' },
    { name: 'department', type: 'abac', rule: 'user.department == "it" and matches(user.id, /^a/)' },
    { name: 'hybrid', type: 'hybrid', roles: ['hr'], rule: 'object.level <= user.clearance' },
    { name: 'body', type: 'custom', rule: 'owner' },
    { name: 'kept', type: 'custom', rule: 'asked', cache_ttl_seconds: 60 },
    ...['asked', 'throws', 'hangs', 'says_nothing', 'says_yes', 'rejects'].map(custom),
  ],
  field_auth: [{ type_name: 'Note', field_name: 'body', policy: 'body' }],
  policy_timeout_ms: 200,
}

const calls: unknown[] = []
const functions: readonly AuthorFunction[] = Object.entries({
  asked: (user: unknown, question: unknown) => {
    calls.push([user, question])
    return (user as { id?: string } | null)?.id === 'ann'
  },
  throws: () => {
    throw new Error('secret of the function')
  },
  hangs: () => new Promise(() => {}),
  says_nothing: () => undefined,
  says_yes: async () => 'yes',
  rejects: async () => Promise.reject(new Error('secret of the function')),
}).map(([name, value]) => ({ kind: 'policy', name, module: './schema.ts', export: name, value }))

const app = await openApp(t, { kind: 'pglite', url: await createPglite(t, { sql: SQL }) }, SCHEMA, {
  plugins: [testCredential(), entry(policies as never, OPTIONS), entry(plugin('mark'))],
  compile: { parts: [{ plugin: 'policies', part: compile as never, options: OPTIONS }] },
  link: { authorFunctions: functions },
})
const ask = async (query: string, caller: TestCaller | null = null) => {
  const { data, errors } = await app.graphql(query, undefined, as(caller))
  const told = errors?.map(({ message, path, extensions }) => `${extensions.code} ${message} @${path?.join('.') ?? ''}`)
  return { data, errors: told ?? [] }
}
const ids = async (name: string, caller: TestCaller | null) => {
  const { data, errors } = await ask(`{ ${name} { id } }`, caller)
  return data?.[name]?.map(({ id }: { id: string }) => id) ?? errors
}

// proves: query.requires_policy
t.test('roles: any, all, exactly', async (t) => {
  for (const [name, policy, roles, allowed] of [
    ['anyRole', 'staff', ['boss'], true],
    ['anyRole', 'staff', ['Boss'], false],
    ['anyRole', 'staff', [], false],
    ['allRoles', 'both', ['boss', 'hr', 'x'], true],
    ['allRoles', 'both', ['boss'], false],
    ['exactRoles', 'exact', ['boss', 'hr'], true],
    ['exactRoles', 'exact', ['boss', 'hr', 'x'], false],
    ['exactRoles', 'exact', ['hr'], false],
  ] as const) {
    const expected = allowed ? ['n1', 'n2', 'n3'] : [`FORBIDDEN Forbidden: policy ${policy} @${name}`]
    t.strictSame(await ids(name, { roles }), expected, `${name} ${roles}`)
  }
  t.strictSame(await ids('anyRole', null), ['UNAUTHENTICATED Authentication required @'])
})

t.test('a rule about the user decides; one about the row lets through the rows that fulfil it', async (t) => {
  t.strictSame(await ids('own', { subject: 'ann' }), ['n1'])
  t.strictSame(await ids('own', { subject: 'nobody' }), [])
  t.strictSame(await ids('ownOrPublic', { subject: 'ann' }), ['n1', 'n2'])
  t.strictSame(await ids('ownOrPublic', null), ['n2'], 'a public operation: who nobody is sees what is public')
  t.strictSame(await ids('ofDepartment', { claims: { department: 'it' } }), ['n1', 'n2', 'n3'])
  t.strictSame(await ids('ofDepartment', { claims: { department: 'hr' } }), [
    'FORBIDDEN Forbidden: policy department @ofDepartment',
  ])
  t.strictSame(await ids('limited', { roles: ['hr'], claims: { clearance: 5 } }), ['n1', 'n2'], 'hybrid: both')
  t.match(await ids('limited', { roles: ['x'], claims: { clearance: 5 } }), [/policy hybrid/])
  t.match(await ids('limited', { roles: ['hr'] }), [/policy hybrid/], 'without the claim')
})

t.test('node: each type by the policy of its own query', async (t) => {
  const node = async (id: string, caller: TestCaller | null) => {
    const { data, errors } = await ask(`{ node(id: "${id}") { id } }`, caller)
    return data?.node?.id ?? (errors.length === 0 ? null : errors)
  }
  t.equal(await node('c1', { subject: 'bob', roles: ['hr'] }), 'c1')
  t.equal(await node('p2', { subject: 'bob' }), 'p2', 'one that is closed does not close the others')
  t.equal(await node('c1', { subject: 'bob' }), null)
  t.equal(await node('p1', { subject: 'bob', roles: ['hr'] }), null, 'the row decides')
  t.equal(await node('p1', { subject: null as never, roles: ['hr'] }), null, 'a rule without a value denies the type')
  t.strictSame(await node('c1', null), ['UNAUTHENTICATED Authentication required @'])
})

// proves: mutation.requires_policy
t.test('a mutation: of a row that the rule does not let through nothing is written', async (t) => {
  const edit = (name: string, caller: TestCaller) => ask(`mutation { ${name}(id: "n2", body: "Eve") { id } }`, caller)
  t.match((await edit('edit', { subject: 'ann' })).errors, [/NOT_FOUND/])
  t.match((await edit('force', { subject: 'ann' })).errors, [/policy staff/])
  t.match((await ask('{ notes { body } }', { subject: 'bob' })).data, { notes: [{}, { body: 'Of bob' }, {}] })
  t.strictSame((await edit('edit', { subject: 'bob' })).errors, [])
  await ask('mutation { edit(id: "n2", body: "Of bob") { id } }', { subject: 'bob' })
})

t.test('a row is not taken over by an argument that makes the rule true, and not deleted', async (t) => {
  const owners = async () => JSON.stringify((await ask('{ notes { id ownerId } }', { subject: 'bob' })).data)
  const before = await owners()
  const eve = { subject: 'eve' }
  for (const document of [
    'mutation { give(id: "n1", ownerId: "eve") { id } }',
    'mutation { a: give(id: "n1", ownerId: "eve") { __typename } }',
    'mutation { ...F } fragment F on Mutation { give(id: "n3", ownerId: "eve") { ownerId } }',
    'mutation { drop(id: "n1") { id } }',
    'mutation { drop(id: "n3") { __typename } }',
  ]) {
    t.match((await ask(document, eve)).errors, [/NOT_FOUND .*Nothing was written/], document)
  }
  t.equal(await owners(), before, 'nothing was written')
  t.match((await ask('mutation { drop(id: "n9") { id } }', eve)).errors, [/NOT_FOUND/], 'nor told what there is')
  t.match(await ask('mutation { give(id: "n1", ownerId: "ann") { id } }', { subject: 'ann' }), {
    data: { give: { id: /^n1$/ } },
  })
  t.match((await ask('mutation { give(id: "n1", ownerId: "bob") { id } }', { subject: 'ann' })).errors, [/NOT_FOUND/])
  t.equal(await owners(), before, 'nor given to somebody else, whom the giver may not see it with')
})

// proves: field.authorize
t.test('a field: masked as a whole by what is known of the user, row by row by a rule about the row', async (t) => {
  t.strictSame(await ask('{ notes { body } }', { subject: 'bob' }), {
    data: { notes: [{ body: null }, { body: 'Of bob' }, { body: null }] },
    errors: [],
  })
  t.strictSame(await ask('{ notes { secret } }', {}), {
    data: { notes: [{ secret: null }, { secret: null }, { secret: null }] },
    errors: ['FORBIDDEN Forbidden: policy staff @notes.secret'],
  })
  t.match((await ask('{ notes { secret } }', { roles: ['hr'] })).data, { notes: [{ secret: /^a$/ }, {}, {}] })
  t.match((await ask('{ notes { body secret } }', null)).errors, [/UNAUTHENTICATED .* @notes.body/, /@notes.secret/])
  for (const closed of ['where: { body: { _like: "Of b%" } }', 'orderBy: [{ secret: ASC }]']) {
    t.match(await ask(`{ notes(${closed}) { id } }`, { subject: 'ann' }), { data: null, errors: [/FORBIDDEN/] }, closed)
  }
  t.match(await ask('{ notes(where: { level: { _gt: 4 } }) { id } }', {}), {
    data: { notes: [{ id: /^n2$/ }, {}] },
    errors: [],
  })
})

t.test('a function: nothing but true allows; what fails denies and stands in the log', async (t) => {
  t.strictSame(await ids('asked', { subject: 'ann', roles: ['x'] }), ['n1', 'n2', 'n3'])
  t.match(calls, [[{ id: 'ann', roles: [/^x$/], scopes: [], claims: { sub: 'ann' } }, { policy: 'asked' }]])
  t.strictSame(await ids('asked', { subject: 'bob' }), ['FORBIDDEN Forbidden: policy asked @asked'])
  for (const name of ['throws', 'hangs', 'saysNothing', 'saysYes', 'rejects']) {
    const answer = await ids(name, { subject: 'ann' })
    t.match(answer, [/^FORBIDDEN Forbidden: policy \w+ @/], name)
    t.notMatch(JSON.stringify(answer), /secret of/)
  }
})

t.test('verdicts are cached per caller', async (t) => {
  calls.length = 0
  for (const caller of [
    { subject: 'ann' },
    { subject: 'ann' },
    { subject: 'ann', roles: ['x'] },
    { subject: 'bob' },
    { subject: 'bob' },
  ]) {
    t.equal((await ids('kept', caller))[0] === 'n1', caller.subject === 'ann')
  }
  t.equal(calls.length, 3, 'once each for two callers, once more for other roles')
})

t.test('one policy refuses at once, another later: the request is refused, and nothing is left behind', async (t) => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const { errors } = await ask('{ saysYes { id } anyRole { id } }', { subject: 'ann' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  t.match(errors, [/^FORBIDDEN Forbidden: policy (staff|says_yes) @/])
  t.strictSame(unhandled, [])
})

t.test('an operation without policies costs nothing', async (t) => {
  calls.length = 0
  t.strictSame(await ids('notes', null), ['n1', 'n2', 'n3'])
  t.equal(calls.length, 0)
})
