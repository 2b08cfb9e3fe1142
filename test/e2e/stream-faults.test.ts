import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { createPostgresDatabase, runOnServer } from '../helpers/databases.ts'
import { createExportPlugin } from '../helpers/export-plugin.ts'
import { type OpenAppOptions, openApp } from '../helpers/open-app.ts'
import { requireService, type TestLike } from '../helpers/services.ts'

const ROWS = 60_000
const WIDTH = 600
/** Of a row that never ends. */
const ROW_SECONDS = 60
/** Far less than that, and far more than a busy machine takes. */
const SOON_MS = 20_000
const SQL = `
CREATE VIEW v_line AS SELECT g AS id, repeat('x', ${WIDTH}) || g AS body, CASE WHEN g = 5000 THEN 9000000000 ELSE g END AS number
  FROM generate_series(1, ${ROWS}) g;
CREATE VIEW v_wide AS SELECT g AS id, repeat('x', CASE WHEN g = 40 THEN 2000000 ELSE 10 END) AS body FROM generate_series(1, 100) g;
CREATE FUNCTION fn_share(g int) RETURNS int LANGUAGE plpgsql STABLE COST 100000 AS $$ BEGIN RETURN 7 / (g - 900); END $$;
CREATE VIEW v_bad AS SELECT g AS id, CASE WHEN g % 2 = 0 THEN 'even' END AS body, fn_share(g) AS share FROM generate_series(1, 2000) g;
-- Dear, so that it is called behind the sort.
CREATE FUNCTION fn_slow(g int) RETURNS text LANGUAGE plpgsql STABLE COST 100000 AS $$
  BEGIN IF g > 40 THEN PERFORM pg_sleep(${ROW_SECONDS}); END IF; RETURN 'x'; END $$;
CREATE VIEW v_slow AS SELECT g AS id, fn_slow(g) AS body FROM generate_series(1, 100) g;
`
/** Thousands of large rows, several times: a busy machine takes minutes. */
t.setTimeout(240_000)

const line = (name: string, more: { name: string; type: string }[] = []) => ({
  name,
  sql_source: `v_${name.toLowerCase()}`,
  fields: [{ name: 'id', type: 'Int!' }, { name: 'body', type: name === 'Bad' ? 'String!' : 'String' }, ...more],
})
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    line('Line', [{ name: 'number', type: 'Int' }]),
    line('Wide'),
    line('Bad', [{ name: 'share', type: 'Int' }]),
    line('Slow'),
  ],
  queries: ['Line', 'Wide', 'Bad', 'Slow'].map((name) => ({
    name: `${name.toLowerCase()}s`,
    type: `[${name}!]!`,
    sql_source: `v_${name.toLowerCase()}`,
  })),
}

async function open(t: TestLike, options: OpenAppOptions = {}) {
  const url = await createPostgresDatabase(t, { sql: SQL })
  const name = new URL(url).pathname.slice(1)
  const exported = createExportPlugin()
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, { ...options, url, plugins: [exported] })
  const base = await app.listen()
  /** Backends of the service that are in a transaction. */
  const inTransaction = async (): Promise<number> => {
    const rows = await runOnServer(
      name,
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND (state LIKE 'idle in transaction%' OR (state = 'active' AND query ~ 'svc_stream'))`,
    )
    return rows[0]!.n as number
  }
  const begin = (query: string, more = ''): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = get(`${base}/export?query=${encodeURIComponent(query)}${more}`, resolve)
      request.on('error', reject)
    })
  return { app, name, exported, inTransaction, begin, active: () => app.database.pool.active }
}

/** Takes what is there until so many bytes came, and no more. */
async function take(response: IncomingMessage, bytes: number): Promise<void> {
  let seen = 0
  for (;;) {
    const chunk = response.read() as Buffer | null
    if (chunk === null) await new Promise((resolve) => response.once('readable', resolve))
    else seen += chunk.length
    if (seen >= bytes) return
  }
}

async function within(ms: number, holds: () => Promise<boolean>): Promise<number | null> {
  const started = performance.now()
  while (!(await holds())) {
    if (performance.now() - started > ms) return null
    await pause(5)
  }
  return performance.now() - started
}

const isInTime = (took: number | null): boolean => took !== null && took < 100

t.test('faults of a stream', async (t) => {
  if (!(await requireService(t, 'postgres'))) return

  await t.test('all rows, one a line, in either form', async (t) => {
    const { begin, inTransaction } = await open(t)
    const lines = (await text(await begin('{ lines { id body } }'))).split('\n')
    t.equal(lines.length, ROWS + 1)
    t.equal(lines[ROWS - 1], `{"id":${ROWS},"body":"${'x'.repeat(WIDTH)}${ROWS}"}`)
    t.equal(lines[ROWS], '')
    const columns = (await text(await begin('{ lines { id body } }', '&form=columns'))).split('\n')
    t.equal(columns.length, ROWS + 1)
    t.strictSame(JSON.parse(columns[ROWS - 1]!), [String(ROWS), `${'x'.repeat(WIDTH)}${ROWS}`])
    t.equal(await inTransaction(), 0)
  })

  await t.test('a client that leaves in the middle: cursor and transaction are gone within 100 ms', async (t) => {
    const { begin, inTransaction, active, app } = await open(t)
    for (const form of ['rows', 'columns']) {
      const took: (number | null)[] = []
      // Others are at work on this machine: what was once done in time can be.
      while (took.length < 10 && !took.some(isInTime)) {
        const response = await begin('{ lines { id body } }', `&form=${form}`)
        await take(response, 100_000)
        t.equal(await inTransaction(), 1, 'in the middle')
        response.destroy()
        took.push(await within(2000, async () => active() === 0))
        t.not(took.at(-1), null)
        t.equal(await inTransaction(), 0)
      }
      t.ok(took.some(isInTime), `the connection is back after ${took.join(', ')} ms`)
    }
    t.equal((await app.graphql('{ lines(limit: 1) { id } }')).data.lines.length, 1, 'and the service goes on')
  })

  await t.test('a client that leaves while the database is at work', async (t) => {
    const { begin, inTransaction, active } = await open(t)
    const response = await begin('{ slows { id body } }')
    await take(response, 100)
    t.ok(await within(SOON_MS, async () => (await inTransaction()) === 1))
    await pause(50)
    response.destroy()
    const took = await within(SOON_MS, async () => (await inTransaction()) === 0)
    t.not(took, null, `stopped after ${took} ms, while one row takes ${ROW_SECONDS} s`)
    t.ok(await within(SOON_MS, async () => active() === 0))
  })

  await t.test('a database that dies in the middle: an error at the end, and the pool is well', async (t) => {
    const { begin, name, app, active } = await open(t)
    const response = await begin('{ lines { id body } }')
    await take(response, 100_000)
    // Between two batches, which it may be at just now.
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
      AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`
    t.not(await within(SOON_MS, async () => (await runOnServer(name, end)).length === 1), null)
    const lines = (await text(response)).trimEnd().split('\n')
    const last = JSON.parse(lines.at(-1)!)
    t.match(last, { error: { extensions: { code: 'SERVICE_UNAVAILABLE' } } })
    t.notMatch(JSON.stringify(last), /FETCH|SELECT|terminat/)
    t.ok(lines.length < ROWS)
    t.ok(await within(1000, async () => active() === 0))
    for (let i = 0; i < 10; i++) t.equal((await app.graphql('{ lines(limit: 1) { id } }')).data.lines.length, 1)
    t.equal((await text(await begin('{ wides { id } }'))).split('\n').length, 101, 'and streams work')
  })

  await t.test('a failure before the first row is an error with its status', async (t) => {
    const { begin, inTransaction } = await open(t)
    const refused = await begin('{ lines { id } more: lines { id } }')
    t.equal(refused.statusCode, 400)
    t.match(JSON.parse(await text(refused)), { error: { code: 'REQUEST_ERROR' } })
    const bad = await begin('{ lines(limit: -1) { id } }')
    t.equal(bad.statusCode, 400)
    bad.resume()
    t.equal(await inTransaction(), 0)
  })

  await t.test('a failure after the first row ends the stream with its error', async (t) => {
    const { begin, active } = await open(t)
    const lines = (await text(await begin('{ bads(where: { body: { _is_null: false } }) { id share } }')))
      .trimEnd()
      .split('\n')
    t.match(JSON.parse(lines.at(-1)!), { error: { path: ['bads'] } })
    t.ok(lines.length > 30 && lines.length < 1000, `${lines.length} lines`)
    const required = (await text(await begin('{ bads(orderBy: [{ id: ASC }]) { body } }'))).trimEnd().split('\n')
    t.match(JSON.parse(required.at(-1)!), { error: { path: ['bads', 0, 'body'], message: /Cannot return null/ } })
    t.ok(await within(1000, async () => active() === 0))
  })

  await t.test('an invalid value becomes null, and is reported at the end', async (t) => {
    const { begin } = await open(t)
    for (const [form, row] of [
      ['rows', '{"number":null}'],
      ['columns', '[null]'],
    ] as const) {
      const response = await begin('{ lines(limit: 5001) { number } }', `&form=${form}`)
      const lines = (await text(response)).trimEnd().split('\n')
      t.equal(lines[4999], row, form)
      t.match(JSON.parse(lines.at(-1)!), { error: { path: ['lines', 4999, 'number'] } })
      t.equal(lines.length, 5002)
    }
  })

  await t.test('svc.max_response_bytes bounds a row, not the stream', async (t) => {
    const { begin, active } = await open(t, { svc: { max_response_bytes: 100_000 } })
    t.equal((await text(await begin('{ lines(limit: 20000) { id body } }'))).split('\n').length, 20_001)
    const lines = (await text(await begin('{ wides { id body } }'))).trimEnd().split('\n')
    t.match(JSON.parse(lines.at(-1)!), { error: { extensions: { code: 'VALIDATION_ERROR' }, message: /100000 bytes/ } })
    t.ok(lines.length < 40)
    t.ok(await within(1000, async () => active() === 0))
  })

  await t.test('the deadline ends a stream, and who lifts it is held to take rows', async (t) => {
    const { begin, active, inTransaction } = await open(t, { server: { request_timeout_ms: 400 } })
    const bounded = await begin('{ lines { id body } }')
    await take(bounded, 1000)
    // On a quick machine whoever reads on has it all before the deadline.
    await pause(800)
    await t.rejects(text(bounded), 'the connection breaks: this is not all')
    t.ok(await within(1000, async () => active() === 0))
    const lifted = await begin('{ lines { id body } }', '&forever=1')
    const started = performance.now()
    for (let i = 0; i < 8; i++) {
      await take(lifted, 1_000_000)
      await pause(100)
    }
    t.ok(performance.now() - started > 700, 'longer than the deadline')
    t.equal(await inTransaction(), 1, 'and still there')
    t.ok(await within(3000, async () => active() === 0), 'until nobody takes rows')
    const lines = (await text(lifted)).trimEnd().split('\n')
    t.match(JSON.parse(lines.at(-1)!), { error: { extensions: { code: 'TIMEOUT' } } })
  })

  await t.test('a body that is never begun holds nothing', async (t) => {
    const { app, exported, active } = await open(t)
    const url = `/export?query=${encodeURIComponent('{ lines { id body } }')}`
    const head = await app.inject({ method: 'HEAD' as 'GET', url })
    t.ok([200, 404, 405].includes(head.status))
    await app.inject({ method: 'GET', url: `/export?query=${encodeURIComponent('{ lines(limit: 10) { id } }')}` })
    t.ok(await within(1000, async () => active() === 0))
    t.ok(exported.results.length > 0)
  })

  await t.test('a stream is in flight to its end: close waits for it', async (t) => {
    const { app, begin } = await open(t, { server: { shutdown_timeout_ms: 10_000 } })
    const response = await begin('{ lines { id body } }')
    await take(response, 1000)
    let isClosed = false
    const closed = app.close().then(() => (isClosed = true))
    await pause(200)
    t.notOk(isClosed)
    const rest = await text(response)
    t.ok(rest.endsWith(`${ROWS}"}\n`), 'the client gets all of it')
    await closed
  })

  await t.test('a stream that the client does not read keeps memory flat', async (t) => {
    const { begin, inTransaction } = await open(t)
    const responses = await Promise.all(Array.from({ length: 3 }, () => begin('{ lines { id body } }')))
    // A busy machine fills the buffers later.
    const isFlat = async () => {
      const before = process.memoryUsage().rss
      await pause(1000)
      return process.memoryUsage().rss - before < 10_000_000
    }
    await pause(300)
    t.ok(await within(5000, isFlat), 'it stops growing')
    t.equal(await inTransaction(), 3)
    for (const response of responses) response.destroy()
    t.ok(await within(1000, async () => (await inTransaction()) === 0))
  })
})
