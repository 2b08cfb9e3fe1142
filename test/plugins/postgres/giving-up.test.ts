import { createServer, type Socket } from 'node:net'
import type pg from 'pg'
import t from 'tap'
import { sendCancelRequest } from '../../../plugins/postgres/wire/head-canceller.ts'
import { createCancellable } from '../../helpers/cancellable.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'

const NAP = { name: 'nap', text: 'SELECT pg_sleep($1::float8)' }
const WRITE = { name: 'write', text: 'INSERT INTO done VALUES ($1::int)' }

async function setUp(t: TestLike, pool_max: number, connect_timeout_ms = 5000) {
  const url = await createPostgresDatabase(t, { sql: 'CREATE TABLE done (n int)' })
  const database = await openDatabase(t, url, { config: { pool_max, pool_min: 0, connect_timeout_ms } })
  await database.ping()
  const written = async () => {
    const rows = await runOnServer(new URL(url).pathname.slice(1), 'SELECT n FROM done ORDER BY n')
    return rows.map(({ n }) => n)
  }
  return { database, url, written }
}

t.test('giving up', async (t) => {
  if (!(await requireService(t, 'postgres'))) return

  await t.test('a write that was sent behind a hanging one is not failed, because it runs', async (t) => {
    const { database, written } = await setUp(t, 2, 800)
    // Known to be quick, so that both share the one connection there is for such.
    for (let i = 0; i < 10; i++) {
      await Promise.all([database.query(NAP, ['0'], null), database.query(WRITE, ['0'], null)])
    }
    // No other connection may take the place of the one that hangs.
    let finish = () => {}
    const holds = database.transaction(() => new Promise<void>((resolve) => (finish = resolve)), {})
    await until(() => database.pool.active === 1)
    const hangs = database.query(NAP, ['2'], null)
    const behind = database.query(WRITE, ['1'], null)
    await hangs
    t.ok(await behind)
    finish()
    await holds
    t.strictSame((await written()).slice(-1), [1])
  })

  await t.test('a request that is aborted before its statement sends nothing', async (t) => {
    const { database, written } = await setUp(t, 2)
    // Known to be quick: it would go out at once.
    for (let i = 0; i < 5; i++) await database.query(WRITE, ['0'], null)
    const cancel = createCancellable()
    cancel.abort('client')
    await t.rejects(database.query(WRITE, ['1'], cancel), { code: 'TIMEOUT', message: /client/ })
    const work = database.transaction((session) => session.query(WRITE, ['2']), { cancel })
    await t.rejects(work, { code: 'TIMEOUT' })
    let finish = () => {}
    const holds = database.transaction(() => new Promise<void>((resolve) => (finish = resolve)), {})
    await until(() => database.pool.active === 1)
    const late = database.transaction((session) => session.query(WRITE, ['3']), { cancel })
    const failed = late.catch((error) => error.code)
    await Promise.resolve()
    t.equal(database.pool.waiting, 0, 'it does not queue for a connection')
    finish()
    await holds
    t.equal(await failed, 'TIMEOUT')
    t.strictSame(await written(), ['0', '0', '0', '0', '0'].map(Number))
  })

  await t.test('aborted while it waits: it neither queues on nor runs, and its place is free', async (t) => {
    const { database, written } = await setUp(t, 1)
    let finish = () => {}
    const holds = database.transaction(() => new Promise<void>((resolve) => (finish = resolve)), {})
    await until(() => database.pool.active === 1)
    const cancel = createCancellable()
    const waits = database.query(WRITE, ['1'], cancel)
    const cancelToo = createCancellable()
    const waitsToo = database.transaction((session) => session.query(WRITE, ['2']), { cancel: cancelToo })
    await until(() => database.pool.waiting === 2)
    cancel.abort()
    cancelToo.abort()
    await Promise.all([t.rejects(waits, { code: 'TIMEOUT' }), t.rejects(waitsToo, { code: 'TIMEOUT' })])
    t.equal(database.pool.waiting, 0)
    finish()
    await holds
    await database.query(WRITE, ['3'], null)
    t.strictSame(await written(), [3])
  })

  await t.test('aborted in the very moment in which it gets its connection: nothing is lost', async (t) => {
    const { database, written } = await setUp(t, 1)
    for (const inTransaction of [false, true]) {
      for (let round = 0; round < 3; round++) {
        const cancel = createCancellable()
        const one = inTransaction
          ? database.transaction((session) => session.query(WRITE, ['1']), { cancel })
          : database.query(WRITE, ['1'], cancel)
        // The connection is given at once; what waits for it goes on in a later turn.
        cancel.abort()
        await t.rejects(one, { code: 'TIMEOUT' })
        await until(() => database.pool.active === 0)
      }
    }
    t.ok(await database.query({ name: 'one', text: 'SELECT 1' }, [], null), 'the one connection works on')
    t.strictSame(await written(), [])
  })

  await t.test('a write in a transaction is cancelled with its request', async (t) => {
    const { database, written } = await setUp(t, 2)
    const cancel = createCancellable()
    const one = database.transaction(
      async (session) => {
        await session.query(WRITE, ['1'])
        await session.query(NAP, ['30'])
      },
      { cancel },
    )
    setTimeout(() => cancel.abort(), 150)
    await t.rejects(one, { code: 'TIMEOUT' })
    await until(() => database.pool.active === 0)
    t.strictSame(await written(), [])
  })

  await t.test('closing waits for what is queued, and for its answers', async (t) => {
    const { database, written } = await setUp(t, 2)
    for (let i = 0; i < 5; i++) await database.query(NAP, ['0.015'], null)
    const queued = Array.from({ length: 12 }, () => database.query(NAP, ['0.1'], null))
    const writes = Array.from({ length: 40 }, (_, i) => database.query(WRITE, [String(i)], null))
    t.ok(database.pool.waiting > 0)
    await database.close()
    t.equal(database.pool.connected, false)
    t.equal((await Promise.all([...queued, ...writes])).length, 52)
    t.equal((await written()).length, 40)
  })

  await t.test('a listener that has ended is not notified, and UNLISTEN is sent', async (t) => {
    const { database, url } = await setUp(t, 2)
    const heard: string[] = []
    const name = new URL(url).pathname.slice(1)
    const end = await database.listen!('news', (payload) => heard.push(payload))
    const endOther = await database.listen!('other', (payload) => heard.push(payload))
    const lastOfListener = async () => {
      const rows = await runOnServer(
        name,
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%LISTEN%' AND pid <> pg_backend_pid()`,
      )
      return rows.map(({ query }) => query)
    }
    await runOnServer(name, `SELECT pg_notify('news', 'one')`)
    await until(() => heard.length === 1)
    await end()
    t.strictSame(await lastOfListener(), ['UNLISTEN "news"'])
    await runOnServer(name, `SELECT pg_notify('news', 'two'), pg_notify('other', 'three')`)
    await until(() => heard.length === 2)
    t.strictSame(heard, ['one', 'three'])
    await endOther()
  })
})

t.test('a statement that ends by itself before it is cancelled', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { database } = await setUp(t, 1)
  const started = performance.now()
  for (let i = 0; i < 5; i++) {
    const cancel = createCancellable()
    const given = database.query(WRITE, [String(i)], cancel)
    cancel.abort('client')
    await t.rejects(given, { code: 'TIMEOUT' })
    // Its answer is here before a cancel request would be sent; the connection is free for the next.
    await database.query(NAP, ['0.02'], null)
  }
  t.ok(performance.now() - started < 4000, 'nobody waits for a request that is not needed')
})

t.test('a cancel request is not sent for a statement that has ended', async (t) => {
  const messages: Buffer[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('data', (bytes) => {
      messages.push(bytes)
      socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  const stream = { remoteAddress: '127.0.0.1', remotePort: port }
  const client = { processID: 7, secretKey: 9, host: '127.0.0.1', port, connection: { stream } } as unknown as pg.Client
  await sendCancelRequest(client, () => false)
  t.equal(messages.length, 0)
  await sendCancelRequest(client, () => true)
  t.equal(messages.length, 1)
  t.equal(messages[0]!.readInt32BE(8), 7)
})
