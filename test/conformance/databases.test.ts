import t from 'tap'
import { definePlugin } from '../../core/kernel/plugin.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import circuitBreaker from '../../plugins/circuit-breaker/index.ts'
import metrics from '../../plugins/metrics/index.ts'
import rest from '../../plugins/rest/index.ts'
import { createPglite, createPostgresDatabase, createSqlite, runOnServer } from '../helpers/databases.ts'
import { type OpenAppOptions, openApp, type TestApp } from '../helpers/open-app.ts'
import { requireService, SERVICES, type TestLike } from '../helpers/services.ts'
import { createTcpProxy } from '../helpers/tcp-proxy.ts'

t.setTimeout(120_000)

const SHOP = `
CREATE TABLE tb_product (id int PRIMARY KEY, pk_product int NOT NULL UNIQUE, name text NOT NULL, price numeric(10,2) NOT NULL);
INSERT INTO tb_product VALUES (1, 1, 'lamp', 12.50), (2, 2, 'desk', 99.00);
CREATE VIEW v_product AS SELECT * FROM tb_product;
CREATE FUNCTION fn_rename_product(p_id int, p_name text) RETURNS SETOF v_product LANGUAGE sql AS $$
  UPDATE tb_product SET name = p_name WHERE id = p_id; SELECT * FROM v_product WHERE id = p_id $$;
`
const CRM = {
  sql: `
CREATE TABLE tb_customer (id integer PRIMARY KEY, pk_customer integer NOT NULL UNIQUE, name text NOT NULL, owner text NOT NULL);
INSERT INTO tb_customer VALUES (1, 1, 'Ann', 'a'), (2, 2, 'Bob', 'b');
CREATE VIEW v_customer AS SELECT * FROM tb_customer;
`,
  scripts: {
    fn_rename_customer: `-- returns v_customer
UPDATE tb_customer SET name = :name WHERE id = :id;
SELECT * FROM v_customer WHERE id = :id;
`,
  },
}
/** The same name as in the shop, with other columns. */
const STOCK = `
CREATE TABLE tb_level (id int PRIMARY KEY, amount int NOT NULL);
INSERT INTO tb_level VALUES (1, 7);
CREATE VIEW v_level AS SELECT * FROM tb_level;
CREATE VIEW v_product AS SELECT id, amount FROM tb_level;
CREATE FUNCTION fn_set_level(p_id int, p_amount int) RETURNS SETOF v_level LANGUAGE sql AS $$
  UPDATE tb_level SET amount = p_amount WHERE id = p_id; SELECT * FROM v_level WHERE id = p_id $$;
`
const LOG = `
CREATE TABLE tb_entry (id int PRIMARY KEY, body text NOT NULL);
INSERT INTO tb_entry VALUES (1, 'begun');
CREATE VIEW v_entry AS SELECT * FROM tb_entry;
`

const id = { name: 'id', type: 'ID!' } as const
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Product',
      relay: true,
      fields: [id, { name: 'name', type: 'String!' }, { name: 'price', type: 'Decimal!' }],
    },
    { name: 'Customer', relay: true, database: 'crm', fields: [id, { name: 'name', type: 'String!' }] },
    { name: 'Level', database: 'stock', fields: [id, { name: 'amount', type: 'Int!' }] },
    { name: 'Amount', fields: [id, { name: 'amount', type: 'Int!' }] },
    { name: 'Entry', database: 'log', fields: [id, { name: 'body', type: 'String!' }] },
  ],
  queries: [
    { name: 'products', type: '[Product!]!', auto_params: true },
    { name: 'product', type: 'Product', arguments: [id] },
    { name: 'customers', type: '[Customer!]!', auto_params: true },
    { name: 'own_customers', type: '[Customer!]!', sql_source: 'v_customer', inject: { owner: 'jwt:sub' } },
    { name: 'levels', type: '[Level!]' },
    { name: 'all_levels', type: '[Level!]!' },
    { name: 'amounts', type: '[Amount!]', database: 'stock', sql_source: 'v_product' },
    { name: 'entries', type: '[Entry!]!' },
  ],
  mutations: [
    {
      name: 'rename_product',
      type: 'Product',
      operation: 'UPDATE',
      arguments: [id, { name: 'name', type: 'String!' }],
    },
    {
      name: 'rename_customer',
      type: 'Customer',
      operation: 'UPDATE',
      arguments: [id, { name: 'name', type: 'String!' }],
    },
    { name: 'set_level', type: 'Level', operation: 'UPDATE', arguments: [id, { name: 'amount', type: 'Int!' }] },
    {
      name: 'must_set_level',
      type: 'Level!',
      sql_source: 'fn_set_level',
      operation: 'UPDATE',
      arguments: [id, { name: 'amount', type: 'Int!' }],
    },
  ],
}

const IN_TEST = { version: '1.0.0', kernelApi: 1, description: 'For the test.' } as const

/** Asks for one transaction where the request says so. */
const atOnce = definePlugin<unknown>({ ...IN_TEST, name: 'at-once' }, (scope) => {
  scope.on('resolve', (ctx, operation, next) =>
    ctx.headers['x-atomic'] === undefined ? next() : next({ ...operation, write: { atomic: true } }),
  )
})

/** What a cache would file an answer under, by the names of the roots. */
const seen = new Map<string, readonly string[]>()
const keeper = definePlugin<unknown>({ ...IN_TEST, name: 'keeper' }, (scope) => {
  scope.on('resolve', (ctx, operation, next) => {
    if (operation.template.kind === 'query') {
      const names = operation.template.roots.map(({ responseKey }) => responseKey)
      seen.set(names.join(' '), [...scope.engine.sourcesOf(ctx, operation)].sort())
    }
    return next()
  })
})

const ONE_CIRCUIT = {
  enabled: true,
  failure_threshold: 2,
  recovery_timeout_secs: 60,
  success_threshold: 1,
  per_database: [{ database: 'Level' }],
}

async function open(t: TestLike, options: OpenAppOptions = {}) {
  const url = await createPostgresDatabase(t, { sql: SHOP })
  const stock = await createPostgresDatabase(t, { sql: STOCK })
  const { host, port } = SERVICES.postgres
  const proxy = await createTcpProxy(t, host, port)
  const served = new URL(stock)
  served.host = `127.0.0.1:${proxy.port}`
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, {
    ...options,
    databases: {
      crm: await createSqlite(t, CRM),
      stock: { kind: 'postgres', url: stock, served: served.href },
      log: { kind: 'pglite', url: await createPglite(t, { sql: LOG }) },
    },
    plugins: [{ plugin: metrics, options: { token: '' }, source: 'test' }, ...(options.plugins ?? [])],
  })
  return { app, proxy, stock: new URL(stock).pathname.slice(1), shop: new URL(url).pathname.slice(1) }
}

const codes = ({
  errors = [],
}: {
  readonly errors?: readonly { readonly extensions: Readonly<Record<string, unknown>> }[]
}) => errors.map(({ extensions }) => extensions.code)

if (await requireService(t, 'postgres')) {
  // proves: type.database query.database mutation.database
  t.test('one operation over four databases of three kinds', async (t) => {
    const { app, proxy, stock, shop } = await open(t)
    const all = await app.graphql(
      `query ($min: Decimal) { entries { body } costly: products(where: { price: { _gt: $min } }) { name price }
       customers(orderBy: [{ name: DESC }]) { id name } levels { amount } type: __typename products { name } amounts { amount } }`,
      { min: '50' },
    )
    t.strictSame(all.errors, undefined)
    t.strictSame(
      JSON.stringify(all.data),
      JSON.stringify({
        entries: [{ body: 'begun' }],
        costly: [{ name: 'desk', price: '99.00' }],
        customers: [
          { id: '2', name: 'Bob' },
          { id: '1', name: 'Ann' },
        ],
        levels: [{ amount: 7 }],
        type: 'Query',
        products: [{ name: 'lamp' }, { name: 'desk' }],
        amounts: [{ amount: 7 }],
      }),
      'in the order of the document; two views of one name are two',
    )
    t.match(await app.graphql('{ product(id: 1) { name } }'), { data: { product: { name: 'lamp' } } })
    t.match(await app.graphql('{ customers { name } }'), { data: { customers: [{ name: 'Ann' }, { name: 'Bob' }] } })

    const ids = await app.graphql('{ products { id } customers { id } }')
    t.strictSame(ids.data.customers.length, 2)
    const global = (type: string, key: string) => Buffer.from(`${type}:${key}`).toString('base64')
    const node =
      'query ($id: ID!) { node(id: $id) { __typename ... on Customer { name } ... on Product { name } } levels { amount } }'
    t.match(await app.graphql(node, { id: global('Customer', '2') }), {
      data: { node: { __typename: 'Customer', name: 'Bob' }, levels: [{ amount: 7 }] },
    })
    t.match(await app.graphql(node, { id: global('Product', '2') }), {
      data: { node: { __typename: 'Product', name: 'desk' } },
    })
    t.strictSame((await app.graphql(node, { id: global('Customer', '9') })).data.node, null)
    t.match(
      await app.graphql(node, { id: '2' }),
      { data: { node: { __typename: 'Product', name: 'desk' } } },
      'an id that says no type is one of the default database',
    )

    const written = await app.graphql(
      `mutation { a: renameProduct(id: 1, name: "torch") { name } b: renameCustomer(id: 1, name: "Eve") { id name }
       c: setLevel(id: 1, amount: 3) { amount } d: renameProduct(id: 2, name: "table") { name } t: __typename }`,
    )
    t.strictSame(
      JSON.stringify(written.data),
      JSON.stringify({
        a: { name: 'torch' },
        b: { id: '1', name: 'Eve' },
        c: { amount: 3 },
        d: { name: 'table' },
        t: 'Mutation',
      }),
    )
    t.strictSame(await runOnServer(stock, 'SELECT amount FROM tb_level'), [{ amount: 3 }])
    t.strictSame(await runOnServer(shop, 'SELECT name FROM tb_product ORDER BY id'), [
      { name: 'torch' },
      { name: 'table' },
    ])

    await proxy.cut()
    const half = await app.graphql('{ products { name } levels { amount } customers { name } amounts { amount } }')
    t.equal(half.status, 200)
    t.strictSame(half.data, {
      products: [{ name: 'torch' }, { name: 'table' }],
      levels: null,
      customers: [{ name: 'Eve' }, { name: 'Bob' }],
      amounts: null,
    })
    t.match(half.errors, [
      { path: ['levels'], extensions: { code: 'DATABASE_UNAVAILABLE', database: 'stock' } },
      { path: ['amounts'], extensions: { code: 'DATABASE_UNAVAILABLE', database: 'stock' } },
    ])
    t.notMatch(JSON.stringify(half.errors), /127\.0\.0\.1|svc_test/)
    const none = await app.graphql('{ products { name } allLevels { amount } }')
    t.strictSame(
      [none.status, none.data ?? null, codes(none)],
      [503, null, ['DATABASE_UNAVAILABLE']],
      'null may not stand there',
    )
    t.ok(none.headers['retry-after'])
    const alone = await app.graphql('{ levels { amount } }')
    t.strictSame([alone.data, codes(alone)], [{ levels: null }, ['DATABASE_UNAVAILABLE']])
    const beside = await app.graphql('{ t: __typename __schema { queryType { name } } levels { amount } }')
    t.strictSame(
      [beside.status, beside.data, beside.errors?.map(({ path }) => path)],
      [200, { t: 'Query', __schema: { queryType: { name: 'Query' } }, levels: null }, [['levels']]],
      'what asks for no database is answered',
    )
    const half2 = await app.graphql(
      'mutation { a: renameProduct(id: 1, name: "x") { name } b: setLevel(id: 1, amount: 4) { amount } c: renameProduct(id: 2, name: "y") { name } }',
    )
    t.strictSame(
      [half2.data, codes(half2)],
      [{ a: { name: 'x' }, b: null, c: { name: 'y' } }, ['DATABASE_UNAVAILABLE']],
    )
    const ended = await app.graphql(
      'mutation { a: renameProduct(id: 1, name: "z") { name } b: mustSetLevel(id: 1, amount: 4) { amount } c: renameProduct(id: 2, name: "z") { name } }',
    )
    t.strictSame(codes(ended), ['DATABASE_UNAVAILABLE'])
    t.strictSame(
      await runOnServer(shop, 'SELECT name FROM tb_product ORDER BY id'),
      [{ name: 'z' }, { name: 'y' }],
      'nothing is run behind a root that may not be null',
    )
    const health = await app.inject({ url: '/health' })
    t.equal(health.status, 200, 'the service is not the database that is away')
    t.match(health.json(), {
      database: { connected: true, database_type: 'postgres' },
      databases: {
        crm: { connected: true, database_type: 'sqlite' },
        stock: { connected: false, database_type: 'postgres' },
        log: { connected: true, database_type: 'pglite' },
      },
    })
    const text = await shown(app)
    for (const name of ['default', 'crm', 'stock', 'log']) {
      t.match(text, `svc_db_pool_connections_total{database="${name}"}`)
    }
  })

  t.test('limits of several databases, and other entrances', async (t) => {
    const { app, proxy, shop } = await open(t, {
      plugins: [
        { plugin: circuitBreaker, options: ONE_CIRCUIT, source: 'test' },
        { plugin: atOnce, options: {}, source: 'test' },
        { plugin: rest, options: {}, source: 'test' },
        { plugin: keeper, options: {}, source: 'test' },
      ],
    })
    t.strictSame(
      [...app.kernel.generation.schema.databases],
      [
        ['crm', 'sqlite'],
        ['stock', 'postgres'],
        ['log', 'postgres'],
      ],
    )
    t.match(app.kernel.generation.schema.compiled.sources, {
      'crm:v_customer': { database: 'crm', name: 'v_customer' },
    })

    const two = 'mutation { a: renameProduct(id: 1, name: "x") { name } b: renameCustomer(id: 1, name: "x") { name } }'
    const refused = await app.graphql(two, {}, { 'x-atomic': 'yes' })
    t.match(refused.errors, [{ message: /of one database, and this would be of "default" and "crm"/ }])
    t.strictSame(await runOnServer(shop, 'SELECT name FROM tb_product WHERE id = 1'), [{ name: 'lamp' }])
    t.match(
      await app.graphql('mutation { renameCustomer(id: 1, name: "Eve") { name } }', {}, { 'x-atomic': 'yes' }),
      { data: { renameCustomer: { name: 'Eve' } } },
      'within one, it is',
    )
    t.strictSame(codes(await app.graphql('{ ownCustomers { name } products { name } }')), ['UNAUTHENTICATED'])

    await app.graphql('{ customers { name } levels { amount } }')
    const list = await app.inject({ url: '/rest/v1/customers?select=name&sort=-name' })
    t.match([list.status, list.json()], [200, { data: [{ name: 'Eve' }, { name: 'Bob' }] }])
    const stream = await app.inject({
      url: '/rest/v1/customers?select=name&sort=name',
      headers: { accept: 'application/x-ndjson' },
    })
    t.strictSame(stream.text.trim().split('\n'), ['{"name":"Bob"}', '{"name":"Eve"}'])
    t.strictSame(seen.get('customers levels'), ['crm:v_customer', 'stock:v_level'].sort())

    await proxy.cut()
    const both = '{ levels { amount } customers { name } }'
    for (const code of [
      'DATABASE_UNAVAILABLE',
      'DATABASE_UNAVAILABLE',
      'CIRCUIT_BREAKER_OPEN',
      'CIRCUIT_BREAKER_OPEN',
    ]) {
      const answer = await app.graphql(both)
      t.strictSame([answer.data.levels, answer.data.customers.length, codes(answer)], [null, 2, [code]])
    }
  })

  t.test('a row that is kept with each write, and a database that it is not in', async (t) => {
    const outbox = definePlugin<unknown>({ ...IN_TEST, name: 'outbox' }, (scope) => {
      scope.writes({ insert: { table: 'tb_outbox', columns: { id: 'id' } } })
    })
    await t.rejects(open(t, { plugins: [{ plugin: outbox, options: {}, source: 'test' }] }), {
      code: 'SVC_SCHEMA_INVALID',
      message: /plugin "outbox" keeps a row in tb_outbox .* mutation "renameCustomer"/,
    })
  })
}

async function shown(app: TestApp): Promise<string> {
  return (await app.inject({ url: '/metrics' })).text
}
