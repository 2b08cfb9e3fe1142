import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { collectGarbage } from '../../../helpers/collect-garbage.ts'
import { createPostgresDatabase, eachDatabase, runOnServer } from '../../../helpers/databases.ts'
import { type GraphQLBody, openApp, type TestApp } from '../../../helpers/open-app.ts'
import { requireService } from '../../../helpers/services.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

t.setTimeout(120_000)

const SQL = `
CREATE TABLE tb_note (id int PRIMARY KEY, size int NOT NULL);
INSERT INTO tb_note SELECT n, 1000 FROM generate_series(1, 100) n;
INSERT INTO tb_note VALUES (1000, 1000000), (1001, 120000000);
CREATE VIEW v_note AS SELECT id, size, repeat('x', size) AS body FROM tb_note;
CREATE FUNCTION fn_write(p_id int, p_size int) RETURNS int LANGUAGE sql AS $$
  INSERT INTO tb_note VALUES (p_id, p_size) RETURNING id $$;
CREATE FUNCTION fn_echo(p_id int, p_size int) RETURNS text LANGUAGE sql AS $$
  INSERT INTO tb_note VALUES (p_id, 1); SELECT repeat('y', p_size) $$;
`
const ID_AND_SIZE = ['id', 'size'].map((name) => ({ name, type: 'Int!' }))
const SCHEMA = tableSchema(
  { name: 'Note', sql_source: 'v_note', list: 'notes', fields: { id: 'ID!', body: 'String!' } },
  {
    queries: [{ name: 'note', type: 'Note', sql_source: 'v_note', arguments: [{ name: 'id', type: 'ID!' }] }],
    mutations: [
      { name: 'write', type: 'Note', sql_source: 'fn_write', arguments: ID_AND_SIZE },
      { name: 'echo', type: 'String', sql_source: 'fn_echo', arguments: ID_AND_SIZE },
    ],
  },
)

const TOO_LARGE = {
  message: /^The result is larger than \d+ bytes, the bound of svc\.max_response_bytes\. Page through it/,
  extensions: { code: 'VALIDATION_ERROR', statusCode: 400 },
}

async function ask(app: TestApp, query: string): Promise<GraphQLBody> {
  return (await app.inject({ url: '/graphql', body: { query } })).json<GraphQLBody>()
}

t.test('a result over svc.max_response_bytes is refused', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const bounds = { url: test.url, svc: { max_response_bytes: 50_000 } }
      // The driver of a server is opened with the bound; the embedded database relies on the engine.
      const app = await openApp(t, test, SCHEMA, test.kind === 'postgres' ? bounds : { svc: bounds.svc })

      t.match(await ask(app, '{ note(id: 1000) { id body } }'), {
        data: { note: null },
        errors: [{ ...TOO_LARGE, path: ['note'] }],
      })
      t.match((await ask(app, '{ note(id: 1000) { id } notes(limit: 2) { body } }')).data.notes, { length: 2 })

      const several = await ask(app, '{ a: note(id: 1000) { body } b: note(id: 1) { body } }')
      t.match(several, { errors: [TOO_LARGE] })
      t.equal(several.data, undefined, 'nobody says which root it was, and none is run again')

      const all = '{ notes(orderBy: [{ id: ASC }], limit: 100) { body } }'
      t.match(await ask(app, all), { errors: [TOO_LARGE] }, 'a list that is too long')
      t.equal((await ask(app, all.replace('{ body }', '{ id }'))).data.notes.length, 100)
    },
    { sql: SQL },
  ),
)

t.test('the bound is exact in bytes', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const query = '{ note(id: 1) { body } }'
  const exact = JSON.stringify({ note: { body: 'x'.repeat(1000) } }).length
  for (const [max_response_bytes, fits] of [
    [exact - 1, false],
    [exact, true],
    [0, true],
  ] as const) {
    const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, { url, svc: { max_response_bytes } })
    const { text } = await app.inject({ url: '/graphql', body: { query } })
    t.equal(!text.includes('errors'), fits, `${max_response_bytes}: ${text.slice(0, 60)}`)
    if (fits) t.equal(text.length, exact + '{"data":}'.length)
  }
})

t.test('a refused result is not built, and does not slow other requests', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  // One lane: everything shares a connection with the large result.
  const options = { url, database: { pool_max: 2 }, svc: { max_response_bytes: 2_000_000 } }
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, options)
  await ask(app, '{ note(id: 1) { body } }')
  collectGarbage()
  const before = process.memoryUsage()
  let most = 0
  let running = true
  const watch = (async () => {
    while (running) {
      const { heapTotal, external } = process.memoryUsage()
      most = Math.max(most, heapTotal + external - before.heapTotal - before.external)
      await sleep(1)
    }
  })()
  const small = Array.from({ length: 20 }, (_, i) => ask(app, `{ note(id: ${i + 1}) { id body } }`))
  const large = ask(app, '{ note(id: 1001) { body } }')
  const later = Array.from({ length: 20 }, (_, i) => ask(app, `{ note(id: ${i + 1}) { id body } }`))
  for (const answer of await Promise.all([...small, ...later])) t.match(answer.data.note.body, /^x{1000}$/)
  t.match(await large, { errors: [TOO_LARGE] })
  running = false
  await watch
  t.ok(most < 80_000_000, `${Math.round(most / 1e6)} MB more at most, for a result of 120 MB`)
  t.match(await ask(app, '{ note(id: 1000) { id body } }'), { data: { note: { id: '1000' } } }, 'under the bound')
})

t.test('writes', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, { url, svc: { max_response_bytes: 50_000 } })
  const written = async (id: number) =>
    (await runOnServer(new URL(url).pathname.slice(1), `SELECT 1 FROM tb_note WHERE id = ${id}`)).length === 1

  t.match(await ask(app, 'mutation { write(id: 2000, size: 10) { body } }'), {
    data: { write: { body: 'x'.repeat(10) } },
  })
  const refused = await ask(app, 'mutation { write(id: 2001, size: 100000) { body } }')
  t.match(refused, { data: { write: null }, errors: [{ ...TOO_LARGE, path: ['write'] }] })
  t.equal(await written(2001), false, 'what is read again after a write is bounded, and rolls it back')

  const echoed = await ask(app, 'mutation { echo(id: 2002, size: 100000) }')
  t.equal(echoed.data.echo.length, 100_000, 'what the function itself gave is not thrown away: it is written by then')
  t.equal(await written(2002), true)
})
