import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import WebSocket from 'ws'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { CHANGED, connect, linkShop, listen, openShop, openShopOnPostgres, SHOP_SQL, shop, until } from './shop.ts'

/** What becomes of connections that last: credentials, hooks, slow clients, schemas and processes that end. */
t.setTimeout(120_000)
const hasPostgres = await requireService(t, 'postgres')

if (hasPostgres) {
  t.test('a credential that is taken back ends its connection', async (t) => {
    const app = await openShopOnPostgres(t, [CHANGED], {
      observers: null,
      subscriptions: { recheck_secs: 1 },
      defaultPolicy: 'authenticated',
    })
    const closed: { code: number; reason: string }[] = []
    const on = { closed: (event: unknown) => void closed.push(event as { code: number; reason: string }) }
    const client = connect(t, app, { authToken: 'ann' }, '/ws', { on })
    const heard = await listen(client, app, 'subscription { orderChanged { id } }')
    await app.place('ann')
    await heard.wait(1)
    app.revoked.add('ann')
    await until(() => closed.length === 1, 'it is closed')
    t.match(closed[0], { code: 4403, reason: 'The token is not valid.' })
    t.match(heard.error, { code: 4403 }, 'the end of the connection, no error of the operation')
    const nobody = connect(t, app, {}, '/ws', { on })
    nobody.subscribe({ query: '{ orders { id } }' }, { next() {}, error() {}, complete() {} })
    await until(() => closed.length === 2, 'who says nothing is refused')
    t.match(closed[1], { code: 4401, reason: 'Authentication required' })
  })

  t.test('hooks are called, and refuse with any response but 2xx in time', async (t) => {
    const asked: Record<string, unknown>[] = []
    const hooks = createServer(async (request: IncomingMessage, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const body = JSON.parse(text)
      asked.push(body)
      const no = body.params?.refuse === true || body.variables?.customer === 'no'
      if (body.params?.slow === true) return
      response.writeHead(no ? 302 : 204, { location: '/' }).end()
    })
    await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve))
    t.teardown(() => void hooks.close().closeAllConnections())
    const url = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`
    const app = await openShopOnPostgres(t, [CHANGED], {
      observers: null,
      subscriptions: { hooks: { on_connect: url, on_subscribe: url, on_disconnect: url, timeout_ms: 300 } },
    })
    const client = connect(t, app, { authToken: 'ann' })
    const document = 'subscription ($customer: String) { orderChanged(customer: $customer) { id } }'
    await listen(client, app, { query: document, variables: { customer: 'ann' } })
    const refused = await listen(client, app, { query: document, variables: { customer: 'no' } })
    t.match(refused.error, [{ message: 'Subscription refused.', extensions: { code: 'FORBIDDEN' } }])
    await client.dispose()
    await until(() => asked.length === 4, 'the end is told')
    const connection_id = asked[0]!.connection_id
    t.match(asked, [
      { event: 'connect', connection_id: String, params: { authToken: 'ann' } },
      { event: 'subscribe', connection_id, subscription_name: 'orderChanged', variables: { customer: 'ann' } },
      { event: 'subscribe', connection_id },
      { event: 'disconnect', connection_id },
    ])
    for (const params of [{ refuse: true }, { slow: true }]) {
      const codes: number[] = []
      const other = connect(t, app, params, '/ws', {
        on: { closed: (event: { code: number }) => void codes.push(event.code) },
      })
      other.subscribe({ query: '{ orders { id } }' }, { next() {}, error() {}, complete() {} })
      await until(() => codes.length === 1, 'it is refused')
      t.same(codes, [4403])
    }
  })

  t.test('a client that does not read gets EVENTS_LOST, and does not delay others', async (t) => {
    const app = await openShopOnPostgres(t, [CHANGED], { observers: null, subscriptions: { max_buffered_bytes: 1024 } })
    const slow = new WebSocket(`${app.url.replace('http', 'ws')}/ws`, ['graphql-transport-ws'])
    t.teardown(() => slow.terminate())
    const messages: { type: string; id?: string; payload?: unknown }[] = []
    slow.on('message', (data) => void messages.push(JSON.parse(String(data))))
    await new Promise((resolve) => slow.once('open', resolve))
    slow.send('{"type":"connection_init"}')
    await until(() => messages.length === 1, 'ack')
    for (let n = 0; n < 200; n++) {
      const payload = { query: 'subscription { orderChanged { id customer status total note } }' }
      slow.send(JSON.stringify({ id: `${n}`, type: 'subscribe', payload }))
    }
    await until(() => app.metric('svc_subscriptions_active') === 200, 'all begin')
    const quick = await listen(connect(t, app), app, 'subscription { orderChanged { id } }')
    slow.pause()
    const long = 'x'.repeat(60_000)
    for (let n = 0; n < 4; n++) await app.place(long)
    await quick.wait(4)
    await until(() => app.metric('svc_subscriptions_lost_total') > 0, 'it is lost to some')
    slow.resume()
    const isTold = ({ type, payload }: (typeof messages)[number]) =>
      type === 'error' && JSON.stringify(payload).includes('EVENTS_LOST')
    await until(() => messages.some(isTold) || slow.readyState === WebSocket.CLOSED, 'it is told')
    t.equal(quick.results.length, 4)
    t.equal(quick.isOver, false)
  })

  t.test('a process that stops tells what has come, and sends its clients elsewhere', async (t) => {
    const app = await openShopOnPostgres(t, [CHANGED], { observers: null })
    const codes: number[] = []
    const client = connect(t, app, {}, '/ws', {
      on: { closed: (event: { code: number }) => void codes.push(event.code) },
    })
    const heard = await listen(client, app, 'subscription { orderChanged { customer } }')
    await app.place('last')
    await app.close()
    await until(() => codes.length === 1, 'it is closed')
    t.same(codes, [1001])
    t.same(heard.results, [{ data: { orderChanged: { customer: 'last' } } }])
  })

  t.test('a reload: connections stay, and nothing is lost to them', async (t) => {
    const url = await createPostgresDatabase(t, { sql: SHOP_SQL })
    const removed = { name: 'orderOnce', type: 'Order!' }
    const app = await openShop(t, { kind: 'postgres', url }, shop([CHANGED, removed]), { observers: null })
    const closed: unknown[] = []
    const client = connect(t, app, {}, '/ws', { on: { closed: (event: unknown) => void closed.push(event) } })
    const heard = await listen(client, app, 'subscription { orderChanged { customer } }')
    const gone = await listen(client, app, 'subscription { orderOnce { customer } }')
    const placed: string[] = []
    for (let round = 0; round < 3; round++) {
      const schema = await linkShop(t, { kind: 'postgres', url }, shop([{ ...CHANGED, description: `round ${round}` }]))
      const reloaded = app.kernel.reload(async () => schema, {})
      for (let n = 0; n < 10; n++) {
        placed.push(`${round}-${n}`)
        await app.place(`${round}-${n}`)
      }
      t.equal((await reloaded).result, 'swapped')
    }
    placed.push('last')
    await app.place('last')
    await until(() => heard.results.some(({ data }) => data.orderChanged.customer === 'last'), 'it goes on')
    t.same(
      heard.results.map(({ data }) => data.orderChanged.customer),
      placed,
      'each once, in their order',
    )
    await gone.over()
    t.match(gone.error, [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }], 'what is no more says so')
    t.same(closed, [])
    const late = await listen(client, app, 'subscription { orderChanged { id } }')
    await app.place('new')
    t.equal((await late.wait(1)).length, 1, 'the connection takes new ones')
  })
}
