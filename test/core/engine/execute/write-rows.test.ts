import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { createPostgresDatabase } from '../../../helpers/databases.ts'
import { openApp } from '../../../helpers/open-app.ts'

const SQL = `
CREATE EXTENSION hstore;
CREATE TYPE mood AS ENUM ('good');
CREATE TABLE tb_user (user_id int PRIMARY KEY, name text NOT NULL, tags hstore, bag hstore);
INSERT INTO tb_user VALUES (1, 'Ann', 'a=>1, b=>NULL', 'a=>1, b=>NULL');
CREATE VIEW v_user AS SELECT * FROM tb_user;
CREATE FUNCTION fn_by_id(p_name text) RETURNS int LANGUAGE sql AS 'SELECT user_id FROM tb_user';
CREATE FUNCTION fn_rows(p_name text) RETURNS SETOF v_user LANGUAGE sql AS 'SELECT * FROM v_user';
CREATE FUNCTION fn_document(p_name text) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('user_id', 1) $$;
CREATE FUNCTION fn_none(p_name text) RETURNS SETOF v_user LANGUAGE sql AS 'SELECT * FROM v_user WHERE false';
CREATE FUNCTION fn_stats(p_name text) RETURNS TABLE (oldest int, youngest int) LANGUAGE sql AS 'SELECT max(user_id), min(user_id) FROM tb_user WHERE name = $1';
CREATE FUNCTION fn_no_stats(p_name text) RETURNS TABLE (oldest int, youngest int) LANGUAGE sql AS 'SELECT 1, 1 WHERE false';
CREATE FUNCTION fn_feel(p_name text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM p_name::mood; RETURN 1; END $$;
CREATE FUNCTION fn_secret(p_name text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT name FROM tb_user)::int; END $$;
`
const user = (name: string, type = 'User') =>
  ({ name, type, sql_source: `fn_${name}`, arguments: [{ name: 'name', type: 'String' }] }) as const
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'User',
      sql_source: 'v_user',
      fields: [
        { name: 'id', type: 'ID!', column: 'user_id' },
        { name: 'name', type: 'String!' },
        { name: 'tags', type: 'String' },
        { name: 'bag', type: 'JSON' },
      ],
    },
    {
      name: 'Stats',
      fields: [
        { name: 'oldest', type: 'Int' },
        { name: 'youngest', type: 'Int' },
      ],
    },
  ],
  input_types: [{ name: 'Flags', fields: [{ name: 'on', type: 'Boolean', default: false }] }],
  queries: [{ name: 'users', type: '[User!]!' }],
  mutations: [
    ...['by_id', 'rows', 'document', 'none'].map((name) => user(name, 'User!')),
    user('stats', 'Stats!'),
    user('no_stats', 'Stats!'),
    ...['feel', 'secret'].map((name) => user(name, 'Int')),
  ],
}

const url = await createPostgresDatabase(t, { sql: SQL })
const app = await openApp(t, { kind: 'postgres', url }, SCHEMA)
const ask = async (query: string) => {
  const { data, errors } = await app.graphql(query)
  return errors === undefined ? data : errors[0]
}

t.test('an id whose column has another name finds the row that a function gives', async (t) => {
  for (const name of ['byId', 'rows', 'document'])
    t.strictSame(await ask(`mutation { ${name} { id name } }`), { [name]: { id: '1', name: 'Ann' } }, name)
  t.match(await ask('mutation { none { id } }'), { extensions: { code: 'NOT_FOUND' } })
})

t.test('a column that becomes JSON in a row is the text that a read of it is', async (t) => {
  const { users } = await ask('{ users { tags bag } }')
  t.equal(users[0].tags, '"a"=>"1", "b"=>NULL')
  t.strictSame(await ask('mutation { rows { tags bag } }'), { rows: users[0] })
})

t.test('a row without any value is a row, and no row is none', async (t) => {
  t.strictSame(await ask('mutation { stats(name: "nobody") { oldest youngest } }'), {
    stats: { oldest: null, youngest: null },
  })
  t.match(await ask('mutation { noStats(name: "x") { oldest } }'), { extensions: { code: 'NOT_FOUND' } })
})

t.test(
  'a value that the database refuses is named with its argument, and one of another row is not shown',
  async (t) => {
    const { message, extensions } = await ask('mutation { feel(name: "sad") }')
    t.equal(message, 'Argument "name" of "feel": "sad" is not a valid mood.')
    t.match(extensions, { code: 'BAD_USER_INPUT', argument: 'name' })
    const secret = await ask('mutation { secret(name: "x") }')
    t.equal(secret.message, 'A value is not a valid integer, within the function "fn_secret".')
    t.notMatch(JSON.stringify(secret), /Ann/)
  },
)

t.test('an input field with a default is non-null with a default', async (t) => {
  const flags = {
    ...user('feel', 'Int'),
    arguments: [
      { name: 'name', type: 'String' },
      { name: 'flags', type: 'Flags' },
    ],
  }
  const own = await openApp(
    t,
    { kind: 'postgres', url },
    { ...SCHEMA, mutations: [{ ...flags, sql_source: 'fn_flags' }] },
    {
      compile: { catalog: null },
    },
  )
  const { data } = await own.graphql(
    '{ __type(name: "Flags") { inputFields { name defaultValue type { kind ofType { name } } } } }',
  )
  t.strictSame(data.__type.inputFields, [
    { name: 'on', defaultValue: 'false', type: { kind: 'NON_NULL', ofType: { name: 'Boolean' } } },
  ])
  const { errors } = await own.graphql('mutation { feel(flags: { on: null }) }')
  t.equal(errors?.[0]?.extensions.code, 'GRAPHQL_VALIDATION_FAILED')
})
