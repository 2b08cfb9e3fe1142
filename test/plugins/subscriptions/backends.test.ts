import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createPostgresDatabase, runOnServer, type TestDatabase } from '../../helpers/databases.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { BUSES, KEYS, setUpBus } from '../observers/buses.ts'
import { CHANGED, connect, listen, openShop, SHOP_SQL, shop, until } from './shop.ts'

/** Subscribers of processes that share a bus: events of each other, and messages of topics. */
t.setTimeout(240_000)
const hasPostgres = await requireService(t, 'postgres')

for (const name of ['kvstore', 'msgbus', 'mariadb'] as const) {
  t.test(name, { skip: !hasPostgres }, async (t) => {
    if (!(await requireService(t, BUSES[name]))) return
    const topic = `paid_${randomUUID().slice(0, 8)}`
    const database: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: SHOP_SQL }) }
    const sql = (text: string) => runOnServer(new URL(database.url).pathname.slice(1), text)
    const { host, port } = SERVICES[BUSES[name]]
    const proxy = await createTcpProxy(t, host, port)
    const { options, say } = await setUpBus(t, name)
    const schema = shop([
      { name: 'orderPaid', type: 'Order!', topic },
      { name: 'bigPaid', type: 'Order!', topic, filter: 'total > 5' },
      { ...CHANGED, durable: true, replay: true },
    ])
    const url = new URL(options[KEYS[name]]!)
    url.host = `127.0.0.1:${proxy.port}`

    // It takes connections, and says nothing on them.
    proxy.freeze()
    const began = performance.now()
    const app = await openShop(t, database, schema, { observers: { ...options, [KEYS[name]]: String(url) } })
    const client = connect(t, app, { authToken: 'ann' })
    const all = await listen(client, app, 'subscription { orderChanged { customer } }')
    const early = await app.place('while it says nothing')
    t.comment(`it serves after ${Math.round(performance.now() - began)} ms`)
    t.same(all.results, [])
    proxy.thaw()

    await t.test('a subscriber that joins before the bus is ready gets the events of all processes', async (t) => {
      const other = await openShop(t, database, schema, { observers: options })
      const there = await listen(connect(t, other), other, 'subscription { orderChanged { customer } }')
      for (let n = 0; n < 10; n++) await (n % 2 === 0 ? app : other).place(`n${n}`)
      const names = Array.from({ length: 10 }, (_, n) => `n${n}`)
      const heard = async ({ wait }: typeof all, count: number) =>
        (await wait(count)).map(({ data }) => data.orderChanged.customer)
      t.same(await heard(all, 11), ['while it says nothing', ...names])
      t.same((await heard(there, 10)).slice(-10), names)
    })

    await t.test('messages of a topic: of the database and of the bus, which may come late', async (t) => {
      const channel = `svc_${topic}`
      const paid = await listen(client, app, 'subscription { orderPaid { id status note } }')
      const big = await listen(client, app, 'subscription { bigPaid { id } }')
      const id = await app.place('ann', '7')
      const tell = (message: object) => say(channel, JSON.stringify(message))
      const told = async (message: object, holds: () => boolean, what: string) =>
        until(async () => {
          // Until it listens there is nobody, and maybe no table, to say it to.
          await tell(message).catch(() => {})
          return holds()
        }, what)
      await told({ id }, () => paid.results.length > 0, 'the bus is heard')
      t.match(
        paid.results[0],
        { data: { orderPaid: { id, status: 'new', note: null } }, errors: [{}] },
        'as the subscriber may see it',
      )

      const before = paid.results.length
      const large = { id, data: { total: 7 }, operation: 'update' }
      await tell({ id, total: 5 })
      await told({ id, total: 7 }, () => big.results.length > 0, 'a row as it is')
      const first = big.results.length
      await told(large, () => big.results.length > first, 'what the message says is filtered')
      t.match(big.results[0], { data: { bigPaid: { id } } })
      await sql(`NOTIFY "${channel}", '${JSON.stringify({ id })}'`)
      await until(() => paid.results.length > before, 'the database is heard')

      for (const wrong of [
        '{',
        '[]',
        'null',
        '{"id":{}}',
        '{"id":"nobody"}',
        '{"id":"x","entity":"Customer"}',
        `{"id":"${randomUUID()}"}`,
      ])
        await say(channel, wrong)
      const count = big.results.length
      await told(large, () => big.results.length > count, 'what is no message harms nobody')
      t.equal(paid.isOver || big.isOver, false)
      await say(`${channel}x`, JSON.stringify({ id: early }))
      await tell({ id: early })
      await until(() => paid.results.at(-1).data.orderPaid.id === early, 'another row')
      const ids = paid.results.map(({ data }) => data.orderPaid.id)
      t.equal(ids.indexOf(early), ids.length - 1, 'each channel by itself')
    })
  })
}
