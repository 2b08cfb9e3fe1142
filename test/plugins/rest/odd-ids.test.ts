import t from 'tap'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { restPlugin } from './world.ts'

const SQL = `
CREATE TABLE tb_tag (id text PRIMARY KEY, name text NOT NULL);
CREATE VIEW v_tag AS SELECT * FROM tb_tag;
CREATE FUNCTION fn_create_tag(p_id text, p_name text) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_tag VALUES (p_id, p_name) RETURNING to_jsonb(tb_tag) $$;
CREATE FUNCTION fn_update_tag(p_id text, p_name text) RETURNS jsonb LANGUAGE sql AS $$
  UPDATE tb_tag SET name = p_name WHERE id = p_id RETURNING to_jsonb(tb_tag) $$;
CREATE FUNCTION fn_delete_tag(p_id text) RETURNS boolean LANGUAGE sql AS $$
  WITH gone AS (DELETE FROM tb_tag WHERE id = p_id RETURNING 1) SELECT EXISTS (SELECT 1 FROM gone) $$;`

const ID = { name: 'id', type: 'ID!' }
const NAME = { name: 'name', type: 'String!' }
const SCHEMA = tableSchema(
  { name: 'Tag', sql_source: 'v_tag', list: 'tags', fields: [ID, NAME] },
  {
    queries: [{ name: 'tag', type: 'Tag', arguments: [ID] }],
    mutations: [
      { name: 'create_tag', type: 'Tag!', operation: 'CREATE', sql_source: 'fn_create_tag', arguments: [ID, NAME] },
      { name: 'update_tag', type: 'Tag!', operation: 'UPDATE', sql_source: 'fn_update_tag', arguments: [ID, NAME] },
      { name: 'delete_tag', type: 'Boolean!', operation: 'DELETE', sql_source: 'fn_delete_tag', arguments: [ID] },
    ],
  },
)

/** What a URL has a meaning of its own for, and what takes room in it. */
const IDS = [
  ...[
    'a/b',
    '/',
    'a//b',
    'a?b',
    'a#b',
    '50%',
    '100%25',
    '%2F',
    'a b',
    ' ',
    'a+b',
    'a&b=c',
    "o'brien",
    '"q"',
    'a;b',
    'a:b',
  ],
  ...['*', ':id', '$&', '{id}', '...', '..a', '.a', 'é', '日本', '😀', 'a\\b', '<b>', 'x'.repeat(1500)],
]

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: SQL })
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, { plugins: [restPlugin()] })
  const listening = await app.listen()

  for (const id of IDS)
    t.test(`the row ${JSON.stringify(id.slice(0, 20))} is where its Location says`, async (t) => {
      const send = async (method: string, address: string, body?: object) => {
        const init =
          body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        const reply = await fetch(new URL(address, listening), { method, ...init })
        const text = await reply.text()
        return { status: reply.status, headers: reply.headers, body: text === '' ? null : JSON.parse(text) }
      }
      const made = await send('POST', '/rest/v1/tags', { id, name: 'new' })
      t.equal(made.status, 201)
      const location = made.headers.get('location') ?? ''
      t.equal(new URL(location).pathname.split('/').length, 5, 'one step of a path, whatever it holds')
      t.equal(new URL(location).search + new URL(location).hash, '')
      t.strictSame((await send('GET', location)).body, { data: { id, name: 'new' } })
      t.equal((await send('HEAD', location)).status, 200)
      t.equal((await send('PATCH', location, { name: 'changed' })).status, 200)
      t.strictSame((await send('GET', location)).body, { data: { id, name: 'changed' } })
      t.equal((await send('DELETE', location)).status, 204)
      t.equal((await send('GET', location)).status, 404)
    })

  t.test('a row that no URL leads to has no Location', async (t) => {
    for (const id of ['.', '..', '']) {
      const made = await app.inject({ method: 'POST', url: '/rest/v1/tags', body: { id, name: 'new' } })
      t.equal(made.status, 201, JSON.stringify(id))
      t.equal(made.headers.location, undefined)
      t.strictSame(made.json(), { data: { id, name: 'new' } })
    }
  })
}
