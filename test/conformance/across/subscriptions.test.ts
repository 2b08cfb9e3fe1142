import t from 'tap'
import { requireService } from '../../helpers/services.ts'
import { connect, listen, openShop } from '../../plugins/subscriptions/shop.ts'
import { across } from './world.ts'

t.setTimeout(120_000)

const PLACED = { name: 'order_placed', type: 'Order!', operation: 'CREATE' } as const

if (await requireService(t, 'postgres')) {
  t.test('reported rows have relations into other databases too', async (t) => {
    const { database, schema, databases, proxy } = await across(t)
    const shop = await openShop(t, database, { ...schema, subscriptions: [PLACED] }, { databases })
    const bearer = { authorization: 'Bearer {"claims":{"tenant":"a"}}' }
    const heard = await listen(
      connect(t, shop, bearer),
      shop,
      'subscription { orderPlaced { id customer { name } client { name } parcels { code } } }',
    )
    const place = (id: number, customer: number) =>
      shop.graphql(`mutation { placeOrder(id: ${id}, customer: ${customer}) { id } }`)
    await place(6, 1)
    await place(7, 2)
    t.strictSame(
      (await heard.wait(2)).map(({ data }) => data.orderPlaced),
      [
        { id: '6', customer: { name: 'Ann' }, client: { name: 'Ann' }, parcels: [] },
        { id: '7', customer: { name: 'Bob' }, client: null, parcels: [] },
      ],
      'under the rules that hold for who subscribed',
    )
    await proxy.cut()
    await place(8, 3)
    const [, , third] = await heard.wait(3)
    // Not what a row that is not for the subscriber is: nothing.
    t.match(third, {
      data: null,
      errors: [{ path: ['orderPlaced', 'parcels'], extensions: { code: 'DATABASE_UNAVAILABLE' } }],
    })
  })
}
