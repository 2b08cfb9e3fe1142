import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { type CommandHost, EXIT } from '../../../core/doors/command.ts'
import { createSqlBackend } from '../../../plugins/observers/backends/sql-backend.ts'
import command from '../../../plugins/observers/command.ts'
import type { ObserverOptions } from '../../../plugins/observers/options.ts'
import { OutboxReads } from '../../../plugins/observers/sql/outbox-reads.ts'
import { createPostgresDatabase, openDatabase, runOnServer, type TestDatabase } from '../../helpers/databases.ts'
import type { TestApp } from '../../helpers/open-app.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { ACCOUNTS_SQL, accounts, create, openAccounts, set } from './accounts.ts'
import { openSink, type Sink } from './sink.ts'

/** The outbox: nothing that was committed is lost, whoever ends in between. */
t.setTimeout(240_000)
const hasPostgres = await requireService(t, 'postgres')

interface World {
  readonly sink: Sink
  readonly database: TestDatabase
  readonly open: (options?: object, more?: Parameters<typeof openAccounts>[4]) => Promise<TestApp>
  readonly sql: (text: string) => Promise<readonly Record<string, unknown>[]>
  readonly names: () => readonly string[]
}

async function world(t: TestLike): Promise<World> {
  const sink = await openSink(t)
  const database: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: ACCOUNTS_SQL }) }
  const retry = { max_attempts: 2, initial_delay_ms: 20 }
  const body =
    '{"id":"{{_entity_id}}","event":"{{_event}}","name":"{{name}}","status":"{{status}}","event_id":"{{_id}}"}'
  const action = { type: 'webhook', url: `${sink.url}/all`, body_template: body }
  const schema = accounts(
    ['INSERT', 'UPDATE', 'DELETE'].map((event) => ({ name: `on_${event}`, event, actions: [action], retry })),
  )
  return {
    sink,
    database,
    open: (options = {}, more = {}) =>
      openAccounts(t, database, schema, { allow_hosts: ['127.0.0.1'], ...options }, more),
    sql: (text) => runOnServer(new URL(database.url).pathname.slice(1), text),
    names: () => sink.of('/all').map((one) => one.body.name),
  }
}

t.test('the outbox', { skip: !hasPostgres }, async (t) => {
  const shared = await world(t)
  const app = await shared.open()
  const run = await runner(t, shared.database, app)
  await t.test('a position that is taken and not committed is waited for', (t) => gaps(t, shared, app))
  shared.sink.forget()
  await t.test('changes outside svc, by triggers; a mutation is reported once', (t) => triggers(t, shared, app, run))
  shared.sink.forget()
  await t.test('svc events', (t) => events(t, shared, app, run))
})

async function gaps(t: TestLike, { sink, database, names }: World, app: TestApp): Promise<void> {
  await create(app, 'first')
  await sink.wait('/all', 1)
  const client = new pg.Client(database.url)
  await client.connect()
  t.teardown(() => client.end())
  const take = (name: string) =>
    client.query(`INSERT INTO svc_outbox (kind, entity_type, entity_id, new_row)
      VALUES ('INSERT', 'Account', '1', '{"name": "${name}"}')`)
  await client.query('BEGIN')
  await take('slow')
  await create(app, 'quick')
  await sleep(300)
  t.same(names(), ['first'], 'what comes behind it waits')
  await client.query('COMMIT')
  await sink.wait('/all', 3)
  t.same(names(), ['first', 'slow', 'quick'], 'and nothing is skipped')

  await client.query('BEGIN')
  await take('never')
  await create(app, 'after')
  await client.query('ROLLBACK')
  await sink.wait('/all', 4)
  t.same(names().slice(3), ['after'], 'what was rolled back holds nobody up')

  // It has a number that is older than those of others who commit while it goes on.
  await client.query('BEGIN')
  await client.query('SELECT pg_current_xact_id()')
  await create(app, 'meanwhile')
  await sink.wait('/all', 5)
  await take('late')
  await client.query('COMMIT')
  await sink.wait('/all', 6)
  t.same(names().slice(4), ['meanwhile', 'late'], 'a transaction that began before comes in its turn')

  await client.query(`INSERT INTO svc_outbox (kind, entity_type, entity_id, new_row)
    SELECT 'INSERT', 'Account', '1', jsonb_build_object('name', n) FROM generate_series(1, 150) n`)
  await sink.wait('/all', 156)
  const counted = Array.from({ length: 150 }, (_, index) => String(index + 1))
  t.same(names().slice(6).map(String), counted, 'many at once, in the order of their numbers and not of their digits')
}

t.test('one process delivers; the next goes on where it was', { skip: !hasPostgres }, async (t) => {
  const { sink, open, sql, names } = await world(t)
  const first = await open()
  const second = await open()
  for (let n = 0; n < 20; n++) await create(n % 2 === 0 ? first : second, `n${n}`)
  await sink.wait('/all', 20)
  t.equal(new Set(names()).size, 20)
  t.equal(names().length, 20, 'each once')
  await first.close()
  await create(second, 'alone')
  await sink.wait('/all', 21)
  await second.close()
  await sql(
    `INSERT INTO svc_outbox (kind, entity_type, entity_id, new_row) VALUES ('INSERT', 'Account', '1', '{"name": "left"}')`,
  )
  await open()
  await sink.wait('/all', 22)
  await sleep(100)
  t.same(names().slice(20), ['alone', 'left'], 'nothing is told again')

  await sql(
    `UPDATE svc_event_relay SET holder = 'a process that was killed', held_until = now() + interval '2 seconds'`,
  )
  const began = Date.now()
  await sql(
    `INSERT INTO svc_outbox (kind, entity_type, entity_id, new_row) VALUES ('INSERT', 'Account', '1', '{"name": "taken over"}')`,
  )
  await sink.wait('/all', 23)
  t.ok(Date.now() - began > 900, 'not while another has it')
})

t.test('parked events are delivered by the next process, in their order', { skip: !hasPostgres }, async (t) => {
  const { sink, open, sql, names } = await world(t)
  const first = await open()
  sink.answer('/all', { status: 429, headers: { 'retry-after': '2' } })
  const id = await create(first, 'a')
  await set(first, id, 'u1')
  await sink.wait('/all', 2)
  await set(first, id, 'u2')
  await sink.wait('/all', 3)
  const parked = () => sql('SELECT status, attempts, error FROM svc_event_deliveries')
  for (let left = 200; left > 0 && (await parked()).length === 0; left--) await sleep(20)
  const [row] = await parked()
  t.match(row, { status: 'waiting', attempts: 1, error: 'it answered 429' })
  const began = Date.now()
  await first.close()
  await open()
  await sink.wait('/all', 4)
  t.ok(Date.now() - began > 1000, 'Retry-After is waited for')
  t.equal(sink.of('/all')[3]?.body.event_id, sink.of('/all')[0]?.body.event_id)
  t.equal(names().length, 4)
  for (let left = 200; left > 0 && (await sql('SELECT FROM svc_event_deliveries')).length > 0; left--) await sleep(20)
  t.same(await sql('SELECT FROM svc_event_deliveries'), [])
})

t.test('a relay whose turn is over lets go of what is on its way', { skip: !hasPostgres }, async (t) => {
  const { sink, open, sql } = await world(t)
  const app = await open()
  await create(app, 'first')
  await sink.wait('/all', 1)
  // What is delivered and not yet kept comes again when the turn is taken away.
  const kept = `SELECT FROM svc_event_relay WHERE position = (SELECT max(position) FROM svc_outbox)`
  for (let left = 200; left > 0 && (await sql(kept)).length === 0; left--) await sleep(20)
  const long = 'x'.repeat(5000)
  sink.answer('/all', null, 503)
  await sql(`INSERT INTO svc_outbox (kind, entity_type, entity_id, new_row)
    VALUES ('INSERT', 'Account', '${long}', '{"name": "on its way"}')`)
  await sink.wait('/all', 2)
  await sql(`UPDATE svc_event_relay SET holder = 'another process', held_until = now() + interval '2 seconds'`)
  await sink.wait('/all', 3)
  const [, before, after] = sink.of('/all')
  t.equal(after?.headers['idempotency-key'], before?.headers['idempotency-key'], 'it comes again, in its turn')
  await sink.wait('/all', 4)
  t.equal(sink.of('/all')[3]?.body.id, long, 'an id of any length is parked, and comes again')
  const letters = `SELECT FROM svc_event_deliveries`
  for (let left = 200; left > 0 && (await sql(letters)).length > 0; left--) await sleep(20)
  t.same(await sql(letters), [])
})

t.test('a target that never answers does not delay others', { skip: !hasPostgres }, async (t) => {
  const dead = await openSink(t)
  const sink = await openSink(t)
  dead.answer('/', ...Array.from({ length: 500 }, () => null))
  const database: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: ACCOUNTS_SQL }) }
  const schema = accounts([
    { name: 'dead', event: 'INSERT', actions: [{ type: 'webhook', url: `${dead.url}/` }] },
    { name: 'alive', event: 'INSERT', actions: [{ type: 'webhook', url: `${sink.url}/` }] },
  ])
  const app = await openAccounts(t, database, schema, {
    allow_hosts: ['127.0.0.1'],
    max_concurrent_per_target: 2,
    request_timeout_ms: 60_000,
  })
  for (let n = 0; n < 50; n++) await create(app, `n${n}`)
  await sink.wait('/', 50)
  t.ok(dead.of('/').length <= 2, 'no more calls at once than it may have')
})

t.test('a backend that is away: health and lag say so, nothing is lost', { skip: !hasPostgres }, async (t) => {
  const { sink, database, open, names } = await world(t)
  const { host, port } = SERVICES.postgres
  const proxy = await createTcpProxy(t, host, port)
  const url = new URL(database.url)
  url.host = `127.0.0.1:${proxy.port}`
  const app = await open({}, { url: String(url) })
  await create(app, 'one')
  await sink.wait('/all', 1)
  await proxy.cut()
  await sleep(50)
  t.match((await app.inject({ url: '/health' })).json(), { status: 'unhealthy', checks: { observers: { ok: false } } })
  await sleep(100)
  const { lag_seconds: lag } = (await app.inject({ url: '/health' })).json<{
    checks: { observers: { lag_seconds: number } }
  }>().checks.observers
  t.ok(lag > 0, 'nobody knows that anything is delivered')
  await runOnServer(
    url.pathname.slice(1),
    `INSERT INTO svc_outbox (kind, entity_type, entity_id, new_row) VALUES ('INSERT', 'Account', '1', '{"name": "two"}')`,
  )
  await proxy.mend()
  await sink.wait('/all', 2)
  t.same(names(), ['one', 'two'])
  t.match((await app.inject({ url: '/health' })).json(), { status: /^ok$/, checks: { observers: { ok: true } } })
})

async function triggers(t: TestLike, { sink, sql, names }: World, app: TestApp, run: Runner): Promise<void> {
  const { out } = await run(['triggers', 'Account', 'tb_account'])
  await sql(out)
  await sql(out)
  const id = await create(app, 'by svc')
  await sql(`INSERT INTO tb_account (name) VALUES ('past svc'); UPDATE tb_account SET status = status`)
  await sql(`UPDATE tb_account SET status = 'moved' WHERE name = 'past svc'`)
  await sink.wait('/all', 3)
  await set(app, id, 'again')
  await sql(`DELETE FROM tb_account WHERE name = 'past svc'`)
  await sink.wait('/all', 5)
  await sleep(100)
  t.same(names(), ['by svc', 'past svc', 'past svc', 'by svc', 'past svc'])
  t.match(
    sink.of('/all').map(({ body }) => `${body.event} ${body.status}`),
    ['INSERT new', 'INSERT new', 'UPDATE moved', 'UPDATE again', 'DELETE moved'],
  )
  t.match(await run(['triggers', 'Acount', 'tb_account']), { message: /there is no type "Acount".*Account/s })
  t.match(await run(['triggers', 'Account', 'tb"; --']), { message: /is no name of a table/ })
  await sql('DROP TRIGGER svc_outbox_tb_account ON tb_account')
}

async function events(t: TestLike, { sink, sql }: World, app: TestApp, run: Runner): Promise<void> {
  const delivered = async (letters: number): Promise<void> => {
    const open = `SELECT FROM svc_event_relay r, svc_outbox o WHERE o.position > r.position`
    const dead = `SELECT FROM svc_event_deliveries WHERE status = 'dead'`
    while ((await sql(open)).length > 0 || (await sql(dead)).length !== letters) await sleep(20)
  }
  sink.answer('/all', 400, 404)
  await create(app, 'x')
  await create(app, 'y')
  await sink.wait('/all', 2)
  const status = async () => JSON.parse((await run(['status'], { json: true })).out)
  await delivered(2)
  const { position, last, ...found } = await status()
  t.match(found, { relay: 'active', pending: 0, dead_letters: 2, waiting: 0, lag_seconds: 0 })
  t.equal(position, last)
  t.match((await run(['status'])).out, /^dead_letters +2$/m)
  const listed = (await run(['dead', 'list'])).out
  t.match(listed, /on_INSERT \(webhook\) {2}Account [0-9a-f-]{36} {2}1 attempts: it answered 40[04]/)
  const letters = JSON.parse((await run(['dead', 'list'], { json: true, limit: '1' })).out)
  t.equal(letters.length, 1)
  const shown = JSON.parse((await run(['dead', 'show', letters[0].id])).out)
  t.match(shown, { error: /^it answered 40[04]$/, event: { kind: 'INSERT' } })
  await run(['dead', 'retry', letters[0].id])
  const [, , again] = await sink.wait('/all', 3)
  t.equal(again?.headers['idempotency-key'], shown.event_id)
  t.match((await run(['dead', 'retry-all'])).out, '1 dead letter is delivered anew')
  await sink.wait('/all', 4)
  sink.answer('/all', 400)
  await create(app, 'z')
  await sink.wait('/all', 5)
  await delivered(1)
  const [letter] = JSON.parse((await run(['dead', 'list'], { json: true })).out)
  t.match(await run(['dead', 'drop', letter.id]), { code: EXIT.ok })
  t.match(await run(['dead', 'drop', letter.id]), { message: /no dead letter/i })
  t.match(await run(['dead', 'show', 'x']), { message: /number of a dead letter/ })
  t.match(await run(['dead', 'lost']), { message: /knows no "lost"/ })
  t.match(await run(['stat']), { message: /status/ })
  await sql('DROP TABLE svc_event_deliveries')
  t.match(await run(['dead', 'list']), { message: /svc tables --apply/ })
}

type Runner = Awaited<ReturnType<typeof runner>>
type Ran = { readonly code?: unknown; readonly out: string; readonly message?: string }

async function runner(t: TestLike, { url }: TestDatabase, app: TestApp) {
  const database = await openDatabase(t, url)
  return async (positionals: readonly string[], flags: Record<string, string | boolean> = {}): Promise<Ran> => {
    let out = ''
    const host = {
      io: { stdout: (text: string) => (out += text), stderr() {} },
      options: { backend: 'sqldb' } as ObserverOptions,
      database: async () => database,
      loadSchema: async () => app.kernel.generation.schema,
    } as unknown as CommandHost<ObserverOptions>
    try {
      return { code: await command({ positionals, flags }, host), out }
    } catch (error) {
      return { out, message: (error as Error).message }
    }
  }
}

t.test('an outbox without a bus stops, also before it has started', async (t) => {
  const backend = createSqlBackend({
    database: () => ({ query: async () => ({ rows: [] }) }) as never,
    ready: async () => {},
    retentionMs: 1000,
    bus: null,
    isRead: () => false,
    onState() {},
  })
  await t.resolves(backend.stop())
})

t.test('readers at the same position of the outbox read it once', async (t) => {
  const answers: (() => void)[] = []
  const query = async () => {
    await new Promise<void>((resolve) => answers.push(resolve))
    return { rows: [] }
  }
  const reads = new OutboxReads(() => ({ query }) as never)
  const sent = async (count: number): Promise<void> => {
    while (answers.length < count) await sleep(1)
  }
  const one = reads.read(7n, 500, false)
  t.equal(reads.read(7n, 500, false), one)
  t.not(reads.read(8n, 500, false), one)
  await sent(2)
  t.not(reads.read(7n, 500, true), one, 'what is on its way does not see what was heard of since')
  await sent(3)
  for (const answer of answers) answer()
  t.same(await one, [])

  const failing = new OutboxReads(() => ({ query: () => Promise.reject(new Error('away')) }) as never)
  await t.rejects(failing.read(7n, 500, false), /away/)
  await t.rejects(failing.read(7n, 500, false), /away/, 'and is asked again')
})
