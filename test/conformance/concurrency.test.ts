import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { createSqlite } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import { openOnPostgres } from '../helpers/open-on-postgres.ts'
import { requireService, type TestLike } from '../helpers/services.ts'
import { extendSchema } from '../schemas/extend-schema.ts'
import { tableSchema } from '../schemas/table-schema.ts'

/** Many connections at once: nobody fails while the database keeps up, and nobody hangs when it does not. */
t.setTimeout(120_000)

const CONNECTIONS = 200

const SQL = `
CREATE TABLE tb_item (id int PRIMARY KEY, label text NOT NULL);
INSERT INTO tb_item SELECT n, 'item ' || n FROM generate_series(1, 1000) n;
CREATE VIEW v_item AS SELECT * FROM tb_item;
CREATE VIEW v_nap AS SELECT 1 AS id, s.slept::text AS slept FROM (SELECT pg_sleep(0.25) AS slept OFFSET 0) s;
CREATE FUNCTION fn_label(p_id int, p_label text) RETURNS boolean LANGUAGE sql AS $$
  UPDATE tb_item SET label = p_label WHERE id = p_id; SELECT true $$;
`
const SQLITE = {
  sql: `
CREATE TABLE tb_item (id INTEGER PRIMARY KEY, label TEXT NOT NULL);
WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 1000) INSERT INTO tb_item SELECT n, 'item ' || n FROM s;
CREATE VIEW v_item AS SELECT * FROM tb_item;
CREATE VIEW v_nap AS SELECT 1 AS id;
`,
  scripts: {
    fn_label: `-- :id int
-- :label text
-- returns boolean
UPDATE tb_item SET label = :label WHERE id = :id RETURNING true;`,
  },
}
const SCHEMA = extendSchema(
  tableSchema(
    { name: 'Item', sql_source: 'v_item', list: 'items', fields: { id: 'ID!', label: 'String!' } },
    {
      queries: [{ name: 'item', type: 'Item', sql_source: 'v_item', arguments: [{ name: 'id', type: 'ID!' }] }],
      mutations: [
        {
          name: 'label',
          type: 'Boolean',
          sql_source: 'fn_label',
          arguments: [
            { name: 'id', type: 'Int!' },
            { name: 'label', type: 'String!' },
          ],
        },
      ],
    },
  ),
  tableSchema({ name: 'Nap', sql_source: 'v_nap', list: 'naps', fields: { id: 'ID!' } }),
)

interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
  readonly ms: number
}

/** Keeps so many connections busy, each with one request after the other. A hang ends with the test's own deadline. */
async function load(
  url: string,
  options: { readonly ms: number; readonly body: (connection: number, turn: number) => unknown },
): Promise<readonly Answer[]> {
  const until = performance.now() + options.ms
  const answers: Answer[] = []
  async function connection(index: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    // One at least: on a machine that is busy the time may be over before the first.
    for (let turn = 0; turn === 0 || performance.now() < until; turn++) {
      const from = performance.now()
      const req = request(`${url}/graphql`, { method: 'POST', agent, headers: { 'content-type': 'application/json' } })
      req.end(JSON.stringify(options.body(index, turn)))
      const [reply] = await once(req, 'response')
      const body = await text(reply)
      const retryAfter = reply.headers['retry-after']
      answers.push({ status: reply.statusCode, retryAfter, body, ms: performance.now() - from })
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => connection(i)))
  return answers
}

t.test(`${CONNECTIONS} connections: every answer is right`, async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const app = await openOnPostgres(
    t,
    { sql: SQL, schema: SCHEMA },
    { database: { pool_max: 6, connect_timeout_ms: 30_000 } },
  )
  await everyAnswerIsRight(t, await app.listen())
})

t.test(`${CONNECTIONS} connections on SQLite, which writes one after the other: every answer is right`, async (t) => {
  const app = await openApp(t, await createSqlite(t, SQLITE), SCHEMA)
  await everyAnswerIsRight(t, await app.listen())
  const { rows } = await app.database.query(
    { name: null, text: "SELECT count(*) FROM tb_item WHERE label LIKE 'label %'", readOnly: true },
    [],
    null,
  )
  t.not(rows[0]?.[0], '0', 'and what was written is there')
})

async function everyAnswerIsRight(t: TestLike & Pick<Test, 'strictSame' | 'ok'>, url: string): Promise<void> {
  const id = (connection: number, turn: number) => ((connection * 7 + turn) % 900) + 1
  const answers = await load(url, {
    ms: 2000,
    body(connection, turn) {
      // One in ten writes, one in ten asks for a page, one in forty is slow.
      if (connection % 40 === 0) return { query: '{ naps { id } }' }
      if (connection % 10 === 1) {
        const label = `label ${connection}`
        const variables = { id: 900 + (connection % 100), label }
        return { query: 'mutation ($id: Int!, $label: String!) { label(id: $id, label: $label) }', variables }
      }
      if (connection % 10 === 2) return { query: '{ items(limit: 20) { id label } }' }
      const asked = id(connection, turn)
      return { query: 'query ($id: ID!) { item(id: $id) { id label } }', variables: { id: asked } }
    },
  })
  const failed = answers.filter(({ status, body }) => status !== 200 || body.includes('"errors"'))
  t.strictSame(failed.slice(0, 3), [])
  t.ok(answers.length > CONNECTIONS, `${answers.length} answers`)
  const mixed = answers.filter(({ body }) => {
    const item = /"item":\s*\{"id":\s*"(\d+)",\s*"label":\s*"item (\d+)"/.exec(body)
    return item !== null && item[1] !== item[2]
  })
  t.strictSame(mixed, [], 'no answer of somebody else')
}

t.test(`${CONNECTIONS} connections on an exhausted pool: 503 with Retry-After in time, nobody hangs`, async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const timeout = 500
  const app = await openOnPostgres(
    t,
    { sql: SQL, schema: SCHEMA },
    { database: { pool_max: 2, connect_timeout_ms: timeout } },
  )
  const url = await app.listen()
  const naps = { query: '{ naps { id } }' }
  const answers = await load(url, { ms: 2000, body: () => naps })
  const byStatus = new Map<number, Answer[]>()
  for (const answer of answers) byStatus.set(answer.status, [...(byStatus.get(answer.status) ?? []), answer])
  t.strictSame([...byStatus.keys()].sort(), [200, 503])
  t.ok(byStatus.get(200)?.every(({ body }) => !body.includes('"errors"')))
  t.ok(
    byStatus.get(503)?.every(({ body, retryAfter }) => body.includes('SERVICE_UNAVAILABLE') && Number(retryAfter) >= 1),
  )
  const longest = Math.max(...answers.map(({ ms }) => ms))
  // Who hangs does so for request_timeout_ms, 30 s; all connections share the processors with the load.
  t.ok(longest < timeout + 6000, `the longest took ${Math.round(longest)} ms`)
  const after = await load(url, { ms: 1, body: () => ({ query: '{ item(id: 1) { id } }' }) })
  t.ok(after.every(({ status }) => status === 200 || status === 503))
  const [last] = await load(url, { ms: 1, body: () => ({ query: '{ __typename }' }) })
  t.equal(last?.status, 200, 'it serves on')
})
