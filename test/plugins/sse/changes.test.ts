import t from 'tap'
import rest from '../../../plugins/rest/index.ts'
import singleFlight from '../../../plugins/single-flight/index.ts'
import sse from '../../../plugins/sse/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { openShop, SHOP_SQL, shop, until } from '../subscriptions/shop.ts'
import { openStream, type Stream } from './streams.ts'

/** A deleted row in streams of resources: as it was, to those who could see it, and to nobody else. */
t.setTimeout(120_000)

const VIEWS = `
CREATE VIEW v_typed AS SELECT * FROM v_order;
CREATE VIEW v_queried AS SELECT * FROM v_order;
`
const base = shop([])
const order = base.types!.find(({ name }) => name === 'Order')!
/** Each type is another view of the same orders, and its mutation tells of the deleted row as that type. */
const TYPES = { Typed: 'v_typed', Queried: 'v_queried' } as const
const drop = (
  type: string,
): string => `CREATE FUNCTION fn_drop_${type.toLowerCase()}(id uuid) RETURNS jsonb LANGUAGE sql AS $$
  DELETE FROM tb_order o WHERE o.id = fn_drop_${type.toLowerCase()}.id
  RETURNING jsonb_build_object('status', 'deleted', 'entity_id', o.id, 'entity', to_jsonb(o)) $$;`

const schema = {
  ...base,
  types: [
    ...base.types!,
    ...Object.entries(TYPES).map(([name, sql_source]) => ({
      ...order,
      name,
      sql_source,
      fields: order.fields.filter(({ name: field }) => field !== 'buyer'),
      ...(name === 'Typed' ? { inject: { customer: 'jwt:sub' } } : { open: true }),
    })),
  ],
  queries: [
    { name: 'orders', type: '[Order!]!', sql_source: 'v_order', rest_path: '/orders' },
    { name: 'typed', type: '[Typed!]!', sql_source: 'v_typed', rest_path: '/typed' },
    {
      name: 'queried',
      type: '[Queried!]!',
      sql_source: 'v_queried',
      rest_path: '/queried',
      inject: { customer: 'jwt:sub' },
    },
  ],
  mutations: [
    ...base.mutations!,
    ...Object.keys(TYPES).map((type) => ({
      name: `drop${type}`,
      type,
      sql_source: `fn_drop_${type.toLowerCase()}`,
      operation: 'DELETE',
      arguments: [{ name: 'id', type: 'ID!' }],
    })),
  ],
}

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: SHOP_SQL + VIEWS + Object.keys(TYPES).map(drop).join('\n') })
  const plugins = [singleFlight, rest, sse].map((plugin) => ({ plugin, options: {}, source: 'test' }))
  const app = await openShop(t, { kind: 'postgres', url }, schema as never, { plugins })
  const as = (who: string) => ({ authorization: `Bearer ${who}` })
  const open = async (path: string, who: string): Promise<Stream> => {
    const stream = await openStream(t, app, `/rest/v1/${path}`, as(who))
    t.equal(stream.status, 200)
    await until(() => stream.text.includes('event: ping'), 'it begins')
    return stream
  }
  const deletes = ({ text }: Stream): unknown[] =>
    [...text.matchAll(/^event: delete\nid: \S+\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
  const remove = async (type: string, id: string, who: string): Promise<void> => {
    const { errors } = await app.graphql(`mutation ($id: ID!) { drop${type}(id: $id) { id } }`, { id }, as(who))
    if (errors !== undefined) throw new Error(JSON.stringify(errors))
  }

  await t.test('the row as it was, with what was selected, and no column that is not a field', async (t) => {
    const whole = await open('orders/stream', 'ann')
    const part = await open('orders/stream?select=id,total', 'ann')
    const id = await app.place('bob', '12.50')
    await app.drop(id)
    await until(() => deletes(whole).length > 0 && deletes(part).length > 0, 'both are told')
    t.match(deletes(whole), [{ id, customer: 'bob', status: 'new' }])
    t.notMatch(whole.text, /hush|internal/)
    t.same(deletes(part), [{ id, total: '12.50' }])
  })

  for (const [type, path] of [
    ['Typed', 'typed'],
    ['Queried', 'queried'],
  ] as const) {
    await t.test(
      `a rule of the ${type === 'Typed' ? 'type' : 'query'}: only its own callers receive deletes`,
      async (t) => {
        const hers = await open(`${path}/stream?select=id,customer`, 'ann')
        const his = await open(`${path}/stream?select=id,customer`, 'bob')
        const [one, other] = [await app.place('ann'), await app.place('bob')]
        await remove(type, one, 'ann')
        await remove(type, other, 'bob')
        await until(() => deletes(hers).length > 0 && deletes(his).length > 0, 'each is told')
        t.same(deletes(hers), [{ id: one, customer: 'ann' }])
        t.same(deletes(his), [{ id: other, customer: 'bob' }])
        t.notOk(his.text.includes(one), 'not even its id')
      },
    )
  }
}
