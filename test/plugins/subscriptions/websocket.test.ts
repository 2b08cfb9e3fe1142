import { type IncomingMessage, request } from 'node:http'
import { SubscriptionClient } from 'subscriptions-transport-ws'
import t from 'tap'
import WebSocket from 'ws'
import { eachDatabase } from '../../helpers/databases.ts'
import type { TestLike } from '../../helpers/services.ts'
import { CHANGED, connect, listen, openShop, SHOP_SQL, type Shop, shop, until } from './shop.ts'

t.setTimeout(120_000)

const ORDERS = shop([
  CHANGED,
  { name: 'orderShipped', type: 'Order!', operation: 'UPDATE', filter: "status.changed() and status == 'shipped'" },
  { name: 'orderOfMine', type: 'Order!', filter: 'customer == context.user_id', authenticated: true },
  { name: 'orderOfClaim', type: 'Order!', inject: { customer: 'jwt:sub' } },
  { name: 'orderAdded', type: 'Order!', topic: 'order_created' },
  { name: 'orderSecret', type: 'Order!', requires_scope: 'read:orders' },
])

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openShop(t, database, ORDERS, { subscriptions: { max_subscriptions_per_connection: 5 } })
    await t.test('changes are sent as the view shows them', (t) => told(t, app))
    // proves: subscription.topic subscription.operation subscription.filter subscription.arguments
    await t.test('filters: of the author, of the client', (t) => filters(t, app))
    await t.test('each as it may see it; equal reads are one', (t) => access(t, app))
    await t.test('the legacy protocol', (t) => legacy(t, app))
    await t.test('the words and codes of the protocol', (t) => protocol(t, app))
  },
  { sql: SHOP_SQL },
)

async function told(t: TestLike, app: Shop): Promise<void> {
  const client = connect(t, app)
  const heard = await listen(
    client,
    app,
    'subscription { orderChanged { __typename id customer status total buyer { name } } }',
  )
  const id = await app.place('ann', '12.50')
  await app.set(id, 'paid')
  await app.graphql('mutation { failOrder(customer: "nobody") { id } }')
  const results = await heard.wait(2)
  t.match(results[0], {
    data: { orderChanged: { __typename: 'Order', id, customer: 'ann', total: '12.50', buyer: { name: 'Ann' } } },
  })
  t.match(results[1], { data: { orderChanged: { id, status: 'paid' } } })
  await app.drop(id)
  t.match((await heard.wait(3))[2], {
    data: { orderChanged: { id, status: 'paid', total: '12.50', buyer: { name: 'Ann' } } },
  })
  t.notMatch(JSON.stringify(heard.results), /hush/)
  heard.end()
  await until(() => app.metric('svc_subscriptions_active') === 0, 'nobody subscribes any more')
  const second = await listen(client, app, 'subscription { orderChanged { id } }')
  await app.place('bob')
  t.equal((await second.wait(1)).length, 1)
  t.equal(heard.results.length, 3, 'who has gone hears nothing')
  // Queries and mutations come the same way.
  const answers = []
  for await (const answer of client.iterate({
    query: 'query ($c: String) { orders(where: { customer: { _eq: $c } }) { customer } }',
    variables: { c: 'bob' },
  }))
    answers.push(answer)
  t.same(answers, [{ data: { orders: [{ customer: 'bob' }] } }])
  for await (const answer of client.iterate({ query: 'mutation { placeOrder(customer: "eve") { customer } }' }))
    answers.push(answer)
  t.same(answers[1], { data: { placeOrder: { customer: 'eve' } } })
  t.match((await second.wait(2))[1], { data: { orderChanged: {} } })
}

async function filters(t: TestLike, app: Shop): Promise<void> {
  const client = connect(t, app, { authToken: 'ann' })
  const id = await app.place('ann', '5.00')
  const other = await app.place('bob', '7')
  const shipped = await listen(client, app, 'subscription { orderShipped { id } }')
  const mine = await listen(client, app, 'subscription { orderOfMine { customer } }')
  const one = await listen(client, app, {
    query: 'subscription ($id: ID, $c: String) { orderChanged(id: $id, customer: $c) { id status } }',
    variables: { id: id.toUpperCase(), c: null },
  })
  const five = await listen(client, app, 'subscription { orderChanged(total: "5") { total } }')
  const added = await listen(client, app, 'subscription { orderAdded { customer } }')
  const sixth = await listen(client, app, 'subscription { orderAdded { customer } }')
  t.match(sixth.error, [{ message: /at most 5 subscriptions/, extensions: { code: 'VALIDATION_ERROR' } }])
  await app.set(other, 'shipped')
  await app.set(id, 'paid')
  await app.set(id, 'shipped')
  await app.place('bob')
  // Each is read by itself.
  await Promise.all([added.wait(1), shipped.wait(2), mine.wait(2), one.wait(2), five.wait(2)])
  t.same(
    shipped.results,
    [other, id].map((each) => ({ data: { orderShipped: { id: each } } })),
  )
  t.equal(mine.results.length, 2)
  t.same(
    one.results.map(({ data }) => data.orderChanged.id),
    [id, id],
  )
  t.equal(five.results.length, 2)
  t.equal(added.results.length, 1)
}

async function access(t: TestLike, app: Shop): Promise<void> {
  const token = (subject: string, scopes: readonly string[] = []) => ({
    headers: { Authorization: `Bearer ${JSON.stringify({ subject, scopes })}` },
  })
  const ann = connect(t, app, token('ann'))
  const bob = connect(t, app, token('bob'))
  const reader = connect(t, app, token('eve', ['read:note', 'read:orders']))
  const document = 'subscription { orderChanged { id note } }'
  const all = await Promise.all([listen(ann, app, document)])
  all.push(await listen(bob, app, document))
  const seeing = await listen(reader, app, document)
  const claims = [
    await listen(ann, app, 'subscription { orderOfClaim { customer } }'),
    await listen(bob, app, 'subscription { orderOfClaim { customer } }'),
  ]
  const refused = await listen(ann, app, 'subscription { orderSecret { id } }')
  t.match(refused.error, [{ message: 'Forbidden: missing scope read:orders', extensions: { code: 'FORBIDDEN' } }])
  const before = app.metric('svc_subscriptions_reads_total')
  await app.place('ann')
  for (const heard of all) {
    t.match((await heard.wait(1))[0], {
      data: { orderChanged: { note: null } },
      errors: [
        {
          message: 'Forbidden: missing scope read:note',
          path: ['orderChanged', 'note'],
          extensions: { code: 'FORBIDDEN' },
        },
      ],
    })
  }
  t.same((await seeing.wait(1))[0].errors, undefined)
  await claims[0]!.wait(1)
  t.ok(
    app.metric('svc_subscriptions_reads_total') - before <= 4,
    'one for both who may not, one for who may, one per claim',
  )
  const id = await app.place('bob')
  await claims[1]!.wait(1)
  await app.drop(id)
  t.same((await claims[1]!.wait(2))[1], { data: { orderOfClaim: { customer: 'bob' } } }, 'rows that are gone, too')
  await all[0]!.wait(3)
  t.equal(claims[0]!.results.length, 1)
  // The key is taken back.
  app.revoked.add('{"subject":"bob","scopes":[]}')
}

async function legacy(t: TestLike, app: Shop): Promise<void> {
  const client = new SubscriptionClient(
    `${app.url.replace('http', 'ws')}/subscriptions`,
    { connectionParams: { authorization: 'ann' }, reconnect: false },
    WebSocket,
  )
  t.teardown(() => client.close())
  const results: unknown[] = []
  const errors: Error[] = []
  const accepted = () => app.metric('svc_ws_subscriptions_total', { result: 'accepted' })
  const before = accepted()
  client
    .request({ query: 'subscription { orderOfMine { customer total } }' })
    .subscribe({ next: (result) => void results.push(result), error: (error) => void errors.push(error) })
  await until(() => accepted() > before, 'it begins')
  await app.place('ann', '1')
  await until(() => results.length === 1, 'it is told')
  t.match(results, [{ data: { orderOfMine: { customer: 'ann', total: /^1$/ } } }])
  client
    .request({ query: 'subscription { orderSecret { id } }' })
    .subscribe({ error: (error) => void errors.push(error) })
  await until(() => errors.length === 1, 'it is refused')
  t.match(errors[0], { message: 'Forbidden: missing scope read:orders' })
  const answer = await new Promise((resolve) =>
    client.request({ query: '{ orders(limit: 1) { __typename } }' }).subscribe({ next: resolve }),
  )
  t.match(answer, { data: { orders: [{ __typename: 'Order' }] } })
}

interface Raw {
  readonly messages: Record<string, unknown>[]
  send(message: object | string): void
  wait(count: number): Promise<Record<string, unknown>[]>
  closed(): Promise<readonly [code: number, reason: string]>
}

async function raw(t: TestLike, app: Shop, protocol: string | undefined, path = '/ws'): Promise<Raw> {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}${path}`, protocol === undefined ? [] : [protocol])
  t.teardown(() => socket.terminate())
  const messages: Record<string, unknown>[] = []
  let closed: readonly [number, string] | null = null
  socket.on('message', (data) => void messages.push(JSON.parse(String(data))))
  socket.on('close', (code, reason) => {
    closed = [code, String(reason)]
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    messages,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async wait(count) {
      await until(() => messages.length >= count || closed !== null, `${count} messages`)
      return messages
    },
    async closed() {
      await until(() => closed !== null, 'it is closed')
      return closed!
    },
  }
}

async function protocol(t: TestLike, app: Shop): Promise<void> {
  const init = { type: 'connection_init' }
  const subscribe = { id: '1', type: 'subscribe', payload: { query: 'subscription { orderChanged { id } }' } }
  const codes: Record<string, readonly (object | string)[]> = {
    '4400 There is no message of this type': [init, { type: 'start', id: '1', payload: {} }],
    '4400 "subscribe" needs an "id"': [init, { type: 'subscribe', payload: {} }],
    '4400 An "id" has at most 255 characters': [init, { ...subscribe, id: 'x'.repeat(256) }],
    '4400 The "payload" of a ping has at most 1024 characters': [{ type: 'ping', payload: { a: 'x'.repeat(1024) } }],
    '4400 The message is no valid JSON: it is nested deeper than 600 levels': [
      `{"type":"ping","payload":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
    ],
    '4400 "complete" needs an "id"': [init, { type: 'complete', id: ['1'] }],
    '4401 Unauthorized': [subscribe],
    '4401 The token is not valid.': [{ ...init, payload: { authToken: 'Bearer bad' } }],
    '4409 Subscriber for 1 already exists': [init, subscribe, subscribe],
    '4429 Too many initialisation requests': [init, init],
  }
  for (const [expected, messages] of Object.entries(codes)) {
    const one = await raw(t, app, 'graphql-transport-ws')
    for (const message of messages) {
      one.send(message)
      if (message === init && messages.at(-1) !== init) await one.wait(1)
    }
    t.equal((await one.closed()).join(' '), expected)
  }
  const broken = await raw(t, app, 'graphql-transport-ws')
  broken.send('{')
  t.match(await broken.closed(), [4400, /^The message is no valid JSON: /])
  const longest = await raw(t, app, 'graphql-transport-ws')
  longest.send(init)
  await longest.wait(1)
  longest.send({ ...subscribe, id: 'x'.repeat(255) })
  longest.send({ type: 'ping', payload: { a: 'x'.repeat(1016) } })
  t.same((await longest.wait(2))[1], { type: 'pong', payload: { a: 'x'.repeat(1016) } }, 'the bounds themselves pass')
  longest.send({ ...subscribe, id: 'x'.repeat(255) })
  t.same(await longest.closed(), [4409, `Subscriber for ${'x'.repeat(108)}`], 'a reason is cut')
  const foreign = await raw(t, app, 'mqtt')
  t.equal((await foreign.closed())[0], 4406)
  const bare = await raw(t, app, undefined, '/graphql')
  bare.send(init)
  t.same(await bare.wait(1), [{ type: 'connection_ack' }], 'no sub-protocol: the newer one')
  bare.send({ type: 'ping', payload: { n: 1 } })
  t.same((await bare.wait(2))[1], { type: 'pong', payload: { n: 1 } })
  bare.send({ ...subscribe, payload: { query: 'subscription { orderChanged { nothing } }' } })
  t.match((await bare.wait(3))[2], {
    id: /^1$/,
    type: 'error',
    payload: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
  })
  bare.send({ ...subscribe, payload: { query: '{', surprise: 1 } })
  t.match((await bare.wait(4))[3], { type: 'error', payload: [{ message: /Unknown field "surprise"/ }] })
  const old = await raw(t, app, 'graphql-ws')
  old.send({ type: 'connection_init', payload: { authToken: 'bad' } })
  t.equal((await old.closed())[0], 4401)
  t.match(old.messages, [{ type: 'connection_error', payload: { message: 'The token is not valid.' } }])
  const handshake = (headers: Record<string, string>) =>
    new Promise<{ status: number | undefined; id: unknown }>((resolve, reject) => {
      const asked = request(`${app.url}/ws`, { headers: { connection: 'upgrade', upgrade: 'websocket', ...headers } })
      const answer = ({ statusCode: status, headers: got }: IncomingMessage) =>
        resolve({ status, id: got['x-request-id'] })
      asked.on('upgrade', (reply, socket) => {
        socket.destroy()
        answer(reply)
      })
      asked.on('response', answer).on('error', reject).end()
    })
  const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' }
  t.same(await handshake({ ...key, 'x-request-id': 'mine' }), { status: 101, id: 'mine' }, 'an upgrade carries its id')
  t.match(await handshake(key), { status: 101, id: /^[0-9a-f-]{36}$/ })
  t.same(await handshake({ 'x-request-id': 'mine' }), { status: 400, id: 'mine' }, 'and so does a refusal')
  t.same(await handshake({ ...key, 'sec-websocket-version': '7', 'x-request-id': 'mine' }), { status: 400, id: 'mine' })
  const plain = await fetch(`${app.url}/ws`)
  t.equal(plain.status, 404, 'no route, and no upgrade')
  const h2 = await app.inject({
    method: 'GET',
    url: '/graphql?query=%7B__typename%7D',
    headers: { upgrade: 'h2c', connection: 'upgrade' },
  })
  t.equal(h2.status, 200, 'who wants another protocol is answered as if it had not')
}
