import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createPglite } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { as, testCredential } from '../../helpers/test-credential.ts'
import { restPlugin } from '../rest/world.ts'

/** Ways around a right that is missing: none may show the secret, and none may tell whether a guess is right. */
const SQL = `
CREATE TABLE tb_user (pk_user int PRIMARY KEY, id text NOT NULL UNIQUE, name text NOT NULL, secret text, fk_boss int);
INSERT INTO tb_user VALUES (1, 'u1', 'Ann', 'topsecret', NULL), (2, 'u2', 'Bob', 'other', 1);
CREATE VIEW v_user AS SELECT * FROM tb_user;
CREATE VIEW v_any AS SELECT 'User'::text AS __typename, * FROM tb_user;
CREATE VIEW v_note AS SELECT pk_user AS pk_note, 'n' || pk_user AS id, name AS text FROM tb_user;
CREATE VIEW v_plan AS SELECT pk_user AS pk_plan, 'p' || pk_user AS id, secret AS text FROM tb_user;
CREATE FUNCTION fn_touch(p_id text) RETURNS jsonb LANGUAGE sql AS $$ SELECT to_jsonb(u) FROM tb_user u WHERE id = p_id $$;
`
const SCHEMA: AuthoredSchema = {
  version: '1',
  interfaces: [
    {
      name: 'Keeper',
      sql_source: 'v_any',
      fields: [{ name: 'secret', type: 'String', requires_scope: 'read:secret' }],
    },
  ],
  unions: [{ name: 'Anything', members: ['User'], sql_source: 'v_any' }],
  types: [
    {
      name: 'User',
      sql_source: 'v_user',
      relay: true,
      aggregate: true,
      implements: ['Keeper'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        // The interface asks for the scope; the type says nothing of it.
        { name: 'secret', type: 'String' },
        { name: 'boss', type: 'User', relation: { from: 'fk_boss', to: 'pk_user' } },
        { name: 'staff', type: '[User!]!', relation: { from: 'pk_user', to: 'fk_boss' } },
      ],
    },
    ...['Note', 'Plan'].map((name) => ({
      name,
      sql_source: `v_${name.toLowerCase()}`,
      relay: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'text', type: 'String' },
      ],
    })),
  ],
  queries: [
    { name: 'note', type: 'Note', sql_source: 'v_note', arguments: [{ name: 'id', type: 'ID!' }] },
    { name: 'all_notes', type: '[Note!]!', sql_source: 'v_note', requires_role: 'admin' },
    { name: 'plans', type: '[Plan!]!', sql_source: 'v_plan' },
    {
      name: 'plan',
      type: 'Plan',
      sql_source: 'v_plan',
      arguments: [{ name: 'id', type: 'ID!' }],
      requires_scope: 'read:plans',
    },
    { name: 'users', type: '[User!]!', sql_source: 'v_user' },
    { name: 'user_pages', type: '[User!]!', sql_source: 'v_user', relay: true },
    { name: 'counted', type: '[User!]!', sql_source: 'v_user', auto_params: { total_count: true } },
    { name: 'keepers', type: '[Keeper!]!', sql_source: 'v_any' },
    { name: 'anything', type: '[Anything!]!', sql_source: 'v_any' },
    { name: 'closed', type: '[User!]!', sql_source: 'v_user', requires_role: 'admin' },
  ],
  mutations: [
    {
      name: 'touch',
      type: 'User',
      sql_source: 'fn_touch',
      operation: 'UPDATE',
      arguments: [{ name: 'id', type: 'ID!' }],
    },
  ],
}

const app = await openApp(t, { kind: 'pglite', url: await createPglite(t, { sql: SQL }) }, SCHEMA, {
  plugins: [testCredential(), restPlugin()],
})
const guess = (is: string) => `secret: { _eq: "${is}" }`

t.test('the secret is shown on no way', async (t) => {
  for (const query of [
    '{ users { x: secret } }',
    '{ users { ...A } } fragment A on User { ...B } fragment B on Keeper { secret }',
    '{ users { ... on Keeper { y: secret } ... @include(if: true) { secret } } }',
    '{ userPages { edges { node { secret } } } }',
    '{ counted { items { secret } } }',
    '{ keepers { secret } }',
    '{ keepers { ... on User { secret } } }',
    '{ anything { ... on User { secret } ... on Keeper { z: secret } } }',
    '{ users { boss { secret } staff { secret boss { secret } } } }',
    'mutation { touch(id: "u1") { secret } }',
    '{ usersAggregate { max { secret } } }',
    '{ a: usersAggregate { least: min { secret } most: max { x: secret } } }',
    '{ usersGroups(groupBy: [secret]) { keys { secret } } }',
    '{ users { staffAggregate { max { secret } } boss { staffAggregate { max { secret } } } id boss { secret } } }',
  ]) {
    const { data, errors } = await app.graphql(query, undefined, as({ scopes: ['read:other'] }))
    t.notMatch(JSON.stringify(data ?? null), /topsecret/, query)
    t.ok(
      errors?.some(({ extensions }) => extensions.code === 'FORBIDDEN'),
      `${query}: told so`,
    )
    const allowed = await app.graphql(query, undefined, as({ scopes: ['read:secret'] }))
    t.match(JSON.stringify(allowed.data), /topsecret/, `${query}: its twin`)
  }
})

t.test('a right and a wrong guess are answered alike', async (t) => {
  const ways: readonly ((is: string) => readonly [string, object?])[] = [
    (is) => [`{ users(where: { ${guess(is)} }) { id } }`],
    (is) => [`{ users(where: { _not: { _or: [{ ${guess(is)} }] } }) { id } }`],
    (is) => ['query ($w: UserWhereInput) { users(where: $w) { id } }', { w: { secret: { _eq: is } } }],
    (is) => [`{ users(where: { boss: { ${guess(is)} } }) { id } }`],
    (is) => [`{ users { staff(where: { boss: { ${guess(is)} } }) { id } } }`],
    (is) => [`{ users(where: { staff: { some: { ${guess(is)} } } }) { id } }`],
    (is) => [`{ counted(where: { ${guess(is)} }) { totalCount } }`],
    (is) => [`{ userPages(where: { ${guess(is)} }) { totalCount pageInfo { hasNextPage } } }`],
    (is) => [`{ keepers(where: { ${guess(is)} }) { __typename } }`],
    (is) => [`{ usersAggregate(where: { ${guess(is)} }) { count } }`],
    (is) => [`{ usersGroups(groupBy: [id], where: { ${guess(is)} }) { count } }`],
    (is) => [`{ usersGroups(groupBy: [id], having: { max: { ${guess(is)} } }) { keys { id } } }`],
    () => ['{ usersGroups(groupBy: [id], orderBy: [{ max: { secret: DESC } }]) { keys { id } } }'],
    () => ['{ usersAggregate { countDistinct { secret } } }'],
    () => ['{ users(orderBy: [{ secret: ASC }]) { id } }'],
    () => ['{ userPages(orderBy: [{ secret: ASC }]) { edges { cursor } } }'],
  ]
  for (const way of ways) {
    const answers = []
    for (const is of ['topsecret', 'nothing']) {
      const [query, variables] = way(is)
      const { data, errors } = await app.graphql(query, variables, as({}))
      t.ok(
        errors?.some(({ extensions }) => extensions.code === 'FORBIDDEN'),
        query,
      )
      answers.push(JSON.stringify([data, errors?.map(({ message }) => message)]))
    }
    t.equal(answers[0], answers[1], way('?')[0])
  }
})

t.test(
  'REST: neither shown nor guessed, by select, embedding, filters, sort, groups of conditions or a stream',
  async (t) => {
    const get = async (path: string, headers: Record<string, string>) => {
      const { status, text } = await app.inject({ url: `/rest/v1/users${path}`, headers })
      return { status, text }
    }
    for (const path of [
      '?select=id,secret',
      '?select=id,boss(secret)',
      '?select=staff(boss(secret))',
      '/stream-of-lines',
    ]) {
      const isStream = path.startsWith('/')
      const url = isStream ? '?select=secret' : path
      const lines: Record<string, string> = isStream ? { accept: 'application/x-ndjson' } : {}
      const refused = await get(url, { ...as({ scopes: ['read:other'] }), ...lines })
      t.notMatch(refused.text, /topsecret/, path)
      t.match(refused, { status: 403, text: /FORBIDDEN/ }, path)
      t.match(
        await get(url, { ...as({ scopes: ['read:secret'] }), ...lines }),
        { text: /topsecret/ },
        `${path}: its twin`,
      )
    }
    t.notMatch((await get('', as({}))).text, /secret/, 'nor by default')
    const ways: readonly ((is: string) => string)[] = [
      (is) => `?secret=${is}`,
      (is) => `?secret[eq]=${is}`,
      (is) => `?secret[startswith]=${is.slice(0, 3)}`,
      (is) => `?secret[in]=(${is},x)`,
      (is) => `?filter=${encodeURIComponent(JSON.stringify({ secret: { eq: is } }))}`,
      (is) => `?filter=${encodeURIComponent(JSON.stringify({ _not: { _or: [{ secret: { _eq: is } }] } }))}`,
      (is) => `?or=(id.eq.u9,secret.eq.${is})`,
      (is) => `?boss.secret=${is}`,
      (is) => `?select=id,staff(id)&staff.secret[eq]=${is}`,
      () => '?sort=secret',
      () => '?sort=-secret',
      () => '?select=id,staff(id)&staff.sort=-secret',
    ]
    for (const way of ways) {
      const told = await Promise.all(['topsecret', 'nothing'].map((is) => get(way(is), as({}))))
      const [right, wrong] = told.map(({ status, text }) => `${status} ${text.replaceAll('topsecret', 'nothing')}`)
      t.equal(right, wrong, `${way('?')}: a right and a wrong guess are answered alike`)
      t.ok((told[0]?.status ?? 0) >= 400, `${way('?')}: refused (${told[0]?.status} ${told[0]?.text.slice(0, 120)})`)
    }
  },
)

t.test('a guard of a root holds under every name, through fragments and variables', async (t) => {
  for (const query of [
    '{ x: closed { id } }',
    '{ users { id } ...Q } fragment Q on Query { closed { id } }',
    'query ($s: Boolean = false) { closed @skip(if: $s) { id } }',
  ]) {
    const { data, errors } = await app.graphql(query, undefined, as({ roles: ['Admin', 'administrator'] }))
    t.match(errors, [{ extensions: { code: 'FORBIDDEN' } }], query)
    t.notOk(data, 'nothing is answered in part')
  }
})

t.test('node gives rows of the types whose own query is open, and tells nothing of the others', async (t) => {
  const ask = '{ node(id: $id) { __typename id ... on Note { text } ... on Plan { text } ... on User { name } } }'
  const node = async (id: string, who?: Record<string, string>) => {
    const { data, errors } = await app.graphql(`query ($id: ID!) ${ask}`, { id }, who)
    t.equal(errors, undefined, id)
    return data.node
  }
  const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64')
  const note = { __typename: 'Note', id: 'n1', text: 'Ann' }
  const plan = { __typename: 'Plan', id: 'p1', text: 'topsecret' }
  for (const id of ['n1', globalId('Note', 'n1')])
    t.strictSame(await node(id), note, 'all_notes wants a role, note does not')
  for (const id of ['p1', globalId('Plan', 'p1'), 'p9', 'u1', globalId('User', 'u1')]) {
    t.equal(await node(id), null, `${id}: nobody`)
    t.equal(await node(id, as({ scopes: ['read:other'] })), null, `${id}: without the scope`)
  }
  t.strictSame(await node('p1', as({ scopes: ['read:plans'] })), plan)
  t.strictSame(await node('n1', as({ scopes: ['read:other'] })), note)
  // User has no query by id: all that gives its rows guards it, "closed" too.
  t.equal(await node('u1', as({ scopes: ['read:plans'] })), null)
  t.match(await node('u1', as({ roles: ['admin'] })), { __typename: 'User', name: 'Ann' })
  const { data } = await app.graphql(`query ($id: ID!) ${ask.replace('{ node', '{ plans { text } node')}`, { id: 'p1' })
  t.match(data, { node: null, plans: [{ text: 'topsecret' }, {}] }, 'another way to the type has its own guard')
})

t.test('callers of different rights at the same time, on one pool and one document', async (t) => {
  const query = '{ users { id secret } }'
  const callers = [[], ['read:secret'], ['read:other'], ['read:*']]
  const asked = Array.from({ length: 80 }, async (_, index) => {
    const scopes = callers[index % callers.length] as readonly string[]
    const { data } = await app.graphql(query, undefined, as({ subject: `s${index}`, scopes }))
    return JSON.stringify(data).includes('topsecret') === (scopes.includes('read:secret') || scopes.includes('read:*'))
  })
  t.ok((await Promise.all(asked)).every(Boolean))
})
