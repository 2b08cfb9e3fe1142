import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { Database, Signal } from '../../../core/doors/plugin.ts'
import { createCancellable } from '../../helpers/cancellable.ts'
import { SERVICES, type TestLike } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { onMariaDb, onServer, open, pause, read, single, until, write } from './open-mysql.ts'

const TABLE = "CREATE TABLE post (nr INT PRIMARY KEY, body VARCHAR(100)); INSERT INTO post VALUES (1, 'a'), (2, 'b');"
const COUNT = 'SELECT COUNT(*) FROM post'

const idOf = async (database: Pick<Database, 'query'>) =>
  (await database.query(read('SELECT CONNECTION_ID()'), [], null)).rows[0]![0]!

async function through(t: TestLike, url: string) {
  const { host, port } = SERVICES.mariadb
  const proxy = await createTcpProxy(t, host, port)
  const own = new URL(url)
  own.hostname = '127.0.0.1'
  own.port = String(proxy.port)
  return { proxy, url: own.href }
}

await onMariaDb(t, 'a connection is killed', TABLE, async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 1 } })
  await t.test('while it is idle', async (t) => {
    await onServer(url, `KILL ${await idOf(database)}`)
    t.equal(await single(database, COUNT), '2')
  })
  await t.test('under a read, which is repeated', async (t) => {
    const id = await idOf(database)
    const counted = database.query(read('SELECT COUNT(*), CONNECTION_ID(), SLEEP(0.2) FROM post'), [], null)
    await pause(100)
    await onServer(url, `KILL ${id}`)
    const [[count, other] = []] = (await counted).rows
    t.equal(count, '2')
    t.not(other, id)
  })
  await t.test('under a write, whose outcome is unknown', async (t) => {
    const id = await idOf(database)
    const written = database
      .query(write('INSERT INTO post SELECT 3, SLEEP(5)'), [], null)
      .catch((error: unknown) => error)
    await pause(100)
    await onServer(url, `KILL ${id}`)
    t.match(await written, { code: 'SERVICE_UNAVAILABLE', details: { outcome: 'unknown' } })
  })
  await t.test('in a transaction, which is undone', async (t) => {
    const lost = database.transaction(async (session) => {
      const id = (await session.query(read('SELECT CONNECTION_ID()'), [])).rows[0]![0]
      await session.query(write("INSERT INTO post VALUES (4, 'x')"), [])
      await onServer(url, `KILL ${id}`)
      await session.query(write("INSERT INTO post VALUES (5, 'x')"), [])
    }, {})
    const error = (await lost.catch((thrown: unknown) => thrown)) as { readonly details?: unknown }
    t.match(error, { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 })
    t.equal(error.details, undefined)
    t.equal(await single(database, COUNT), '2')
  })
  await t.test('under a stream', async (t) => {
    const id = await idOf(database)
    const rows = database.stream(read('SELECT seq FROM seq_1_to_10000000'), [], { cancel: null, batchSize: 100 })
    await t.rejects(
      async () => {
        let isFirst = true
        for await (const _ of rows) {
          if (isFirst) await onServer(url, `KILL ${id}`)
          isFirst = false
        }
      },
      { code: 'SERVICE_UNAVAILABLE' },
    )
    t.equal(await single(database, COUNT), '2')
  })
})

await onMariaDb(t, 'the server goes away, and comes back', TABLE, async (t, direct) => {
  const { proxy, url } = await through(t, direct)
  const signals: Signal['type'][] = []
  const database = await open(t, url, { config: { pool_max: 2 }, onSignal: ({ type }) => signals.push(type) })
  t.equal(await single(database, COUNT), '2')
  await proxy.cut()
  await until(() => !database.pool.connected)
  await t.rejects(database.ping(), { code: 'SERVICE_UNAVAILABLE', message: 'The database cannot be reached.' })
  await t.rejects(
    database.transaction(async () => {}, {}),
    { code: 'SERVICE_UNAVAILABLE' },
  )
  t.strictSame(signals, ['database-down'])
  await proxy.mend()
  t.equal(await single(database, COUNT), '2', 'it heals')
  t.strictSame(signals, ['database-down', 'database-up'])
})

await onMariaDb(t, 'the answer to COMMIT is lost', TABLE, async (t, direct) => {
  const { proxy, url } = await through(t, direct)
  const database = await open(t, url, { config: { pool_max: 1 } })
  const written = database
    .transaction(async (session) => {
      await session.query(write("INSERT INTO post VALUES (3, 'x')"), [])
      proxy.lose()
      setTimeout(() => void proxy.cut(), 100)
    }, {})
    .catch((error: unknown) => error)
  t.match(await written, {
    code: 'SERVICE_UNAVAILABLE',
    details: { outcome: 'unknown' },
    message: 'The connection to the database broke under the statement: it is not known whether it was written.',
  })
  await proxy.mend()
})

await onMariaDb(t, 'the deadline comes under COMMIT', TABLE, async (t, direct) => {
  const { proxy, url } = await through(t, direct)
  const database = await open(t, url, { config: { pool_max: 1 } })
  const cancel = createCancellable()
  const written = database
    .transaction(
      async (session) => {
        await session.query(write("INSERT INTO post VALUES (3, 'x')"), [])
        proxy.freeze()
        setTimeout(() => cancel.abort('timeout'), 50)
      },
      { cancel },
    )
    .catch((error: unknown) => error)
  t.match(await written, { code: 'TIMEOUT', details: { outcome: 'unknown' } })
  proxy.thaw()
})

await onMariaDb(t, 'a server that holds still keeps no caller beyond its deadline', TABLE, async (t, direct) => {
  const { proxy, url } = await through(t, direct)
  const database = await open(t, url, { config: { pool_max: 1 } })
  await database.query(write('DO 1'), [], null)
  proxy.freeze()
  const cancel = createCancellable()
  const settings = [{ name: 'app.tenant', value: 'x' }]
  const reads = [database.query(read(COUNT), [], cancel, settings), database.query(read(COUNT), [], cancel)]
  setTimeout(() => cancel.abort('timeout'), 50)
  const before = performance.now()
  for (const each of await Promise.allSettled(reads)) t.match(each, { status: 'rejected', reason: { code: 'TIMEOUT' } })
  t.ok(performance.now() - before < 1000)
  proxy.thaw()
  t.equal(await single(database, COUNT), '2')
})

await onMariaDb(t, 'locks', TABLE, async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 4 } })
  const update = (nr: number) => write(`UPDATE post SET body = 'c' WHERE nr = ${nr}`)
  await t.test('a deadlock ends one of the two, which may be repeated', async (t) => {
    let both: () => void = () => {}
    const arrived = new Promise<void>((resolve) => {
      let count = 0
      both = () => (++count === 2 ? resolve() : undefined)
    })
    const run = (first: number, second: number) =>
      database.transaction(async (session) => {
        await session.query(update(first), [])
        both()
        await arrived
        await session.query(update(second), [])
      }, {})
    const results = await Promise.allSettled([run(1, 2), run(2, 1)])
    const [failed] = results.filter((result) => result.status === 'rejected')
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    t.match(failed, { reason: { code: '40P01' } })
    t.ok(database.dialect.errors.isTransient(failed?.reason))
    t.match(database.dialect.errors.read(failed?.reason), { code: 'TRANSACTION_FAILED' })
  })
  await t.test('a lock that is held is an error, or is waited for until the deadline', async (t) => {
    await database.transaction(async (session) => {
      await session.query(update(1), [])
      const error: unknown = await database
        .query(write('SELECT * FROM post WHERE nr = 1 FOR UPDATE NOWAIT'), [], null)
        .catch((thrown: unknown) => thrown)
      t.match(error, { code: '55P03' })
      t.notOk(database.dialect.errors.isTransient(error))
      const cancel = createCancellable()
      const waiting = database.query(update(1), [], cancel).catch((thrown: unknown) => thrown)
      await pause(100)
      cancel.abort('timeout')
      t.match(await waiting, { code: 'TIMEOUT' })
    }, {})
    await until(() => database.pool.active === 0)
  })
})

/** A user without the rights of an administrator, removed when the test ends. */
async function createUser(t: TestLike, url: string, limits = ''): Promise<string> {
  const name = `svc_${randomBytes(6).toString('hex')}`
  const own = new URL(url)
  const { pathname } = own
  await onServer(
    url,
    `CREATE USER ${name} IDENTIFIED BY 'p@ss/word' ${limits}; GRANT ALL ON ${pathname.slice(1)}.* TO ${name}`,
  )
  t.teardown(() => onServer(url.replace(pathname, '/mysql'), `DROP USER ${name}`))
  own.username = name
  own.password = encodeURIComponent('p@ss/word')
  return own.href
}

await onMariaDb(t, 'the server becomes read-only, and writable again', TABLE, async (t, root) => {
  const url = await createUser(t, root)
  const signals: Signal['type'][] = []
  const database = await open(t, url, {
    config: { pool_max: 2, idle_timeout_ms: 100 },
    onSignal: ({ type }) => signals.push(type),
  })
  const insert = (nr: number) => write(`INSERT INTO post VALUES (${nr}, 'x')`)
  await database.query(insert(3), [], null)
  t.equal(database.pool.readOnly, undefined)
  await onServer(root, 'SET GLOBAL read_only = 1')
  t.teardown(() => onServer(root, 'SET GLOBAL read_only = 0'))
  const refusal = { code: 'SERVICE_UNAVAILABLE', message: 'The database takes no writes now. Nothing was written.' }
  await t.rejects(database.query(insert(4), [], null), refusal)
  await t.rejects(
    database.transaction((session) => session.query(insert(4), []), {}),
    refusal,
  )
  t.equal(await single(database, COUNT), '3', 'reads go on')
  await until(() => database.pool.readOnly === true)
  await onServer(root, 'SET GLOBAL read_only = 0')
  await until(() => database.pool.readOnly === undefined)
  await database.query(insert(4), [], null)
  t.strictSame(signals, ['database-read-only', 'database-writable'])
})

await onMariaDb(t, 'the connections that the server grants are the limit', TABLE, async (t, root) => {
  const url = await createUser(t, root, 'WITH MAX_USER_CONNECTIONS 3')
  const signals: Signal[] = []
  const database = await open(t, url, { config: { pool_max: 10 }, onSignal: (signal) => signals.push(signal) })
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => database.query(read(`SELECT ?1, SLEEP(0.01)`), [String(i)], null)),
  )
  t.ok(
    answers.every(({ rows }, i) => rows[0]![0] === String(i)),
    'all are served',
  )
  t.equal(database.pool.granted, 2, 'besides the one that kills')
  t.match(
    signals.filter(({ type }) => type === 'connections-refused'),
    [{ granted: 2, wanted: 9 }],
  )
  const cancel = createCancellable()
  const sleeping = Promise.allSettled(
    Array.from({ length: 2 }, () => database.query(read('SELECT SLEEP(20)'), [], cancel)),
  )
  await pause(100)
  const before = performance.now()
  cancel.abort('timeout')
  await sleeping
  t.equal(await single(database, COUNT), '2')
  t.ok(performance.now() - before < 1000, 'also when the server grants no further connection')
})

await onMariaDb(t, 'waiting for a connection', TABLE, async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 1, connect_timeout_ms: 200 } })
  const order: number[] = []
  await Promise.all(
    [0, 1, 2, 3, 4].map((i) => database.query(read('SELECT SLEEP(0.01)'), [], null).then(() => order.push(i))),
  )
  t.strictSame(order, [0, 1, 2, 3, 4], 'first come, first served')
  const slow = database.query(read('SELECT SLEEP(0.5)'), [], null)
  await t.rejects(database.query(read(COUNT), [], null), { message: 'No database connection was free in time.' })
  const many = await Promise.allSettled(Array.from({ length: 150 }, () => database.query(read(COUNT), [], null)))
  t.ok(many.some((one) => one.status === 'rejected' && /Too many requests/.test(String(one.reason))))
  await slow
  const running = database.query(read('SELECT SLEEP(0.2)'), [], null)
  const closing = database.close()
  await t.rejects(database.ping(), { code: 'SERVICE_UNAVAILABLE', message: 'The service is closing.' })
  t.equal((await running).rows.length, 1, 'what runs is finished')
  await closing
  t.match(database.pool, { active: 0, idle: 0, connected: false })
})

t.test('a server that is not there', async (t) => {
  const database = await open(t, 'mysql://root@127.0.0.1:1/none', { config: { connect_timeout_ms: 500 } })
  await t.rejects(database.ping(), { code: 'SERVICE_UNAVAILABLE' })
  t.equal(database.pool.connected, false)
})

await onMariaDb(t, 'the server is another one than at the start', TABLE, async (t, direct) => {
  const { proxy, url } = await through(t, direct)
  await proxy.cut()
  const database = await open(t, url, { config: { connect_timeout_ms: 500 } })
  await proxy.mend()
  await t.rejects(database.ping(), {
    cause: { message: /The server is MariaDB.* or begin database.url with mariadb:/ },
  })
  const other = await open(t, url.replace('mysql:', 'mariadb:'))
  t.equal(await single(other, COUNT), '2')
})
