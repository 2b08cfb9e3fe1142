import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import rest from '../../../plugins/rest/index.ts'
import sse from '../../../plugins/sse/index.ts'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { CHANGED, openShop, SHOP_SQL, type Shop, shop, until } from '../subscriptions/shop.ts'
import { openStream, type Stream } from './streams.ts'

/** What one tenant reads back by `Last-Event-ID`, whatever stands there; custom events; hooks of connections that are streams. */
t.setTimeout(180_000)

const OWN = { type: 'Order!', inject: { customer: 'jwt:sub' } }
const RING = `CREATE FUNCTION fn_ring_order(id uuid) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('status', 'success', 'entity_id', o.id, 'entity', to_jsonb(o)) FROM tb_order o WHERE o.id = fn_ring_order.id $$;`

const base = shop([
  { ...CHANGED, name: 'orderKept', durable: true, replay: true },
  { ...OWN, name: 'ownKept', durable: true, replay: true },
  { ...OWN, name: 'ownDurable', durable: true },
  { ...CHANGED, name: 'orderRung' },
])
const SCHEMA = {
  ...base,
  queries: [
    { name: 'orders', type: '[Order!]!', sql_source: 'v_order', rest_path: '/all' },
    {
      name: 'ownOrders',
      type: '[Order!]!',
      sql_source: 'v_order',
      inject: { customer: 'jwt:sub' },
      // The resource, and its stream, are these.
      rest_path: '/orders',
    },
  ] as never,
  mutations: [
    ...(base.mutations ?? []),
    {
      name: 'ringOrder',
      type: 'Order',
      sql_source: 'fn_ring_order',
      operation: 'CUSTOM',
      arguments: [{ name: 'id', type: 'ID!' }],
    },
  ] as never,
}

const FORGED = [
  '00000000-0000-4000-8000-000000000000',
  '0',
  '-1',
  '1',
  "' OR 1 = 1 --",
  '00000000-0000-4000-8000-00000000000',
  '00000000-0000-4000-8000-000000000000, 00000000-0000-4000-8000-000000000000',
  'x'.repeat(4000),
]

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: SHOP_SQL + RING })
  const sql = (text: string) => runOnServer(new URL(url).pathname.slice(1), text)
  const plugins = [rest, sse].map((plugin) => ({ plugin, options: {}, source: 'test' }))
  const app = await openShop(t, { kind: 'postgres', url }, SCHEMA, { observers: { backend: 'sqldb' }, plugins })
  const status = ({ status }: Stream): number => status
  const as = (who: string) => ({ authorization: `Bearer ${who}` })
  const graphql = (field: string): string =>
    `/graphql/stream?query=${encodeURIComponent(`subscription { ${field} { id customer } }`)}`
  const idsIn = ({ text }: Stream): string[] => [...text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id!)
  const ring = (id: string) =>
    app.graphql('mutation ($id: ID!) { ringOrder(id: $id) { id } }', { id }, { authorization: 'Bearer root' })
  /** Streams that are told of everything up to here. */
  const settled = async (...streams: readonly Stream[]): Promise<void> => {
    for (const customer of ['ann', 'bob']) await app.place(customer)
    await until(() => streams.every(({ text }) => /^data: ./m.test(text)), 'the last is told')
  }

  const hers = await openStream(t, app, graphql('ownKept'), as('ann'))
  const open = await openStream(t, app, graphql('orderKept'), as('ann'))
  await until(() => app.metric('svc_subscriptions_active') === 2, 'they begin')
  const secret = await app.place('ann', '5')
  await until(() => idsIn(hers).length === 1 && idsIn(open).length === 1, 'it is told')
  const [seen] = idsIn(hers) as [string]
  await app.set(secret, 'paid')
  await app.place('bob')

  await t.test('the id of an event is a place, and no right', async (t) => {
    t.equal(idsIn(open)[0], seen, 'an event has one id, whoever is told')
    const streams = [
      await openStream(t, app, graphql('ownKept'), { ...as('bob'), 'last-event-id': seen }),
      await openStream(t, app, graphql('ownKept'), { ...as('bob'), 'last-event-id': seen.toUpperCase() }),
      await openStream(t, app, graphql('ownDurable'), { ...as('bob'), 'last-event-id': seen }),
      await openStream(t, app, '/rest/v1/orders/stream', { ...as('bob'), 'last-event-id': seen }),
    ]
    t.same(streams.map(status), [200, 200, 200, 200])
    await app.set(secret, 'shipped')
    await settled(...streams)
    await app.drop(secret)
    const last = await app.place('bob')
    for (const stream of streams) {
      await until(() => stream.text.includes(last), 'the last is told')
      t.notMatch(stream.text, new RegExp(`${secret}|ann|${seen}`))
    }
    const [one, , durable, resource] = streams.map(({ text }) => text.match(/^data: \{/gm)?.length)
    t.equal(one, 3, 'his own from there on')
    t.equal(resource, 3)
    t.equal(durable, 2, 'what replays nothing begins now, whatever a browser sends')
  })

  await t.test('an event id of another subscription is accepted', async (t) => {
    const id = idsIn(open)[0]!
    const stream = await openStream(t, app, graphql('ownKept'), { ...as('ann'), 'last-event-id': id })
    await until(() => idsIn(stream).length >= 2, 'it goes on')
    t.notOk(idsIn(stream).includes(id), 'behind it')
    t.notMatch(stream.text, 'bob')
  })

  await t.test('a forged event id is treated as lost events', async (t) => {
    for (const forged of FORGED) {
      const header = { 'last-event-id': forged }
      const lost = await openStream(t, app, graphql('ownKept'), { ...as('bob'), ...header })
      await lost.over
      t.match(lost.text, /"resync":true[^\n]*"code":"EVENTS_LOST"[^\n]*\n\nevent: complete\n/, forged.slice(0, 60))
      t.notMatch(lost.text, /syntax|uuid|outbox/i)
    }
    const empty = await openStream(t, app, graphql('ownKept'), { ...as('bob'), 'last-event-id': '' })
    const resource = await openStream(t, app, '/rest/v1/orders/stream', {
      ...as('bob'),
      'last-event-id': FORGED[4]!,
    })
    await until(() => resource.text.includes('event: ping'), 'it begins')
    t.match(resource.text, /^: events were lost; read the list again\n\nevent: ping/)
    await settled(empty, resource)
    t.equal(resource.text.match(/^data: \{/gm)?.length, 1, 'and begins now')
    const both = await fetch(`${app.url}${graphql('ownKept')}&extensions=${encodeURIComponent('{"lastEventId":{}}')}`, {
      headers: { accept: 'text/event-stream', ...as('bob') },
    })
    t.match(await both.text(), 'BAD_USER_INPUT')
  })

  await t.test('an event that is kept no more', async (t) => {
    const [{ id, position }] = (await sql('SELECT id, position FROM svc_outbox ORDER BY position LIMIT 1')) as [
      { id: string; position: string },
    ]
    // The ring of the first process has it still; one that starts later reads what is kept.
    const other = await openShop(t, { kind: 'postgres', url }, SCHEMA, { observers: { backend: 'sqldb' }, plugins })
    await sql(`INSERT INTO svc_event_relay (name) VALUES ('observers') ON CONFLICT DO NOTHING;
      UPDATE svc_event_relay SET removed = ${position}::bigint + 1 WHERE name = 'observers';
      DELETE FROM svc_outbox WHERE position <= ${position}::bigint + 1`)
    const lost = await openStream(t, other, graphql('orderKept'), { ...as('ann'), 'last-event-id': id })
    await lost.over
    t.match(lost.text, 'EVENTS_LOST')
    const resource = await openStream(t, other, '/rest/v1/orders/stream', { ...as('ann'), 'last-event-id': id })
    await until(() => resource.text.includes('event: ping'), 'it begins')
    t.match(resource.text, /^: events were lost/)
    // The event is there, and the one behind it is not.
    const rows = (await sql('SELECT id, position FROM svc_outbox ORDER BY position LIMIT 2')) as {
      id: string
      position: string
    }[]
    await sql(`UPDATE svc_event_relay SET removed = ${rows[1]!.position}::bigint WHERE name = 'observers';
      DELETE FROM svc_outbox WHERE position = ${rows[1]!.position}::bigint`)
    const gap = await openStream(t, other, graphql('orderKept'), { ...as('ann'), 'last-event-id': rows[0]!.id })
    await gap.over
    t.match(gap.text, 'EVENTS_LOST', 'nothing is left out in silence')
  })

  await t.test('custom events', async (t) => {
    const resource = await openStream(t, app, '/rest/v1/orders/stream', as('bob'))
    const rung = await openStream(t, app, graphql('orderRung'), as('bob'))
    await until(() => resource.text.includes('event: ping') && rung.text.startsWith(':'), 'they begin')
    const [his, other] = [await app.place('bob'), await app.place('ann')]
    t.equal((await ring(other)).errors, undefined)
    t.equal((await ring(his)).errors, undefined)
    await until(() => resource.text.includes('event: custom') && timesIn(rung.text, his) >= 2, 'both are told')
    t.match(resource.text, new RegExp(`event: custom\\nid: \\S+\\ndata: \\{"id":"${his}",.*"customer":"bob"`))
    t.notMatch(resource.text, other, 'no row of somebody else')
    t.equal(timesIn(rung.text, his), 2, 'and by GraphQL, as every other')
  })

  await t.test('hooks run for streams, and may refuse them', (t) => hooks(t, app, url))
}

async function hooks(t: Parameters<typeof openShop>[0], _app: Shop, url: string): Promise<void> {
  const asked: Record<string, unknown>[] = []
  let refuse = ''
  const server = createServer(async (request: IncomingMessage, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text)
    asked.push(body)
    response.writeHead(body.event === refuse ? 403 : 204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close().closeAllConnections())
  const hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const app = await openShop(t, { kind: 'postgres', url }, SCHEMA, {
    observers: { backend: 'sqldb' },
    plugins: [rest, sse].map((plugin) => ({ plugin, options: {}, source: 'test' })),
    subscriptions: { hooks: { on_connect: hook, on_subscribe: hook, on_disconnect: hook } },
  })
  const query = encodeURIComponent('subscription ($c: String) { orderRung(customer: $c) { id } }')
  const path = `/graphql/stream?query=${query}&variables=${encodeURIComponent('{"c":"ann"}')}`
  const stream = await openStream(t, app, path)
  await until(() => stream.text.startsWith(':'), 'it begins')
  const events = (): unknown[] => asked.map(({ event }) => event)
  t.same(events(), ['connect', 'subscribe'])
  const [connected, subscribed] = asked as [Record<string, unknown>, Record<string, unknown>]
  t.match(connected, { params: {}, connection_id: String })
  t.match(subscribed, {
    connection_id: connected.connection_id,
    subscription_name: 'orderRung',
    variables: { c: 'ann' },
  })
  stream.end()
  await until(() => asked.length === 3, 'its end is told')
  t.match(asked[2], { event: 'disconnect', connection_id: connected.connection_id })

  asked.length = 0
  refuse = 'subscribe'
  const second = await openStream(t, app, path)
  await second.over
  t.match(second.text, /^event: next\ndata: .*Subscription refused.*FORBIDDEN.*\n\nevent: complete\n/)
  await until(() => asked.length === 3, 'who was connected is told of')
  t.same(events(), ['connect', 'subscribe', 'disconnect'])

  asked.length = 0
  refuse = 'connect'
  const first = await openStream(t, app, path)
  await first.over
  t.match(first.text, /Connection refused.*FORBIDDEN/)
  t.same(events(), ['connect'], 'what was not connected has no end')
  await until(() => app.metric('svc_subscriptions_connections') === 0, 'none is left')
}

function timesIn(text: string, part: string): number {
  return text.split(part).length - 1
}
