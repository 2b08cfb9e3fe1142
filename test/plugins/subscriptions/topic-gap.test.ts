import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from 'mysql2/promise'
import t from 'tap'
import { createMariadbTopics } from '../../../plugins/observers/bus/mariadb-topics.ts'
import { createPostgresDatabase, runOnServer, type TestDatabase } from '../../helpers/databases.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { BUSES, KEYS, setUpBus } from '../observers/buses.ts'
import { CHANGED, connect, listen, openShop, SHOP_SQL, shop, until } from './shop.ts'

/** Nobody keeps messages of topics: after an interruption their subscribers are told that some may be missing. */
t.setTimeout(180_000)

if (await requireService(t, 'postgres')) {
  const open = async (observers: object) => {
    const topic = `paid_${randomUUID().slice(0, 8)}`
    const database: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: SHOP_SQL }) }
    const schema = shop([
      { name: 'orderPaid', type: 'Order!', topic },
      { name: 'orderOther', type: 'Order!', topic: `${topic}_x` },
      CHANGED,
    ])
    const app = await openShop(t, database, schema, { observers })
    const sql = (text: string) => runOnServer(new URL(database.url).pathname.slice(1), text)
    return { app, sql, channel: `svc_${topic}` }
  }

  t.test('a connection that listens to the database is lost', async (t) => {
    const { app, sql, channel } = await open({})
    const client = connect(t, app)
    const paid = await listen(client, app, 'subscription { orderPaid { id } }')
    const other = await listen(client, app, 'subscription { orderOther { id } }')
    const changed = await listen(client, app, 'subscription { orderChanged { customer } }')
    const id = await app.place('ann')
    const tell = () => sql(`NOTIFY "${channel}", '${JSON.stringify({ id })}'`)
    await tell()
    await paid.wait(1)
    t.equal(paid.error, null)
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ILIKE 'LISTEN%'`)
    await Promise.all([paid.over(), other.over()])
    t.match(paid.error, [{ extensions: { code: 'EVENTS_LOST', resync: true } }])
    t.match(other.error, [{ extensions: { code: 'EVENTS_LOST' } }], 'every channel of the connection')
    t.equal(changed.isOver, false, 'a subscription without a topic goes on')
    const again = await listen(client, app, 'subscription { orderPaid { id } }')
    await tell()
    t.same(await again.wait(1), [{ data: { orderPaid: { id } } }])
    t.equal(again.error, null)
  })

  for (const name of ['kvstore', 'msgbus'] as const) {
    t.test(`an interruption of ${name}`, async (t) => {
      if (!(await requireService(t, BUSES[name]))) return
      const { host, port } = SERVICES[BUSES[name]]
      const proxy = await createTcpProxy(t, host, port)
      const { options, say } = await setUpBus(t, name)
      const url = new URL(options[KEYS[name]]!)
      url.host = `127.0.0.1:${proxy.port}`
      const { app, channel } = await open({ ...options, [KEYS[name]]: String(url) })
      const client = connect(t, app)
      const id = await app.place('ann')
      const follow = async () => {
        const paid = await listen(client, app, 'subscription { orderPaid { id } }')
        await until(async () => {
          await say(channel, JSON.stringify({ id }))
          await sleep(50)
          return paid.results.length > 0 || paid.isOver
        }, 'it is heard')
        return paid
      }
      const changed = await listen(client, app, 'subscription { orderChanged { customer } }')
      const paid = await follow()
      t.equal(paid.error, null)
      await proxy.cut()
      await say(channel, JSON.stringify({ id }))
      await proxy.mend()
      await paid.over()
      t.match(paid.error, [{ extensions: { code: 'EVENTS_LOST', resync: true } }])
      t.equal(changed.isOver, false)
      const again = await follow()
      t.equal(again.error, null, 'once for each interruption')
    })
  }

  t.test('MariaDB keeps messages for a while: only a longer interruption leaves a gap', async (t) => {
    if (!(await requireService(t, 'mariadb'))) return
    const { host, port } = SERVICES.mariadb
    const proxy = await createTcpProxy(t, host, port)
    const pool = createPool({
      host: '127.0.0.1',
      port: proxy.port,
      user: 'root',
      supportBigNumbers: true,
      bigNumberStrings: true,
    })
    await pool.query('CREATE DATABASE IF NOT EXISTS svc_test_events')
    const table = `svc_test_events.svc_test_${randomUUID().slice(0, 8)}_messages`
    const topics = createMariadbTopics(pool, table, 500, 2)
    t.teardown(async () => {
      topics.close()
      await sleep(700)
      await pool.query(`DROP TABLE IF EXISTS ${table}`)
      await pool.end()
    })
    const heard: string[] = []
    let gaps = 0
    await topics.hear(
      'one',
      (text) => void heard.push(text),
      () => void gaps++,
    )
    const say = async (text: string) => {
      await pool.query(`INSERT INTO ${table} (channel, message) VALUES ('one', ?)`, [text])
      await until(() => heard.includes(text), text)
    }
    await say('first')
    await proxy.cut()
    await sleep(300)
    await proxy.mend()
    await until(
      () =>
        say('second').then(
          () => true,
          () => false,
        ),
      'it is back',
    )
    t.equal(gaps, 0)
    await proxy.cut()
    await sleep(2500)
    await proxy.mend()
    await until(() => gaps > 0, 'a gap')
    await until(
      () =>
        say('third').then(
          () => true,
          () => false,
        ),
      'it goes on',
    )
    t.equal(gaps, 1)
  })
}
