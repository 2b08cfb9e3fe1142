import t from 'tap'
import { createPostgresDatabase, runOnServer, type TestDatabase } from '../../helpers/databases.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { CHANGED, connect, type Heard, linkShop, listen, openShop, SHOP_SQL, type Shop, shop, until } from './shop.ts'

/** Subscriptions to events that are kept: what becomes of them when processes change, and what others may read back of them. */
t.setTimeout(120_000)

const ID = { name: 'id', type: 'ID' }
const OWN = { type: 'Order!', arguments: [ID], inject: { customer: 'jwt:sub' } }
const SCHEMA = shop([
  { ...CHANGED, name: 'orderKept', durable: true, replay: true },
  { name: 'ownKept', ...OWN, durable: true, replay: true },
  { name: 'ownDurable', ...OWN, durable: true },
  { name: 'placedKept', type: 'Order!', topic: 'place_order', durable: true, replay: true },
  { name: 'ownTold', ...OWN, topic: 'told', filter: 'total >= 0' },
])

if (await requireService(t, 'postgres')) {
  const database: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: SHOP_SQL }) }
  const open = (t: TestLike) => openShop(t, database, SCHEMA, { observers: { backend: 'sqldb' } })
  const stays = await open(t)
  await t.test('a reload and a stopping process: no event is missed or sent twice', async (t) =>
    lasts(t, database, await open(t), stays),
  )
  await t.test('a message is no place to go on from', (t) => goesOn(t, database, stays))
  await t.test('events of other tenants are not sent, with any event id', (t) => tenants(t, database, stays))
}

function customers({ results }: Heard): readonly string[] {
  return results.map(({ data }) => data.orderKept.customer)
}

async function lasts(t: TestLike, database: TestDatabase, stops: Shop, stays: Shop): Promise<void> {
  const query = 'subscription { orderKept { customer } }'
  const placed: string[] = []
  const place = async (app: Shop): Promise<void> => {
    placed.push(`n${placed.length}`)
    await app.place(placed.at(-1)!)
  }
  const codes: number[] = []
  const on = { closed: (event: unknown) => void codes.push((event as { code: number }).code) }
  const first = await listen(connect(t, stops, {}, '/ws', { on }), stops, query)
  for (let round = 0; round < 2; round++) {
    const next = await linkShop(t, database, shop([...SCHEMA.subscriptions!], { description: `round ${round}` }))
    const reloaded = stops.kernel.reload(async () => next, {})
    for (let n = 0; n < 6; n++) await place(n % 2 === 0 ? stops : stays)
    t.equal((await reloaded).result, 'swapped')
  }
  await first.wait(12)
  t.same(customers(first), placed, 'each once, in their order')

  const stopped = stops.close()
  for (let n = 0; n < 6; n++) await place(stays)
  await stopped
  await until(() => codes.length === 1, 'it is sent elsewhere')
  t.same(codes, [1001])
  const { lastEventId } = first.results.at(-1).extensions
  const again = await listen(connect(t, stays), stays, { query, extensions: { lastEventId } })
  await place(stays)
  await until(() => customers(again).includes(placed.at(-1)!), 'it goes on')
  t.same([...customers(first), ...customers(again)], placed)
}

/** Messages are not kept: who is told of one last goes on behind the event before it. */
async function goesOn(t: TestLike, database: TestDatabase, app: Shop): Promise<void> {
  const query = 'subscription { placedKept { customer } }'
  const first = await listen(connect(t, app), app, query)
  const id = await app.place('kept')
  const [event] = await first.wait(1)
  const { lastEventId } = event.extensions
  await runOnServer(new URL(database.url).pathname.slice(1), `NOTIFY svc_place_order, '{"id":"${id}"}'`)
  const [, message] = await first.wait(2)
  t.same(message, { data: { placedKept: { customer: 'kept' } } })
  const again = await listen(connect(t, app), app, { query, extensions: { lastEventId } })
  await app.place('behind')
  t.match(await again.wait(1), [
    { data: { placedKept: { customer: 'behind' } }, extensions: { lastEventId: /\d-\d|-\w/ } },
  ])
}

async function tenants(t: TestLike, database: TestDatabase, app: Shop): Promise<void> {
  const sql = (text: string) => runOnServer(new URL(database.url).pathname.slice(1), text)
  const [ann, bob] = ['ann', 'bob'].map((authToken) => connect(t, app, { authToken }))
  const hers = await listen(ann!, app, 'subscription { ownKept { id } }')
  const id = await app.place('ann', '5')
  const [first] = await hers.wait(1)
  t.equal(first.data.ownKept.id, id)
  const { lastEventId } = first.extensions
  const kept = 'subscription ($id: ID) { ownKept(id: $id) { id customer } }'
  const asked = [
    { query: kept },
    { query: kept, extensions: { lastEventId } },
    { query: kept, variables: { id } },
    { query: kept, variables: { id }, extensions: { lastEventId } },
    { query: 'subscription { ownDurable { id customer } }' },
    { query: 'subscription { ownTold { id customer } }' },
  ]
  const his: Heard[] = []
  for (const payload of asked) his.push(await listen(bob!, app, payload))
  const refused = await listen(bob!, app, {
    query: 'subscription { ownDurable { id } }',
    extensions: { lastEventId },
  })
  t.match(refused.error, [{ message: /replays nothing/, extensions: { code: 'BAD_USER_INPUT' } }])

  await app.set(id, 'paid')
  for (const message of [
    { id },
    { id, data: { customer: 'bob', total: 5 } },
    { id, operation: 'delete', data: { customer: 'bob' } },
    { id, entity: 'Order', operation: 'update', data: { id, customer: 'bob', total: 1 } },
  ])
    await sql(`NOTIFY svc_told, '${JSON.stringify(message)}'`)
  await app.drop(id)
  const own = await app.place('bob')
  await sql(`NOTIFY svc_told, '${JSON.stringify({ id: own, data: { total: 0 } })}'`)
  for (const index of [0, 1, 4, 5]) await his[index]!.wait(1)
  await hers.wait(3)
  for (const [index, { results, isOver }] of his.entries()) {
    t.notMatch(JSON.stringify(results), new RegExp(`${id}|ann`), `${index}`)
    t.equal(results.length, index === 2 || index === 3 ? 0 : 1, JSON.stringify(asked[index]))
    t.equal(isOver, false)
  }
}
