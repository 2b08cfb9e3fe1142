import { createClient } from 'graphql-sse'
import t from 'tap'
import rest from '../../../plugins/rest/index.ts'
import sse from '../../../plugins/sse/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { CHANGED, openShop, SHOP_SQL, type Shop, shop, until } from '../subscriptions/shop.ts'
import { openStream } from './streams.ts'

t.setTimeout(120_000)

const SCHEMA = shop([
  CHANGED,
  { name: 'orderKept', type: 'Order!', durable: true, replay: true },
  { name: 'orderSecret', type: 'Order!', requires_scope: 'read:orders' },
])

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: SHOP_SQL })
  const app = await openShop(t, { kind: 'postgres', url }, SCHEMA, {
    observers: { backend: 'sqldb' },
    plugins: [rest, sse].map((plugin) => ({ plugin, options: {}, source: 'test' })),
  })
  await t.test('graphql-sse, distinct connections', (t) => graphql(t, app))
  await t.test('changes of a resource', (t) => resource(t, app))
}

async function graphql(t: TestLike, app: Shop): Promise<void> {
  const client = createClient({
    url: `${app.url}/graphql/stream`,
    headers: { authorization: 'Bearer ann' },
    retryAttempts: 0,
  })
  const results: unknown[] = []
  let isOver = false
  const end = client.subscribe(
    { query: 'subscription { orderChanged(customer: "ann") { customer status } }' },
    {
      next: (result) => void results.push(result),
      error: (error) => t.fail(String(error)),
      complete: () => (isOver = true),
    },
  )
  await until(() => app.metric('svc_subscriptions_active') === 1, 'it begins')
  await app.place('bob')
  const id = await app.place('ann')
  await app.set(id, 'paid')
  await until(() => results.length === 2, 'two are told')
  t.match(results[1], { data: { orderChanged: { customer: 'ann', status: 'paid' } } })
  end()
  await until(() => app.metric('svc_subscriptions_active') === 0 && isOver, 'it ends')
  const answers = []
  for await (const answer of client.iterate({ query: '{ orders(limit: 1) { __typename } }' })) answers.push(answer)
  for await (const answer of client.iterate({ query: 'subscription { orderSecret { id } }' })) answers.push(answer)
  for await (const answer of client.iterate({ query: '{ nothing }' })) answers.push(answer)
  t.match(answers, [
    { data: { orders: [{ __typename: 'Order' }] } },
    { errors: [{ extensions: { code: 'FORBIDDEN' } }] },
    { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
  ])
  t.equal(
    (await openStream(t, app, '/graphql/stream?query=%7Borders%7Bid%7D%7D', { authorization: 'Bearer bad' })).status,
    401,
  )
  // proves: subscription.durable subscription.replay
  await t.test('missed events are sent again', async (t) => {
    const query = encodeURIComponent('subscription { orderKept { customer } }')
    const first = await openStream(t, app, `/graphql?query=${query}`)
    await until(() => app.metric('svc_subscriptions_active') === 1, 'it begins')
    await app.place('first')
    await until(() => first.text.includes('"first"'), 'the first is told')
    const seen = /id: (\S+)/.exec(first.text)![1]!
    first.end()
    await app.place('second')
    await app.place('third')
    const again = await openStream(t, app, `/graphql?query=${query}`, { 'last-event-id': seen })
    await app.place('fourth')
    await until(() => again.text.includes('"fourth"'), 'the last is told')
    t.same(
      again.text.match(/"customer":"\w+"/g),
      ['second', 'third', 'fourth'].map((name) => `"customer":"${name}"`),
    )
    const unknown = await openStream(t, app, `/graphql?query=${query}`, {
      'last-event-id': '00000000-0000-4000-8000-000000000000',
    })
    await until(() => unknown.text.includes('EVENTS_LOST'), 'it is told that it cannot')
    again.end()
  })
}

async function resource(t: TestLike, app: Shop): Promise<void> {
  const stream = await openStream(t, app, '/rest/v1/orders/stream?customer=ann&select=id,status')
  t.equal(stream.status, 200)
  await until(() => stream.text.includes('event: ping'), 'it begins')
  await app.place('bob')
  const id = await app.place('ann')
  await app.set(id, 'paid')
  // The insert may be read when the row is paid already.
  await until(() => stream.text.includes('event: update'), 'it is told')
  const events = stream.text.split('\n\n').filter((text) => text !== '' && !text.startsWith('event: ping'))
  t.equal(events.length, 2)
  t.match(events[0], /^event: insert\nid: [\da-f-]{36}\ndata: \{"id":"[\da-f-]{36}","status":"\w+"\}$/)
  t.match(events[1], /^event: update\n/)
  const seen = /id: (\S+)/.exec(events[0]!)![1]!
  await app.drop(id)
  await until(() => stream.text.includes('event: delete'), 'it is told that it is gone')
  t.match(
    stream.text.split('\n\n').find((text) => text.startsWith('event: delete')),
    `data: {"id":"${id}","status":"paid"}`,
  )
  const again = await openStream(t, app, '/rest/v1/orders/stream', { 'last-event-id': seen })
  await until(() => again.text.includes('event: delete'), 'what was missed')
  const other = await fetch(`${app.url}/rest/v1/orders/stream`, { headers: { accept: 'application/json' } })
  t.equal(other.status, 406)
}
