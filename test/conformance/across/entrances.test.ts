import t from 'tap'
import admin from '../../../plugins/admin/index.ts'
import explain from '../../../plugins/explain/index.ts'
import compileFederation from '../../../plugins/federation/compile.ts'
import federation from '../../../plugins/federation/index.ts'
import mcp from '../../../plugins/mcp/index.ts'
import queryLimits from '../../../plugins/query-limits/index.ts'
import responseCache from '../../../plugins/response-cache/index.ts'
import rest from '../../../plugins/rest/index.ts'
import scopes from '../../../plugins/scopes/index.ts'
import { entry } from '../../helpers/kernel.ts'
import { requireService } from '../../helpers/services.ts'
import { as, testCredential } from '../../helpers/test-credential.ts'
import { call } from '../../plugins/mcp/world.ts'
import { counted, openAcross } from './world.ts'

t.setTimeout(120_000)

const TOKEN = 'sesame'.repeat(6)
const SUBGRAPH = {
  enabled: true,
  spec_version: 2,
  entities: [],
  compose_directives: [],
  max_representations: 1000,
  authorization_directives: true,
}
const ofTenant = (tenant: string, more: object = {}) => as({ claims: { tenant }, ...more })

if (await requireService(t, 'postgres')) {
  const { app } = await openAcross(t, {
    change: (schema) => ({
      ...schema,
      types: (schema.types ?? []).map((type) => (type.name === 'Order' ? { ...type, key_fields: ['id'] } : type)),
      queries: (schema.queries ?? []).map((query) => (query.name === 'orders' ? { ...query, cache_ttl: 600 } : query)),
      mutations: (schema.mutations ?? []).map((mutation) =>
        mutation.name === 'place_order' ? { ...mutation, rest: { path: '/orders', method: 'POST' } } : mutation,
      ),
    }),
    debug: { enabled: true, expose_sql: true },
    svc: { max_response_bytes: 1200 },
    compile: { parts: [{ plugin: 'federation', part: compileFederation as never, options: SUBGRAPH }] },
    plugins: [
      testCredential(),
      entry(federation as never, SUBGRAPH),
      entry(scopes),
      entry(rest, { require_auth: false }),
      entry(mcp, { enabled: true, require_auth: false }),
      entry(responseCache, { enabled: true, default_ttl_secs: 600, response_header: true }),
      entry(queryLimits, { max_query_depth: 6 }),
      entry(admin, { enabled: true, token: TOKEN }),
      entry(explain),
    ],
  })
  const NAMES = '{ orders(orderBy: [{ id: ASC }], limit: 3) { id client { name } } }'
  const a = [{ name: 'Ann' }, null, { name: 'Ann' }]
  const b = [null, { name: 'Bob' }, null]

  t.test('the rules of the other type hold', async (t) => {
    const clients = async (headers: Record<string, string>, query = NAMES) =>
      (await app.graphql(query, {}, headers)).data?.orders.map(({ client }: { client: unknown }) => client)
    t.strictSame(await clients(ofTenant('a')), a)
    t.strictSame(await clients(ofTenant('b')), b, 'rows of whoever asks')
    t.strictSame(await clients(ofTenant('a')), a, 'also when they are kept')
    t.match((await app.graphql(NAMES)).errors, [{ extensions: { code: 'UNAUTHENTICATED' } }])
    const lists = await app.graphql(
      '{ orders(orderBy: [{ id: ASC }], limit: 2) { clients(where: { name: { _neq: "x" } }) { name } } }',
      {},
      ofTenant('b'),
    )
    t.strictSame(lists.data, { orders: [{ clients: [] }, { clients: [{ name: 'Bob' }] }] })

    const mail = '{ orders(orderBy: [{ id: ASC }], limit: 1) { client { name email } } }'
    const masked = await app.graphql(mail, {}, ofTenant('a'))
    t.match(
      [masked.data.orders, masked.errors],
      [[{ client: { name: 'Ann', email: null } }], [{ path: ['orders', 'client', 'email'] }]],
    )
    t.strictSame(await clients(ofTenant('a', { scopes: ['mail'] }), mail), [{ name: 'Ann', email: 'ann@example.org' }])

    const notes =
      '{ orders(orderBy: [{ id: ASC }], limit: 1) { client { notes(where: { name: { _like: "line%" } }) { name } } } }'
    t.match(await app.graphql(notes, {}, ofTenant('a')), { errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    t.strictSame(
      await clients(ofTenant('a', { roles: ['writer'] }), notes),
      [{ notes: [{ name: 'line 1' }] }],
      'there and back',
    )
  })
  t.test('every way in', async (t) => {
    const headers = ofTenant('a')
    const get = async (url: string, more: Record<string, string> = {}) => {
      const { status, text } = await app.inject({ url, headers: { ...headers, ...more } })
      return { status, body: text.startsWith('{') && !text.includes('}\n{') ? JSON.parse(text) : text }
    }
    const page = await get(
      '/rest/v1/orders?select=id,client(name),parcels(code)&parcels.sort=-code&parcels.limit=1&limit=1&sort=id',
    )
    t.match(page, {
      status: 200,
      body: { data: [{ id: /^1$/, client: { name: 'Ann' }, parcels: [{ code: /^p4$/ }] }] },
    })
    const follow = await get('/rest/v1/lines?select=id,customer:fk_customer(name)&limit=1&sort=id')
    t.match(follow, { status: 200, body: { data: [{ customer: { name: 'Bob' } }] } })
    for (const [url, message] of [
      ['/rest/v1/orders?select=parcels.count', /of another database/],
      ['/rest/v1/orders?customer.name=eq.Ann', /customer/],
      ['/rest/v1/orders?filter={"customer":{"name":{"_eq":"Ann"}}}', /customer/],
      ['/rest/v1/orders?sort=customer.name', /customer/],
    ] as const) {
      const refused = await get(url)
      t.match([refused.status, JSON.stringify(refused.body)], [400, message], url)
    }
    const lines = await get('/rest/v1/orders?select=id,parcels(code)', { accept: 'application/x-ndjson' })
    t.match(
      [lines.status, JSON.stringify(lines.body)],
      [400, /parcels.* is of another database, whose rows a stream does not have/],
    )
    t.equal((await get('/rest/v1/orders?select=id', { accept: 'application/x-ndjson' })).status, 200)

    const tool = await call(
      app,
      'orders',
      { limit: 1, orderBy: [{ id: 'ASC' }], fields: ['id', 'client.name'] },
      headers,
    )
    t.match(tool.result, { isError: false, structuredContent: { orders: [{ id: /^1$/, client: { name: 'Ann' } }] } })

    const entities = await app.graphql(
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Order { id client { name } } } }',
      {
        r: [
          { __typename: 'Order', id: '2' },
          { __typename: 'Order', id: '1' },
          { __typename: 'Order', id: '99' },
        ],
      },
      headers,
    )
    t.strictSame(entities.data, { _entities: [{ id: '2', client: null }, { id: '1', client: { name: 'Ann' } }, null] })
    const node = await app.graphql(
      'query ($id: ID!) { node(id: $id) { id ... on Order { client { name } } } }',
      { id: Buffer.from('Order:1').toString('base64') },
      headers,
    )
    t.match(node.data, { node: { client: { name: 'Ann' } } })

    const { data } = await app.graphql('{ __type(name: "OrderWhereInput") { inputFields { name } } }')
    t.strictSame(
      data.__type.inputFields.map(({ name }: { name: string }) => name).filter((name: string) => !name.startsWith('_')),
      ['id', 'total', 'lines'],
    )
    t.match(await app.graphql('{ orders(where: { customer: { name: { _eq: "Ann" } } }) { id } }'), {
      errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    })
    const deep = await app.graphql('{ orders { customer { orders { customer { orders { customer { id } } } } } } }')
    t.match(deep.errors, [{ message: /depth/i }], 'levels count in all databases')
  })

  t.test('a write is not repeated because its relations cannot be read', async (t) => {
    const order = (key: string, body: object, select: string) =>
      app.inject({
        method: 'POST',
        url: `/rest/v1/orders?select=${select}`,
        headers: { ...ofTenant('a'), 'idempotency-key': `00000000-0000-4000-8000-00000000000${key}` },
        body,
      })
    const first = await order('1', { id: '61', customer: 99 }, 'id,buyer(name)')
    t.match([first.status, first.json()], [500, { error: { details: { outcome: 'committed' } } }])
    const again = await order('1', { id: '61', customer: 99 }, 'id,buyer(name)')
    t.match([again.status, again.headers['idempotency-replayed']], [500, 'true'])

    const names = [1, 2].map((at) => `${'n'.repeat(300)}${at}: name`).join(' ')
    const large = await app.graphql(
      `mutation { placeOrder(id: 62, customer: 1) { id ${[1, 2, 3].map((at) => `c${at}: customer { ${names} }`).join(' ')} } }`,
    )
    t.match(
      [large.data, large.errors?.[0]?.extensions, large.errors?.length],
      [{ placeOrder: { id: /^62$/, c1: null, c3: null } }, { code: 'VALIDATION_ERROR', outcome: 'committed' }, 3],
      'nor does it fail as a whole because what they lead to is too large',
    )
    const whole = await app.graphql(
      `mutation { placeOrder(id: 63, customer: 1) { ${names.replaceAll('name', 'id')} customer { ${names} } } }`,
    )
    t.match(
      [whole.data, whole.errors],
      [
        { placeOrder: { customer: null } },
        [{ path: ['placeOrder', 'customer'], extensions: { outcome: 'committed' } }],
      ],
      'or the two together',
    )
  })

  t.test('explain and the response cache name each database', async (t) => {
    const explained = await app.inject({
      method: 'POST',
      url: '/api/v1/admin/explain',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: { query: '{ parcels { code order { id customer { name } } } }' },
    })
    const { data: told } = explained.json<{
      data: { plan: string; generated_sql: string[]; views_accessed: string[] }
    }>()
    t.strictSame(told.views_accessed, ['stock:v_parcel', 'v_order', 'crm:v_customer'])
    t.equal(told.generated_sql.length, 3)
    t.strictSame(told.plan.match(/^database.*/gm), [
      'database stock',
      'database default, by the keys of parcels.order',
      'database crm, by the keys of parcels.order.customer',
    ])
    const cached = '{ orders(limit: 1, orderBy: [{ id: ASC }]) { customer { name } } }'
    counted.length = 0
    await app.graphql(cached)
    await app.graphql(cached)
    t.strictSame(counted, ['v_order', 'v_customer'], 'kept')
    t.match(await app.graphql('mutation { renameCustomer(id: 1, name: "Eve") { name } }'), {
      data: { renameCustomer: { name: 'Eve' } },
    })
    t.strictSame(
      (await app.graphql(cached)).data,
      { orders: [{ customer: { name: 'Eve' } }] },
      'until the other database is written',
    )
  })
}
