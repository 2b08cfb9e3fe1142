import t from 'tap'
import mcp from '../../../plugins/mcp/index.ts'
import { createPostgresDatabase, createSqlite, type TestDatabase } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { call } from '../mcp/world.ts'
import { restPlugin } from './world.ts'

/** Arguments that a client leaves out have their defaults, whichever way the call comes. */
const SQL = `
CREATE TABLE tb_a (id int PRIMARY KEY, n int, w text);
INSERT INTO tb_a SELECT g, g % 3, 'w' || g FROM generate_series(1, 9) g;
CREATE VIEW v_a AS SELECT * FROM tb_a;
CREATE FUNCTION fn_say(p_n int, p_price numeric, p_mood text, p_tags text[], p_doc jsonb, p_at timestamptz, p_input jsonb, p_big bigint, p_id text)
  RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('n', p_n, 'price', p_price::text, 'mood', p_mood, 'tags', p_tags, 'doc', p_doc,
  'at', p_at, 'input', p_input, 'big', p_big::text, 'id', p_id) $$;
CREATE FUNCTION fn_one(p_input jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT p_input $$;
CREATE FUNCTION fn_create_a(p_id int, p_n int, p_w text) RETURNS jsonb LANGUAGE sql AS $$ INSERT INTO tb_a VALUES (p_id, p_n, p_w) RETURNING to_jsonb(tb_a) $$;
CREATE FUNCTION fn_raise_a(p_id int, p_by int, p_mood text) RETURNS jsonb LANGUAGE sql AS $$
  UPDATE tb_a SET n = n + p_by, w = p_mood WHERE id = p_id RETURNING to_jsonb(tb_a) $$;`

const SQLITE: Parameters<typeof createSqlite>[1] = {
  sql: `CREATE TABLE tb_a (id int PRIMARY KEY, n int, w text); INSERT INTO tb_a VALUES (1, 1, 'w1'), (2, 2, 'w2'), (4, 1, 'w4'), (7, 1, 'w7');
    CREATE VIEW v_a AS SELECT * FROM tb_a;`,
  scripts: {
    fn_say: `-- :input json\n-- :doc json\n-- :tags json\n-- returns json\nSELECT json_object('n', :n, 'price', :price, 'mood', :mood, 'tags', json(:tags), 'doc', json(:doc), 'at', :at, 'input', json(:input), 'big', CAST(:big AS TEXT), 'id', :id)`,
    fn_one: '-- :input json\n-- returns json\nSELECT json(:input)',
    fn_create_a: 'INSERT INTO tb_a VALUES (:id, :n, :w) RETURNING *',
    fn_raise_a: 'UPDATE tb_a SET n = n + :by, w = :mood WHERE id = :id RETURNING *',
  },
}

const argument = (name: string, type: string, value?: unknown) => ({
  name,
  type,
  ...(value === undefined ? {} : { default: value }),
})
const SCHEMA = tableSchema(
  { name: 'A', sql_source: 'v_a', fields: [argument('id', 'Int!'), argument('n', 'Int'), argument('w', 'String')] },
  {
    enums: [
      {
        name: 'Mood',
        values: [
          { name: 'HAPPY', value: 'happy' },
          { name: 'SAD', value: 'sad' },
        ],
      },
    ],
    input_types: [{ name: 'In', fields: [argument('n', 'Int!'), argument('mood', 'Mood', 'SAD')] }],
    queries: [{ name: 'as', type: '[A!]!', sql_source: 'v_a', arguments: [argument('n', 'Int', 1)] }],
    mutations: [
      {
        name: 'say',
        type: 'JSON',
        sql_source: 'fn_say',
        operation: 'CUSTOM',
        arguments: [
          argument('n', 'Int!', 3),
          argument('price', 'Decimal!', 1.5),
          argument('mood', 'Mood!', 'HAPPY'),
          argument('tags', '[String!]!', ['a', 'b"']),
          argument('doc', 'JSON', { x: [1, null] }),
          argument('at', 'DateTime', '2024-01-01T00:00:00Z'),
          argument('input', 'In!', { n: 1 }),
          argument('big', 'BigInt', '9007199254740993'),
          argument('id', 'ID', 5),
        ],
      },
      {
        name: 'one',
        type: 'JSON',
        sql_source: 'fn_one',
        operation: 'CUSTOM',
        arguments: [argument('input', 'In!', { n: 7 })],
      },
      {
        name: 'create_a',
        type: 'A!',
        sql_source: 'fn_create_a',
        operation: 'CREATE',
        arguments: [argument('id', 'Int!'), argument('n', 'Int!', 2), argument('w', 'String', 'new')],
      },
      {
        name: 'raise_a',
        type: 'A',
        sql_source: 'fn_raise_a',
        operation: 'CUSTOM',
        arguments: [argument('id', 'Int!'), argument('by', 'Int!', 10), argument('mood', 'Mood', 'HAPPY')],
      },
    ],
  },
)

async function suite(t: TestLike, database: TestDatabase): Promise<void> {
  const heard: unknown[] = []
  const hook = entry(
    plugin('hook', (scope) => {
      scope.on('mutation:before', (_, { arguments: given }) => void heard.push(JSON.parse(JSON.stringify(given))))
    }),
  )
  const app = await openApp(t, database, SCHEMA, {
    plugins: [restPlugin(), hook, entry(mcp, { enabled: true, require_auth: false })],
  })
  const send = async (path: string, body?: unknown) => {
    const method = body === undefined ? 'GET' : 'POST'
    const reply = await app.inject({ method, url: `/rest/v1${path}`, ...(body === undefined ? {} : { body }) })
    // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, looked at by assertions
    return (reply.json() as any).data ?? reply.text
  }
  const said = (await app.graphql('mutation { say }')).data.say
  t.match(said, { n: 3, price: '1.5', mood: 'happy', doc: { x: [1, null] }, input: { n: 1, mood: 'sad' }, id: /^5$/ })
  t.strictSame(await send('/say', {}), said)
  t.strictSame((await call(app, 'say')).result.structuredContent, { say: said })
  t.equal(heard.length, 3)
  t.strictSame(heard[1], heard[0], 'a hook is given them by REST')
  t.strictSame(heard[2], heard[0], 'a hook is given them by MCP')

  t.strictSame(await send('/one', {}), { n: 7, mood: 'sad' }, 'no member of the input')
  t.strictSame(await send('/one', { n: 3 }), { n: 3, mood: 'sad' })
  t.match(await send('/one', { mood: 'HAPPY' }), /n: it is required/)
  t.strictSame(await send('/as', { id: 20 }), { id: 20, n: 2, w: 'new' })
  t.strictSame(await send('/as', [{ id: 21 }, { id: 22, n: 7, w: null }]), [
    { id: 21, n: 2, w: 'new' },
    { id: 22, n: 7, w: null },
  ])
  t.strictSame(await send('/as/20/raise', {}), { id: 20, n: 12, w: 'happy' })
  t.match(heard.at(-1), { by: 10, mood: 'HAPPY' })
  t.strictSame((await send('/as?sort=id&select=id')).slice(0, 3), [{ id: 1 }, { id: 4 }, { id: 7 }])
  t.match(await send('/as?n=2'), [{ n: 2 }])
}

t.test('defaults of arguments', async (t) => {
  await t.test('postgres', async (t) => {
    if (!(await requireService(t, 'postgres'))) return
    await suite(t, { kind: 'postgres', url: await createPostgresDatabase(t, { sql: SQL }) })
  })
  await t.test('sqlite', async (t) => suite(t, await createSqlite(t, SQLITE)))
})
