import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { setUpBus } from '../observers/buses.ts'
import { connect, listen, openShop, SHOP_SQL, shop, until } from './shop.ts'

t.setTimeout(120_000)

if ((await requireService(t, 'postgres')) && (await requireService(t, 'nats'))) {
  t.test('messages of a topic: of the database and of the bus, which may come late', async (t) => {
    const topic = `paid_${randomUUID().slice(0, 8)}`
    const url = await createPostgresDatabase(t, { sql: SHOP_SQL })
    const sql = (text: string) => runOnServer(new URL(url).pathname.slice(1), text)
    const { host, port } = SERVICES.nats
    const proxy = await createTcpProxy(t, host, port)
    const { options } = await setUpBus(t, 'msgbus')
    const schema = shop([
      { name: 'orderPaid', type: 'Order!', topic },
      { name: 'bigPaid', type: 'Order!', topic, filter: 'total > 5' },
    ])
    await proxy.cut()
    const observers = { ...options, msgbus_url: `nats://127.0.0.1:${proxy.port}` }
    const app = await openShop(t, { kind: 'postgres', url }, schema, { observers })
    const { connect: dial } = await import('@nats-io/transport-node')
    const nats = await dial({ servers: `${host}:${port}` })
    t.teardown(() => nats.close())
    await proxy.mend()

    const client = connect(t, app, { authToken: 'ann' })
    const paid = await listen(client, app, 'subscription { orderPaid { id status note } }')
    const big = await listen(client, app, 'subscription { bigPaid { id } }')
    const id = await app.place('ann', '7')
    await until(async () => {
      nats.publish(`svc_${topic}`, JSON.stringify({ id }))
      await nats.flush()
      return paid.results.length > 0
    }, 'the bus is heard')
    t.match(
      paid.results[0],
      { data: { orderPaid: { id, status: 'new', note: null } }, errors: [{}] },
      'as the subscriber may see it',
    )

    const before = paid.results.length
    await until(async () => {
      nats.publish(`svc_${topic}`, JSON.stringify({ id, data: { total: 7 }, operation: 'update' }))
      await nats.flush()
      return big.results.length > 0
    }, 'what the message says is filtered')
    t.match(big.results[0], { data: { bigPaid: { id } } })
    await sql(`NOTIFY "svc_${topic}", '${JSON.stringify({ id })}'`)
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
      nats.publish(`svc_${topic}`, wrong)
    nats.publish(`svc_${topic}`, JSON.stringify({ id, data: { total: 7 } }))
    await nats.flush()
    const count = big.results.length
    await until(() => big.results.length > count, 'what is no message harms nobody')
    t.equal(paid.isOver || big.isOver, false)
  })
}
