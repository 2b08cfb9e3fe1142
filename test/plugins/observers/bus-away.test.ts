import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import health from '../../../plugins/health/index.ts'
import metrics from '../../../plugins/metrics/index.ts'
import { createPostgresDatabase, type TestDatabase } from '../../helpers/databases.ts'
import type { TestApp } from '../../helpers/open-app.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { ACCOUNTS_SQL, accounts, create, openAccounts } from './accounts.ts'
import { BUSES, KEYS, setUpBus } from './buses.ts'
import { openSink } from './sink.ts'

/** A bus that cannot be reached is an error that everybody sees, and nothing falls back to memory. */
t.setTimeout(240_000)
const hasPostgres = await requireService(t, 'postgres')

interface Found {
  readonly ok: boolean
  readonly lag: number
  readonly up: string | undefined
}

async function look(app: TestApp): Promise<Found> {
  const { status, checks } = (await app.inject({ url: '/health' })).json<{
    status: string
    checks: { observers: { ok: boolean; lag_seconds: number } }
  }>()
  const { ok, lag_seconds: lag } = checks.observers
  const { text } = await app.inject({ url: '/metrics' })
  if ((status === 'ok') !== ok) throw new Error(`${status} with ${ok}`)
  return { ok, lag, up: /^svc_observer_backend_up (\d)$/m.exec(text)?.[1] }
}

async function until(app: TestApp, holds: (found: Found) => boolean): Promise<Found> {
  for (let left = 400; left > 0; left--) {
    const found = await look(app)
    if (holds(found)) return found
    await sleep(50)
  }
  throw new Error('It never came to that')
}

for (const name of ['kvstore', 'msgbus', 'mariadb'] as const) {
  t.test(name, { skip: !hasPostgres }, async (t) => {
    if (!(await requireService(t, BUSES[name]))) return
    const database: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: ACCOUNTS_SQL }) }
    const { host, port } = SERVICES[BUSES[name]]
    const proxy = await createTcpProxy(t, host, port)
    const { options } = await setUpBus(t, name)
    const url = new URL(options[KEYS[name]]!)
    url.host = `127.0.0.1:${proxy.port}`
    const sink = await openSink(t)
    const schema = accounts([
      { name: 'hook', event: 'INSERT', actions: [{ type: 'webhook', url: `${sink.url}/` }] },
      {
        name: 'bad',
        event: 'INSERT',
        condition: "name == 'bad'",
        actions: [{ type: 'webhook', url: `${sink.url}/bad` }],
      },
    ])
    await proxy.cut()
    const plugins = [health, metrics].map((plugin) => ({ plugin, options: {}, source: 'test' }))
    const own = { ...options, [KEYS[name]]: String(url), allow_hosts: [sink.host] }
    const app = await openAccounts(t, database, schema, own, { plugins: plugins as never })
    await create(app, 'one')
    const first = await until(app, ({ ok, lag }) => !ok && lag > 0)
    t.equal(first.up, '0')
    t.ok((await until(app, ({ lag }) => lag > first.lag)).lag > first.lag, 'the lag grows')
    t.equal(sink.received.length, 0, 'nobody delivers past the bus')
    await proxy.mend()
    await sink.wait('/', 1)
    t.match(await until(app, ({ ok }) => ok), { up: /^1$/ })

    await proxy.cut()
    await create(app, 'bad')
    t.match(await until(app, ({ ok }) => !ok), { up: /^0$/ })
    sink.answer('/bad', 400)
    await proxy.mend()
    await sink.wait('/bad', 1)
    t.same(
      sink.of('/').map(({ body }) => body.data.new.name),
      ['one', 'bad'],
    )
    await until(app, ({ ok, lag }) => ok && lag === 0)
    const letter = /^svc_webhook_dlq_size 1$/m
    for (let left = 200; left > 0 && !letter.test((await app.inject({ url: '/metrics' })).text); left--) await sleep(20)
    const { text } = await app.inject({ url: '/metrics' })
    const counted = Object.fromEntries(
      [...text.matchAll(/^svc_webhook_(\w+) (\d+)$/gm)].map(([, key, value]) => [key, Number(value)]),
    )
    t.match(counted, {
      requests_total: 3,
      success_total: 2,
      failure_total: 1,
      retry_total: 0,
      latency_ms_count: 3,
      dlq_size: 1,
    })
  })
}

t.test('a process that cannot reach the bus leaves delivery to one that can', { skip: !hasPostgres }, async (t) => {
  if (!(await requireService(t, BUSES.kvstore))) return
  const database: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: ACCOUNTS_SQL }) }
  const { host, port } = SERVICES[BUSES.kvstore]
  const proxy = await createTcpProxy(t, host, port)
  const { options } = await setUpBus(t, 'kvstore')
  const sink = await openSink(t)
  const schema = accounts([{ name: 'hook', event: 'INSERT', actions: [{ type: 'webhook', url: `${sink.url}/` }] }])
  const own = { ...options, allow_hosts: [sink.host] }
  await proxy.cut()
  const apart = await openAccounts(t, database, schema, { ...own, kvstore_url: `redis://127.0.0.1:${proxy.port}` })
  await create(apart, 'one')
  // So that it has had its turn, and would take it again and again.
  const text = `SELECT 1 FROM svc_event_relay`
  for (let left = 500; left > 0; left--) {
    if ((await apart.database.query({ name: null, text }, [], null)).rows.length > 0) break
    await sleep(10)
  }
  await openAccounts(t, database, schema, own)
  const names = Array.from({ length: 20 }, (_, n) => `n${n}`)
  for (const name of names) {
    await create(apart, name)
    await sleep(20)
  }
  await sink.wait('/', 21)
  t.same(new Set(sink.of('/').map(({ body }) => body.data.new.name)), new Set(['one', ...names]))
})
