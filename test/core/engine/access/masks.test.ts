import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { Handler } from '../../../../core/contract/stages.ts'
import { rowFilter } from '../../../../core/engine/access/row-filter.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { createEngine } from '../../../conformance/access/engine.ts'
import { createPglite } from '../../../helpers/databases.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'

const SQL = `
CREATE TABLE tb_user (pk_user int PRIMARY KEY, id text NOT NULL UNIQUE, name text NOT NULL, email text, level int NOT NULL, fk_team int, tenant text);
CREATE TABLE tb_team (pk_team int PRIMARY KEY, id text NOT NULL UNIQUE, name text NOT NULL, secret text);
INSERT INTO tb_team VALUES (1, 't1', 'Blue', 'hush');
INSERT INTO tb_user VALUES (1, 'u1', 'Ann', 'ann@example.com', 3, 1, 'x'), (2, 'u2', 'Bob', 'bob@example.com', 5, 1, 'y');
CREATE VIEW v_user AS SELECT * FROM tb_user;
CREATE VIEW v_team AS SELECT * FROM tb_team;
CREATE VIEW v_named AS SELECT 'User'::text AS __typename, id, name, email, level, fk_team, NULL::int AS pk_team, NULL::text AS secret, pk_user FROM tb_user
  UNION ALL SELECT 'Team', id, name, NULL, 0, NULL, pk_team, secret, NULL FROM tb_team;
CREATE FUNCTION fn_rename(p_id text, p_name text) RETURNS text LANGUAGE sql AS $$
  UPDATE tb_user SET name = p_name WHERE id = p_id RETURNING id $$;
CREATE FUNCTION fn_rename_twice(p_id text, p_input jsonb) RETURNS text LANGUAGE sql AS $$
  UPDATE tb_user SET name = p_input->>'name' WHERE id = p_input->>'id' RETURNING id $$;
CREATE FUNCTION fn_level(p_id text, p_level int) RETURNS jsonb LANGUAGE sql AS $$
  UPDATE tb_user SET level = p_level WHERE id = p_id RETURNING jsonb_build_object('id', id, 'level', level, 'email', email, 'name', name) $$;
CREATE FUNCTION fn_drop(p_id text) RETURNS jsonb LANGUAGE sql AS $$
  DELETE FROM tb_user WHERE id = p_id RETURNING jsonb_build_object('id', id, 'name', name) $$;
`
const ID = { name: 'id', type: 'ID!' }
const NAME = { name: 'name', type: 'String!' }
const SCHEMA: AuthoredSchema = {
  version: '1',
  input_types: [{ name: 'Renaming', fields: [ID, NAME] }],
  interfaces: [{ name: 'Named', sql_source: 'v_named', fields: [ID, NAME] }],
  types: [
    {
      name: 'User',
      sql_source: 'v_user',
      implements: ['Named'],
      relay: true,
      fields: [
        ID,
        NAME,
        { name: 'number', type: 'Int', column: 'pk_user' },
        { name: 'email', type: 'String' },
        { name: 'level', type: 'Int!', filterable: false },
        { name: 'team', type: 'Team', relation: { from: 'fk_team', to: 'pk_team' } },
      ],
    },
    {
      name: 'Team',
      sql_source: 'v_team',
      implements: ['Named'],
      fields: [
        ID,
        NAME,
        { name: 'secret', type: 'String' },
        { name: 'members', type: '[User!]', relation: { from: 'pk_team', to: 'fk_team' } },
      ],
    },
  ],
  queries: [
    { name: 'users', type: '[User!]!', sql_source: 'v_user' },
    { name: 'maybe_users', type: '[User!]', sql_source: 'v_user' },
    { name: 'user_pages', type: '[User!]!', relay: true, sql_source: 'v_user' },
    { name: 'user', type: 'User', sql_source: 'v_user', arguments: [ID] },
    { name: 'teams', type: '[Team!]!', sql_source: 'v_team' },
    { name: 'named', type: '[Named!]!', sql_source: 'v_named' },
  ],
  mutations: [
    { name: 'rename', type: 'User', sql_source: 'fn_rename', operation: 'UPDATE', arguments: [ID, NAME] },
    {
      name: 'set_level',
      type: 'User!',
      sql_source: 'fn_level',
      operation: 'UPDATE',
      arguments: [ID, { name: 'level', type: 'Int!' }],
    },
    { name: 'drop', type: 'User', sql_source: 'fn_drop', operation: 'DELETE', arguments: [ID] },
    {
      name: 'drop_by_key',
      type: 'User',
      sql_source: 'fn_drop',
      operation: 'DELETE',
      call: 'positional',
      arguments: [{ name: 'user_key', type: 'ID!' }],
    },
    {
      name: 'rename_twice',
      type: 'User',
      sql_source: 'fn_rename_twice',
      operation: 'UPDATE',
      call: 'positional',
      arguments: [
        { name: 'id', type: 'ID' },
        { name: 'input', type: 'Renaming!' },
      ],
    },
  ],
}

const database = await openTestDatabase(t as never, {
  kind: 'pglite',
  url: await createPglite(t as never, { sql: SQL }),
})
const engine = (authorize: Handler<'authorize'>) => createEngine(database, SCHEMA, authorize)
const denying = (...targets: string[]) =>
  engine((_ctx, _operation, access) => {
    for (const target of targets) access.deny(target, new SvcError('FORBIDDEN', `No ${target}.`))
  })

t.test('a masked field is null, with one error at its place', async (t) => {
  const { ask } = await denying('User.email')
  t.strictSame(await ask('{ users { mail: email name } }', 'ann'), {
    text: '{"users":[{"mail":null,"name":"Ann"},{"mail":null,"name":"Bob"}]}',
    codes: ['FORBIDDEN'],
  })
  t.strictSame(
    await ask('{ __typename users { email } kind: __typename }', 'ann'),
    {
      text: '{"__typename":"Query","users":[{"email":null},{"email":null}],"kind":"Query"}',
      codes: ['FORBIDDEN'],
    },
    'the name of the root beside it stays',
  )
  t.strictSame(await ask('{ users { name } }', 'ann'), { text: '{"users":[{"name":"Ann"},{"name":"Bob"}]}', codes: [] })
  t.strictSame(await ask('{ teams { members { email } } a: users { email } }', 'ann'), {
    text: '{"teams":[{"members":[{"email":null},{"email":null}]}],"a":[{"email":null},{"email":null}]}',
    codes: ['FORBIDDEN', 'FORBIDDEN'],
  })
})

t.test('one that may not be null takes its object along, up to what may', async (t) => {
  const { ask } = await denying('User.level')
  t.strictSame(await ask('{ teams { name members { level } } }', 'ann'), {
    text: '{"teams":[{"name":"Blue","members":null}]}',
    codes: ['FORBIDDEN'],
  })
  t.strictSame(await ask('{ maybeUsers { level } teams { name } }', 'ann'), {
    text: '{"maybeUsers":null,"teams":[{"name":"Blue"}]}',
    codes: ['FORBIDDEN'],
  })
  t.strictSame(await ask('{ users { level } teams { name } }', 'ann'), { text: '', codes: ['FORBIDDEN'] })
})

t.test('closed in filters and orders, wherever it is reached', async (t) => {
  const { ask } = await denying('User.email', 'Team.name')
  for (const query of [
    '{ users(where: { email: { _is_null: true } }) { name } }',
    '{ users(where: { _or: [{ name: { _eq: "x" } }, { _not: { email: { _eq: "x" } } }] }) { name } }',
    '{ users(orderBy: [{ email: ASC }]) { name } }',
    '{ teams(where: { members: { some: { email: { _eq: "x" } } } }) { id } }',
    '{ teams { members(orderBy: [{ email: ASC }]) { name } } }',
    '{ users(where: { team: { name: { _eq: "Blue" } } }) { name } }',
    '{ named(where: { name: { _eq: "Ann" } }) { id } }',
    '{ named(orderBy: [{ name: ASC }]) { id } }',
    '{ userPages(orderBy: [{ name: ASC }, { email: DESC }]) { totalCount } }',
  ]) {
    t.strictSame((await ask(query, 'ann')).codes, ['FORBIDDEN'], query)
  }
  const type = await denying('Team')
  // Not its fields alone: that there is such a row, or none, is told of no row of a denied type.
  for (const where of [
    '{ team: { id: { _eq: "t1" } } }',
    '{ team: {} }',
    '{ _not: { team: {} } }',
    '{ _or: [{ name: { _eq: "Ann" } }, { team: { _not: {} } }] }',
  ]) {
    const told = await type.ask(`{ users(where: ${where}) { name } }`, 'ann')
    t.strictSame(told.codes, ['FORBIDDEN'], where)
  }
  t.strictSame((await type.ask('{ users(where: { team: null }) { name } }', 'ann')).codes, ['BAD_USER_INPUT'])
  const people = await denying('User')
  for (const where of [
    '{ members: { some: {} } }',
    '{ members: { none: {} } }',
    '{ _not: { members: { every: {} } } }',
  ]) {
    const told = await people.ask(`{ teams(where: ${where}) { id } }`, 'ann')
    t.strictSame(told.codes, ['FORBIDDEN'], where)
  }
  t.strictSame(await type.ask('{ users { name team { id } } }', 'ann'), {
    text: '{"users":[{"name":"Ann","team":null},{"name":"Bob","team":null}]}',
    codes: ['FORBIDDEN'],
  })
})

t.test('a cursor holds nothing that is denied', async (t) => {
  const { ask } = await denying('User.number')
  for (const query of [
    '{ userPages(first: 1) { edges { cursor } } }',
    '{ userPages(first: 1) { pageInfo { startCursor } } }',
    '{ userPages(first: 1, orderBy: [{ name: ASC }]) { pageInfo { endCursor } } }',
    `{ userPages(first: 1, after: "${Buffer.from('1').toString('base64')}") { edges { node { name } } } }`,
  ]) {
    t.strictSame((await ask(query, 'ann')).codes, ['FORBIDDEN'], query)
  }
  const open = '{ userPages(first: 1) { edges { node { name } } pageInfo { hasNextPage } totalCount } }'
  t.strictSame(await ask(open, 'ann'), {
    text: '{"userPages":{"edges":[{"node":{"name":"Ann"}}],"pageInfo":{"hasNextPage":true},"totalCount":2}}',
    codes: [],
  })
  const free = await denying('User.email')
  t.strictSame((await free.ask('{ userPages(first: 1) { edges { cursor } } }', 'ann')).codes, [])
})

t.test('rows of a denied type are left out of what an interface shows', async (t) => {
  const { ask } = await denying('User')
  t.strictSame(await ask('{ named { name } }', 'ann'), { text: '{"named":[{"name":"Blue"}]}', codes: ['FORBIDDEN'] })
  t.strictSame(
    await ask('{ named { __typename ... on Team { secret } } }', 'ann'),
    { text: '{"named":[{"__typename":"Team","secret":"hush"}]}', codes: [] },
    'who did not ask for it by name is not told of it',
  )
  const both = await denying('Named')
  t.strictSame(await both.ask('{ named { name } }', 'ann'), { text: '', codes: ['FORBIDDEN'] })
})

t.test('reject: an operation that selects it fails as a whole, and nothing is written', async (t) => {
  const { ask } = await engine((_ctx, _operation, access) => {
    access.deny('User.email', new SvcError('SECRET', 'No.'), { onDeny: 'reject' })
  })
  t.strictSame(await ask('{ teams { name members { email } } }', 'ann'), { text: '', codes: ['SECRET'] })
  t.strictSame(await ask('mutation { rename(id: "u1", name: "X") { email } }', 'ann'), { text: '', codes: ['SECRET'] })
  t.strictSame(await ask('{ user(id: "u1") { name } }', 'ann'), { text: '{"user":{"name":"Ann"}}', codes: [] })
})

t.test('mutations: masked in their results; what cannot be answered is not written', async (t) => {
  const { ask } = await denying('User.email')
  t.strictSame(await ask('mutation { setLevel(id: "u1", level: 4) { email level } }', 'ann'), {
    text: '{"setLevel":{"email":null,"level":4}}',
    codes: ['FORBIDDEN'],
  })
  const closed = await denying('User.level')
  t.strictSame(await closed.ask('mutation { setLevel(id: "u1", level: 9) { level } }', 'ann'), {
    text: '',
    codes: ['FORBIDDEN'],
  })
  t.strictSame(await ask('{ user(id: "u1") { level } }', null), { text: '{"user":{"level":4}}', codes: [] })
  const type = await denying('User')
  t.strictSame(await type.ask('mutation { rename(id: "u1", name: "Anne") { name } }', 'ann'), {
    text: '{"rename":null}',
    codes: ['FORBIDDEN'],
  })
  t.strictSame(
    (await ask('{ user(id: "u1") { name } }', null)).text,
    '{"user":{"name":"Ann"}}',
    'of a type that nobody shows him nobody writes a row, whether the answer may be null or not',
  )
  t.strictSame(await ask('mutation { rename(id: "u1", name: "Anne") { name } }', 'ann'), {
    text: '{"rename":{"name":"Anne"}}',
    codes: [],
  })
})

t.test('a mutation writes no row that its caller may not see', async (t) => {
  const { ask } = await engine(({ auth }, _operation, access) => access.where('User', { name: { _eq: auth?.subject } }))
  t.strictSame(await ask('mutation { setLevel(id: "u2", level: 1) { level } }', 'Anne'), {
    text: '',
    codes: ['NOT_FOUND'],
  })
  t.strictSame(await ask('{ users { level } }', 'Bob'), { text: '{"users":[{"level":5}]}', codes: [] }, 'rolled back')
  t.strictSame(await ask('mutation { setLevel(id: "u2", level: 6) { level } }', 'Bob'), {
    text: '{"setLevel":{"level":6}}',
    codes: [],
  })
  // What makes the rule true afterwards, and an id that is left out or said elsewhere, change nothing.
  for (const given of ['', 'id: null, ', 'id: "u1", ']) {
    const taking = `mutation { renameTwice(${given}input: { id: "u2", name: "Anne" }) { name } }`
    t.strictSame((await ask(taking, 'Anne')).codes, ['NOT_FOUND'], taking)
  }
  t.strictSame(await ask('mutation { dropByKey(userKey: "u2") { name } }', 'Anne'), {
    text: '{"dropByKey":null}',
    codes: ['FORBIDDEN'],
  })
  t.strictSame((await ask('{ users { name } }', 'Bob')).text, '{"users":[{"name":"Bob"}]}', 'it is still there')
  t.strictSame(await ask('mutation { drop(id: "u2") { id name } }', 'Bob'), {
    text: '{"drop":{"id":"u2","name":"Bob"}}',
    codes: [],
  })
})

t.test('conditions may look at what clients cannot filter by, and across relations', async (t) => {
  const level = await engine((_ctx, _operation, access) => access.where('User', { level: { _gt: 100 } }))
  t.strictSame((await level.ask('{ users { name } }', 'ann')).text, '{"users":[]}')
  const across = await engine((_ctx, _operation, access) => {
    access.deny('Team')
    access.where('User', { team: { members: { some: { name: { _eq: 'Anne' } } } } })
    access.where('Team', { members: { none: { name: { _eq: 'Zoe' } } } })
  })
  t.strictSame((await across.ask('{ users { name } }', 'ann')).text, '{"users":[{"name":"Anne"}]}', 'no rule of a rule')
})

t.test('a filter in SQL refers to its own source at every depth', async (t) => {
  // `secret` is a column of the team around the user, and none of the user.
  const trap = await engine((_ctx, _operation, access) => access.where('User', rowFilter("secret = 'hush'")))
  const { text, codes } = await trap.ask('{ teams { name members { name } } }', 'ann')
  t.notMatch(text, /Anne/)
  t.strictSame(codes.length, 1)
  const own = await engine((_ctx, _operation, access) => {
    access.where('User', rowFilter('tenant = ANY({tenants})', { tenants: ['x', 'z'] }))
    access.where('User', rowFilter("name <> 'it''s {1}'"))
  })
  t.strictSame(
    (await own.ask('{ teams { members { name } } users { name } }', 'ann')).text,
    '{"teams":[{"members":[{"name":"Anne"}]}],"users":[{"name":"Anne"}]}',
  )
})

t.test('values that do not fit deny; conditions that cannot be are the log’s', async (t) => {
  const code = async (tree: object) =>
    (
      await (
        await engine((_ctx, _operation, access) => access.where('User', tree as never))
      ).ask('{ users { name } }', 'ann')
    ).codes
  t.strictSame(await code({ level: { _eq: { id: 1 } } }), ['FORBIDDEN'])
  t.strictSame(await code({ level: { _eq: 'many' } }), ['FORBIDDEN'])
  t.strictSame(await code({ name: { _eq: 'a\0' } }), ['FORBIDDEN'])
  t.strictSame(await code({ level: { _contains: 'x' } }), ['SVC_ACCESS_INVALID'], 'the field has no such operator')
  t.strictSame(await code({ name: { _is_null: 'yes' } }), ['SVC_ACCESS_INVALID'])
})

t.test('callers with different masks have different plans and values', async (t) => {
  const { ask } = await engine(({ auth }, _operation, access) => {
    if (auth === null) return
    access.where('Team', { name: { _eq: auth.subject } })
    if (auth.subject === 'Red') access.deny('Team.secret')
  })
  for (const [who, text] of [
    ['Blue', '{"teams":[{"secret":"hush"}]}'],
    ['Red', '{"teams":[]}'],
    [null, '{"teams":[{"secret":"hush"}]}'],
    ['Green', '{"teams":[]}'],
    ['Blue', '{"teams":[{"secret":"hush"}]}'],
  ] as const) {
    t.equal((await ask('{ teams { secret } }', who)).text, text, String(who))
  }
})
