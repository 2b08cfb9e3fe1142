import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { AuthoredObserver } from '../../../core/schema/authored.ts'
import { createPglite, createPostgresDatabase } from '../../helpers/databases.ts'
import type { TestApp } from '../../helpers/open-app.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { ACCOUNTS_SQL, accounts, create, openAccounts, set } from './accounts.ts'
import { BUSES, setUpBus } from './buses.ts'
import { openSink, type Sink } from './sink.ts'

/** One behaviour, whatever the backend. */
t.setTimeout(240_000)

const SECRET = 'a secret of some length'

const hook = (sink: Sink, path: string, more: object = {}) => ({ type: 'webhook', url: `${sink.url}${path}`, ...more })
const soon = { max_attempts: 3, initial_delay_ms: 20, max_delay_ms: 100 }

function observersOf(sink: Sink): readonly Omit<AuthoredObserver, 'entity'>[] {
  return [
    { name: 'all_new', event: 'INSERT', actions: [hook(sink, '/new')] },
    {
      name: 'status_changes',
      event: 'UPDATE',
      condition: "status.changed() and not field_changed_to('status', 'quiet')",
      actions: [
        hook(sink, '/status', {
          headers: { 'X-Name': '{name}' },
          body_template: '{"id":"{{id}}","was":"{{_old.status}}","text":"«{{name}}» is {{status}}","all":{{_json}}}',
        }),
      ],
      retry: soon,
    },
    { name: 'gone', event: 'DELETE', actions: [hook(sink, '/gone')] },
    {
      name: 'rich',
      event: 'INSERT',
      condition: 'new.balance > 9.5 and old.name == null',
      actions: [hook(sink, '/rich/{name}', { method: 'PUT' })],
      retry: soon,
    },
    { name: 'by_mutation', event: 'setAccount', condition: "status == 'named'", actions: [hook(sink, '/named')] },
    {
      name: 'waits',
      event: 'UPDATE',
      condition: "status == 'sync'",
      sync: true,
      actions: [hook(sink, '/sync')],
    },
  ]
}

/** What every backend does. */
async function suite(t: TestLike, sink: Sink, app: TestApp) {
  await t.test('a webhook says what became of the row, signed', async (t) => {
    const id = await create(app, 'Ann')
    const [first] = await sink.wait('/new', 1)
    t.match(first?.body, {
      event: 'INSERT',
      entity: 'Account',
      table: 'tb_account',
      entity_id: id,
      timestamp: /^\d{4}-\d\d-\d\dT.*Z$/,
      user_id: null,
      changed: [],
      data: { new: { id, name: 'Ann', status: 'new' }, old: null },
    })
    t.notMatch(first!.text, /secret|hush/, 'what the type does not declare is not told')
    const { 'x-svc-signature': signature, 'x-svc-timestamp': at, 'idempotency-key': key } = first!.headers
    t.equal(signature, `sha256=${createHmac('sha256', SECRET).update(`${at}.${first!.text}`).digest('hex')}`)
    t.ok(Math.abs(Number(at) - Date.now() / 1000) < 60)
    t.equal(key, first?.body.id)
    t.match(key, /^[0-9a-f]{8}-/)
  })

  await t.test('conditions see old and new; templates are escaped', async (t) => {
    const id = await create(app, 'A"n\\n\r\nX-Evil: 1', '9.5')
    await set(app, id, 'quiet')
    await set(app, id, 'quiet')
    await set(app, id, 'open')
    const [change] = await sink.wait('/status', 1)
    t.same(change?.body.id, id)
    t.match(change?.body, { text: '«A"n\\n\r\nX-Evil: 1» is open', all: { id, status: 'open' } })
    t.equal(change?.headers['x-evil'], undefined)
    t.equal(change?.headers['x-name'], 'A"n\\n X-Evil: 1')
    await set(app, id, 'named')
    await sink.wait('/named', 1)
    t.equal(sink.of('/status').length, 2, 'what did not change, or became quiet, is none')
    const rich = await create(app, 'a/../b?c', '9.51')
    const [put] = await sink.wait('/rich/a%2F..%2Fb%3Fc', 1)
    t.equal(put?.body.entity_id, rich)
    await create(app, '..', '10')
    await app.graphql('mutation ($id: ID!) { dropAccount(id: $id) { id } }', { id })
    const [gone] = await sink.wait('/gone', 1)
    t.match(gone?.body, { event: 'DELETE', entity_id: id, data: { new: null, old: { status: 'named' } } })
    t.equal(sink.received.filter(({ path }) => path.startsWith('/rich')).length, 1, 'numbers are compared as numbers')
    t.equal(sink.of('/').length, 0, 'a row does not climb out of its place')
  })

  await t.test('a write that was rolled back is no event', async (t) => {
    const before = sink.of('/new').length
    t.ok((await app.graphql('mutation { failAccount(name: "x") { id } }')).errors)
    await create(app, 'last')
    await sink.wait('/new', before + 1)
    t.equal(sink.of('/new').length, before + 1)
  })

  await t.test('an event that fails for now is repeated unchanged before later events of its row', async (t) => {
    const id = await create(app, 'again')
    const before = sink.of('/status').length
    sink.answer('/status', 503, 503)
    await set(app, id, 's1')
    await sink.wait('/status', before + 1)
    const other = await create(app, 'other')
    await set(app, other, 'o1')
    await set(app, id, 's2')
    await set(app, id, 's3')
    await sink.wait('/status', before + 6)
    const own = sink.of('/status').slice(before)
    const mine = own.filter(({ body }) => body.id === id)
    const tries = mine.filter(({ body }) => body.all.status === 's1')
    t.ok(tries.length >= 2, 'it came again')
    t.equal(new Set(tries.map(({ headers }) => headers['idempotency-key'])).size, 1)
    const order = mine.map(({ body }) => body.all.status).filter((one, index, all) => one !== all[index - 1])
    t.same(order, ['s1', 's2', 's3'])
    t.ok(own.some(({ body }) => body.id === other))
  })

  await t.test('a function of the database is called', async (t) => {
    const id = await create(app, 'heard')
    let heard: string | null | undefined = null
    const text = `SELECT event::text FROM tb_heard WHERE event ->> 'entity_id' = '${id}'`
    for (let left = 500; !heard && left > 0; left--) {
      heard = (await app.database.query({ name: null, text }, [], null)).rows[0]?.[0]
      await sleep(10)
    }
    t.match(JSON.parse(heard!), { event: 'INSERT', entity: 'Account', data: { name: 'heard', balance: 0 } })
  })

  await t.test('an observer with sync is waited for', async (t) => {
    const id = await create(app, 'sync')
    await set(app, id, 'sync')
    t.equal(sink.of('/sync').length, 1, 'it has been told when the answer comes')
  })

  await t.test('a dead letter, and what it leaves to others', async (t) => {
    const id = await create(app, 'dead')
    const before = sink.of('/status').length
    sink.answer('/status', 503, 503, 503, 400)
    await set(app, id, 'd1')
    await sink.wait('/status', before + 3)
    await set(app, id, 'd2')
    await sink.wait('/status', before + 4)
    await set(app, id, 'd3')
    await sink.wait('/status', before + 5)
    const statuses = sink
      .of('/status')
      .slice(before)
      .map(({ body }) => body.all.status)
    t.same(statuses, ['d1', 'd1', 'd1', 'd2', 'd3'], 'three attempts; none after 400')
    let health = { checks: { observers: { dead_letters: -1 } } }
    for (let left = 100; health.checks.observers.dead_letters !== 3 && left > 0; left--) {
      await sleep(20)
      health = (await app.inject({ url: '/health' })).json()
    }
    t.match(health, { status: /^ok$/, checks: { observers: { ok: true, dead_letters: 3, waiting: 0 } } })
  })
}

const optionsFor = (sink: Sink) => ({
  allow_hosts: [sink.host],
  signing_secret: SECRET,
  handlers: [{ event: 'account.created', target: 'fn_hear' }],
})

async function run(t: TestLike, kind: 'postgres' | 'pglite', options: object): Promise<void> {
  const sink = await openSink(t)
  const create = kind === 'pglite' ? createPglite : createPostgresDatabase
  const database = { kind, url: await create(t, { sql: ACCOUNTS_SQL }) }
  const app = await openAccounts(t, database, accounts(observersOf(sink)), { ...optionsFor(sink), ...options })
  await suite(t, sink, app)
}

t.test('in-memory', async (t) => {
  if (await requireService(t, 'postgres')) await run(t, 'postgres', { backend: 'in-memory' })
})

// proves: observer.entity observer.event observer.condition observer.actions observer.retry observer.sync
t.test('sqldb', async (t) => {
  if (await requireService(t, 'postgres')) await run(t, 'postgres', { backend: 'sqldb' })
})

t.test('sqldb, embedded', (t) => run(t, 'pglite', { backend: 'sqldb' }))

for (const name of ['kvstore', 'msgbus', 'mariadb'] as const) {
  t.test(name, async (t) => {
    if (!(await requireService(t, 'postgres')) || !(await requireService(t, BUSES[name]))) return
    await run(t, 'postgres', (await setUpBus(t, name)).options)
  })
}
