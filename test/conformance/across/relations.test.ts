import t from 'tap'
import { requireService } from '../../helpers/services.ts'
import { counted, openAcross } from './world.ts'

t.setTimeout(120_000)

const ANN = { __typename: 'Customer', name: 'Ann' }
const BOB = { __typename: 'Customer', name: 'Bob' }

if (await requireService(t, 'postgres')) {
  const { app, proxy } = await openAcross(t)
  t.test('rows of other databases, each hop by one statement', async (t) => {
    const ask = async (query: string, variables: object = {}) => {
      counted.length = 0
      const answer = await app.graphql(query, variables)
      t.strictSame(answer.errors, undefined, query)
      return answer.data
    }

    t.strictSame(await ask('{ orders(orderBy: [{ id: ASC }]) { id customer { name } parcels { code } } }'), {
      orders: [
        { id: '1', customer: { name: 'Ann' }, parcels: [{ code: 'p2' }, { code: 'p4' }] },
        { id: '2', customer: { name: 'Bob' }, parcels: [{ code: 'p1' }, { code: 'p3' }, { code: 'p5' }] },
        { id: '3', customer: { name: 'Ann' }, parcels: [] },
        { id: '4', customer: null, parcels: [] },
        { id: '5', customer: null, parcels: [] },
      ],
    })
    t.strictSame(counted.sort(), ['v_customer', 'v_order', 'v_parcel'])

    const query = `query ($some: Decimal, $most: Int, $way: OrderDirection!) { customers(orderBy: [{ id: ASC }]) { name
      orders(where: { total: { _gt: $some } }, orderBy: [{ id: $way }], limit: $most) {
        id parcels(limit: 2, offset: 1, orderBy: [{ code: $way }]) { code order { id } } } } }`
    t.strictSame(await ask(query, { some: '5', most: 1, way: 'DESC' }), {
      customers: [
        { name: 'Ann', orders: [{ id: '3', parcels: [] }] },
        {
          name: 'Bob',
          orders: [
            {
              id: '2',
              parcels: [
                { code: 'p3', order: { id: '2' } },
                { code: 'p1', order: { id: '2' } },
              ],
            },
          ],
        },
        { name: 'Cid', orders: [] },
      ],
    })
    t.strictSame(counted, ['v_customer', 'v_order', 'v_parcel', 'v_order'], 'there and back, a statement for each hop')
    const other = await ask(query, { way: 'ASC' })
    t.strictSame(other.customers[0].orders, [
      { id: '1', parcels: [{ code: 'p4', order: { id: '1' } }] },
      { id: '3', parcels: [] },
    ])

    t.strictSame(
      await ask(`{ a: lines(orderBy: [{ id: ASC }]) { c: customer { n: name } customer { id } order { ...O } }
        b: order(id: 1) { ...O } none: order(id: 4) { ...O } } fragment O on Order { id customer { __typename name } }`),
      {
        a: [
          { c: { n: 'Bob' }, customer: { id: '2' }, order: { id: '2', customer: BOB } },
          { c: { n: 'Ann' }, customer: { id: '1' }, order: { id: '1', customer: ANN } },
          { c: { n: 'Bob' }, customer: { id: '2' }, order: { id: '2', customer: BOB } },
        ],
        b: { id: '1', customer: ANN },
        none: { id: '4', customer: null },
      },
    )
    t.strictSame(counted, ['v_order', 'v_customer'], 'four relations, one statement')

    t.strictSame(
      await ask(
        '{ things { __typename id ... on Order { customer { name } } ... on Line { customer { id } order { customer { name } } } } }',
      ),
      {
        things: [
          { __typename: 'Order', id: '1', customer: { name: 'Ann' } },
          { __typename: 'Order', id: '2', customer: { name: 'Bob' } },
          { __typename: 'Line', id: '1', customer: { id: '2' }, order: { customer: { name: 'Bob' } } },
          { __typename: 'Line', id: '2', customer: { id: '1' }, order: { customer: { name: 'Ann' } } },
          { __typename: 'Line', id: '3', customer: { id: '2' }, order: { customer: { name: 'Bob' } } },
        ],
      },
      'a response key of two types, each with a selection of its own',
    )
    t.strictSame(
      await ask('{ countedOrders(limit: 1, orderBy: [{ id: ASC }]) { totalCount items { customer { name } } } }'),
      {
        countedOrders: { totalCount: 5, items: [{ customer: { name: 'Ann' } }] },
      },
    )
    t.match(
      await ask(
        '{ pagedOrders(first: 1) { edges { at: cursor row: node { id customer { name } } } pageInfo { hasNextPage } } }',
      ),
      {
        pagedOrders: {
          edges: [{ at: String, row: { id: /^1$/, customer: { name: 'Ann' } } }],
          pageInfo: { hasNextPage: true },
        },
      },
    )
    t.strictSame(
      await ask('{ order(id: 1) { total mark { label } } }'),
      { order: { total: '10.00', mark: { label: 'm10' } } },
      'a decimal that is an integer finds integers',
    )
    t.strictSame(
      await ask('{ orders(where: { id: { _eq: "4" } }) { customer { name orders { id } } parcels { code } } }'),
      {
        orders: [{ customer: null, parcels: [] }],
      },
    )
    t.strictSame(counted, ['v_order', 'v_parcel'], 'no key, no statement')
    t.strictSame(
      await ask('mutation { placeOrder(id: 6, customer: 3) { id customer { name orders { id } } parcels { id } } }'),
      { placeOrder: { id: '6', customer: { name: 'Cid', orders: [{ id: '6' }] }, parcels: [] } },
    )
  })

  t.test('more keys than one statement takes', async (t) => {
    counted.length = 0
    const { data, errors } = await app.graphql('{ steps(orderBy: [{ id: DESC }]) { id mark { id label } } }')
    const marks = data.steps.map(({ id, mark }: { id: string; mark: { id: string; label: string } | null }) =>
      mark === null ? null : mark.id === id && mark.label === `m${id}`,
    )
    t.equal(marks.length, 2500)
    t.equal(marks.filter((is: boolean | null) => is === true).length, 2399, 'each has its own')
    t.strictSame(marks.slice(0, 100), Array(100).fill(null), 'those without a row')
    t.match(errors, [{ path: ['steps', 200, 'mark', 'label'] }], 'and the place of an error is that of its row')
    t.equal(errors?.length, 1)
  })

  t.test('null where it may stand, and where it may not', async (t) => {
    const told = ({ errors = [] }: Awaited<ReturnType<typeof app.graphql>>) =>
      errors.map(({ path, extensions }) => [path?.join('.'), extensions.code])
    const missing = await app.graphql(
      '{ orders(orderBy: [{ id: ASC }]) { id buyer { name } } first: order(id: 1) { buyer { name } } }',
    )
    t.strictSame(
      [missing.data, told(missing)],
      [
        null,
        [
          ['orders.3.buyer', 'INTERNAL_SERVER_ERROR'],
          ['orders.4.buyer', 'INTERNAL_SERVER_ERROR'],
        ],
      ],
    )
    const climbed = await app.graphql(
      '{ lines(orderBy: [{ id: ASC }]) { id order { id buyer { email } } } order(id: 4) { buyer { name } } }',
    )
    const NO_MAIL = 'INTERNAL_SERVER_ERROR'
    t.strictSame(climbed.data, {
      lines: [
        { id: '1', order: null },
        { id: '2', order: { id: '1', buyer: { email: 'ann@example.org' } } },
        { id: '3', order: null },
      ],
      order: null,
    })
    t.strictSame(
      told(climbed),
      [
        ['lines.0.order.buyer.email', NO_MAIL],
        ['lines.2.order.buyer.email', NO_MAIL],
        ['order.buyer', NO_MAIL],
      ],
      'each place, once',
    )
    t.match(climbed.errors?.[0], {
      message: 'Cannot return null for non-nullable field Customer.email.',
      locations: [{ line: 1 }],
    })

    const there = await app.graphql('{ orders(where: { id: { _eq: "2" } }) { buyer { email orders { id } } } }')
    t.strictSame(
      [there.data ?? null, told(there)],
      [null, [['orders.0.buyer.email', NO_MAIL]]],
      'where a step further was to follow',
    )

    const bad = await app.graphql('{ orders { id boxes(limit: -1) { id } } order(id: 1) { id } }')
    t.match([bad.data?.order, told(bad)], [{ id: /^1$/ }, [['orders.boxes', 'BAD_USER_INPUT']]])

    await proxy.cut()
    const half = await app.graphql(
      '{ orders(limit: 2, orderBy: [{ id: ASC }]) { id customer { name } boxes { code } } }',
    )
    t.strictSame(
      [half.status, half.data, told(half)],
      [
        200,
        {
          orders: [
            { id: '1', customer: { name: 'Ann' }, boxes: null },
            { id: '2', customer: { name: 'Bob' }, boxes: null },
          ],
        },
        [['orders.boxes', 'DATABASE_UNAVAILABLE']],
      ],
    )
    t.match(half.errors?.[0]?.extensions, { database: 'stock' })
    const none = await app.graphql('{ customers { name orders { parcels { code } } } }')
    t.strictSame(
      [none.status, none.data ?? null, told(none)],
      [503, null, [['customers.orders.parcels', 'DATABASE_UNAVAILABLE']]],
    )
    const some = await app.graphql(
      '{ order(id: 1) { id parcels { code } } lines(limit: 1) { order { parcels { code } } id } }',
    )
    t.strictSame([some.data.order, some.data.lines[0].order], [null, null])
    t.strictSame(told(some), [
      ['order.parcels', 'DATABASE_UNAVAILABLE'],
      ['lines.order.parcels', 'DATABASE_UNAVAILABLE'],
    ])
    const many = await app.graphql('{ steps { parcel { code } } }')
    t.strictSame([many.data.steps.length, told(many)], [2500, [['steps.parcel', 'DATABASE_UNAVAILABLE']]], 'asked once')
    const written = await app.graphql('mutation { placeOrder(id: 7, customer: 1) { id boxes { id } } }')
    t.strictSame(
      [written.data, told(written)],
      [{ placeOrder: { id: '7', boxes: null } }, [['placeOrder.boxes', 'DATABASE_UNAVAILABLE']]],
    )
    t.match(written.errors?.[0]?.extensions, { outcome: 'committed', database: 'stock' })
  })
}
