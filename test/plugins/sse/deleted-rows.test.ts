import t from 'tap'
import { definePlugin } from '../../../core/doors/plugin.ts'
import rest from '../../../plugins/rest/index.ts'
import sse from '../../../plugins/sse/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { CHANGED, openShop, SHOP_SQL, shop, until } from '../subscriptions/shop.ts'
import { openStream, type Stream } from './streams.ts'

/** Deleted rows that a stream cannot show, as those of lists with cursors; heartbeats; operations other than subscriptions. */
t.setTimeout(120_000)

const OWN = { customer: 'jwt:sub' }
/** By type: its rules, those of its query, and whether its stream sends the id of a deleted row. */
const TYPES = {
  Bare: { type: { open: true }, query: {}, isSent: true },
  Typed: { type: { inject: OWN }, query: {}, isSent: false },
  Queried: { type: { open: true }, query: { inject: OWN }, isSent: false },
  Filtered: { type: { row_filter: "customer <> ''" }, query: {}, isSent: false },
  Sifted: { type: { open: true }, query: { row_filter: "customer <> ''" }, isSent: false },
  Hooked: { type: { open: true }, query: {}, isSent: false },
  Bound: { type: { open: true }, query: {}, isSent: false },
} as const
/** The callers that the hooks below restrict. */
const CALLERS: Readonly<Record<string, string>> = { Hooked: 'hooked', Bound: 'bound' }
const NAMES = Object.keys(TYPES) as (keyof typeof TYPES)[]

const base = shop([CHANGED])
const order = base.types!.find(({ name }) => name === 'Order')!
const schema = {
  ...base,
  types: [
    ...base.types!,
    ...NAMES.map((name) => ({
      ...order,
      name,
      sql_source: `v_${name.toLowerCase()}`,
      relay: true,
      fields: order.fields.filter(({ name: field }) => ['id', 'customer'].includes(field)),
      ...TYPES[name].type,
    })),
  ],
  queries: [
    ...base.queries!,
    ...NAMES.map((name) => ({
      // The resource, and its stream, have the name of the list.
      name: name.toLowerCase(),
      type: `[${name}!]!`,
      sql_source: `v_${name.toLowerCase()}`,
      relay: true,
      rest_path: `/${name.toLowerCase()}`,
      ...TYPES[name].query,
    })),
  ],
  mutations: [
    ...base.mutations!.map((one) => (one.name === 'failOrder' ? { ...one, type: 'Order!' } : one)),
    ...NAMES.map((type) => ({
      name: `drop${type}`,
      type,
      sql_source: 'fn_drop_order',
      operation: 'DELETE',
      arguments: [{ name: 'id', type: 'ID!' }],
    })),
    ...NAMES.map((type) => ({
      name: `set${type}`,
      type,
      sql_source: 'fn_set_order',
      operation: 'UPDATE',
      arguments: [
        { name: 'id', type: 'ID!' },
        { name: 'status', type: 'String!' },
      ],
    })),
  ],
}
const SQL = `${SHOP_SQL}
ALTER TABLE tb_order ADD pk_order serial;
${NAMES.map((name) => name.toLowerCase())
  .map((name) => `CREATE VIEW v_${name} AS SELECT v.*, pk_order AS pk_${name} FROM v_order v JOIN tb_order USING (id);`)
  .join('\n')}`

/** Rules outside the schema: a condition of rows, and a session variable, which row-level security may read. */
const hooks = definePlugin({ name: 'hooks', version: '1.0.0', kernelApi: 1, description: 'A test.' }, (scope) => {
  scope.on('authorize', ({ auth }, _operation, access) => {
    if (auth?.subject === 'hooked') access.where('Hooked', { customer: { _neq: '' } })
    if (auth?.subject === 'bound') access.set('app.customer', 'ann')
  })
})

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: SQL })
  const app = await openShop(t, { kind: 'postgres', url }, schema as never, {
    plugins: [
      { plugin: rest, options: {}, source: 'test' },
      { plugin: sse, options: { heartbeat_secs: 1 }, source: 'test' },
      { plugin: hooks, options: {}, source: 'test' },
    ],
  })
  const as = (who: string) => ({ authorization: `Bearer ${who}` })
  const write = async (text: string, id: string): Promise<void> => {
    const { errors } = await app.graphql(`mutation ($id: ID!) { ${text} { __typename } }`, { id }, as('ann'))
    if (errors !== undefined) throw new Error(JSON.stringify(errors))
  }
  const eventsOf = ({ text }: Stream): unknown[] =>
    [...text.matchAll(/^event: (\w+)\nid: \S+\ndata: (.*)$/gm)].map(([, kind, data]) => [kind, JSON.parse(data!)])

  await t.test('the stream sends the id of a deleted row only if no rule of rows restricts the caller', async (t) => {
    for (const name of NAMES) {
      const path = `/rest/v1/${name.toLowerCase()}/stream`
      const stream = await openStream(t, app, path, as(CALLERS[name] ?? 'ann'))
      await until(() => stream.text.includes('event: ping'), 'the stream begins')
      const [gone, kept] = [await app.place('ann'), await app.place('ann')]
      await write(`drop${name}(id: $id)`, gone)
      await write(`set${name}(id: $id, status: "paid")`, kept)
      await until(() => stream.text.includes('event: update'), 'the next event arrives')
      const update = ['update', { id: kept, customer: 'ann' }]
      t.strictSame(eventsOf(stream), TYPES[name].isSent ? [['delete', { entity_id: gone }], update] : [update], name)
      stream.end()
    }
  })

  await t.test('a stream where nothing happens shows that it lives', async (t) => {
    const query = encodeURIComponent('subscription { orderChanged { id } }')
    const graphql = await openStream(t, app, `/graphql/stream?query=${query}`, as('ann'))
    const rows = await openStream(t, app, '/rest/v1/bare/stream', as('ann'))
    await until(() => graphql.text.length >= 9 && rows.text.split('\n\n').length > 3, 'three times')
    t.equal(graphql.text.slice(0, 9), ':\n\n:\n\n:\n\n')
    t.match(rows.text, /^(event: ping\ndata: \n\n){3}/)
  })

  await t.test('operations that are no subscriptions: one event, and its end', async (t) => {
    const send = async (method: 'GET' | 'POST', query: string) => {
      const headers = { accept: 'text/event-stream', 'content-type': 'application/json', ...as('ann') }
      const reply =
        method === 'GET'
          ? await fetch(`${app.url}/graphql/stream?query=${encodeURIComponent(query)}`, { headers })
          : await fetch(`${app.url}/graphql/stream`, { method, headers, body: JSON.stringify({ query }) })
      t.equal(reply.status, 200)
      const [, text] = /^event: next\ndata: (.*)\n\nevent: complete\ndata: \n\n$/.exec(await reply.text()) ?? []
      const { data, errors } = JSON.parse(text ?? 'null')
      return { data, codes: errors?.map((error: { extensions: { code: string } }) => error.extensions.code) }
    }
    const place = 'mutation { placeOrder(customer: "zoe") { customer } }'
    const orders = '{ orders(where: { customer: { _eq: "zoe" } }) { customer } }'
    for (const method of ['GET', 'POST'] as const) {
      const data = { orders: [] }
      t.strictSame(await send(method, orders), { data, codes: undefined }, `${method}: a query`)
    }
    t.strictSame(await send('GET', place), { data: undefined, codes: ['METHOD_NOT_ALLOWED'] })
    t.strictSame(await send('POST', orders), { data: { orders: [] }, codes: undefined }, 'nothing was written')
    const placed = { placeOrder: { customer: 'zoe' } }
    t.strictSame(await send('POST', place), { data: placed, codes: undefined })
    t.strictSame(await send('GET', orders), { data: { orders: [{ customer: 'zoe' }] }, codes: undefined })
    t.strictSame(
      await send('GET', orders.replace('{ customer }', '{ customer note }')),
      { data: { orders: [{ customer: 'zoe', note: null }] }, codes: ['FORBIDDEN'] },
      'masked and other fields together',
    )
    const failed = await send('POST', 'mutation { failOrder(customer: "zoe") { id } }')
    t.equal(failed.data, null, 'no data')
    t.equal(failed.codes?.length, 1)
  })
}
