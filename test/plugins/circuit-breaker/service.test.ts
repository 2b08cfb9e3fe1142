import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { definePlugin } from '../../../core/kernel/plugin.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import circuitBreaker from '../../../plugins/circuit-breaker/index.ts'
import metrics from '../../../plugins/metrics/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { type GraphQLBody, type OpenAppOptions, openApp, type TestApp } from '../../helpers/open-app.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { extendSchema } from '../../schemas/extend-schema.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

t.setTimeout(120_000)

const SQL = `
CREATE TABLE tb_product (id int PRIMARY KEY, name text NOT NULL);
INSERT INTO tb_product VALUES (1, 'lamp'), (2, 'desk');
CREATE TABLE tb_note (id int PRIMARY KEY, product int NOT NULL, body text NOT NULL);
INSERT INTO tb_note VALUES (1, 1, 'bright');
CREATE FUNCTION fn_rename(p_id int, p_name text) RETURNS SETOF tb_product LANGUAGE plpgsql AS $$ BEGIN
  IF p_name = '' THEN RAISE EXCEPTION 'gone' USING HINT = 'SERVICE_UNAVAILABLE'; END IF;
  RETURN QUERY UPDATE tb_product SET name = p_name WHERE id = p_id RETURNING *;
END $$;
`
const SCHEMA = extendSchema(
  tableSchema(
    {
      name: 'Product',
      sql_source: 'tb_product',
      key_fields: ['id'],
      list: 'all_products',
      fields: { id: 'ID!', name: 'String!' },
    },
    {
      queries: [{ name: 'products', type: '[Product!]', sql_source: 'tb_product', auto_params: true }],
      mutations: [
        {
          name: 'rename',
          type: 'Product',
          operation: 'UPDATE',
          sql_source: 'fn_rename',
          arguments: [
            { name: 'id', type: 'ID!' },
            { name: 'name', type: 'String!' },
          ],
        },
      ],
    },
  ),
  tableSchema({ name: 'Note', sql_source: 'tb_note', list: 'notes', fields: { id: 'ID!', body: 'String!' } }),
)

/** What entities are for: the schema relies on it. */
const federation = definePlugin<unknown>(
  { name: 'federation', version: '1.0.0', kernelApi: 1, description: 'Stands for the subgraph.' },
  () => {},
)

const PRODUCTS = '{ products { name } }'
const NAMES = { products: [{ name: 'lamp' }, { name: 'desk' }] }

const OPTIONS = {
  enabled: true,
  failure_threshold: 3,
  recovery_timeout_secs: 1,
  success_threshold: 2,
  per_database: [] as readonly object[],
}

/** The service reaches its database over a cable that the test holds. */
async function open(
  t: TestLike,
  options: Partial<typeof OPTIONS> = {},
  given: OpenAppOptions = {},
  schema: AuthoredSchema = SCHEMA,
) {
  const url = await createPostgresDatabase(t, { sql: SQL })
  const { host, port } = SERVICES.postgres
  const proxy = await createTcpProxy(t, host, port)
  const own = new URL(url)
  own.host = `127.0.0.1:${proxy.port}`
  const plugin = { plugin: circuitBreaker, options: { ...OPTIONS, ...options }, source: 'test' }
  const shown = { plugin: metrics, options: { token: '' }, source: 'test' }
  const app = await openApp(t, { kind: 'postgres', url }, schema, {
    url: own.href,
    ...given,
    plugins: [plugin, shown, { plugin: federation, options: {}, source: 'test' }],
  })
  return { app, proxy }
}

/** The driver looks for a lost server now and then; what has no circuit tells when it has found it. */
async function mended({ app, proxy }: Awaited<ReturnType<typeof open>>): Promise<void> {
  await proxy.mend()
  while ((await app.graphql('{ notes { body } }')).data === undefined) await sleep(50)
}

async function shownState(app: TestApp): Promise<readonly string[]> {
  const text = (await app.inject({ url: '/metrics' })).text
  return text.split('\n').filter((line) => line.startsWith('svc_federation_circuit_breaker_'))
}

/** Over a socket: what has no socket has no deadline. */
async function overHttp(app: TestApp) {
  const url = new URL('/graphql', await app.listen())
  const headers = { 'content-type': 'application/json' }
  async function ask(query = PRODUCTS): Promise<GraphQLBody> {
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })
    return (await reply.json()) as GraphQLBody
  }
  return { url, ask }
}

const codes = (answer: { readonly errors?: readonly { readonly extensions: Readonly<Record<string, unknown>> }[] }) =>
  (answer.errors ?? []).map(({ extensions }) => extensions.code)

if (await requireService(t, 'postgres')) {
  t.test('a database that is cut', async (t) => {
    const opened = await open(t, { recovery_timeout_secs: 5 })
    const { app, proxy } = opened
    t.strictSame((await app.graphql(PRODUCTS)).data, NAMES)
    await proxy.cut()
    for (let i = 0; i < 3; i++) {
      const answer = await app.graphql(PRODUCTS)
      t.strictSame([answer.status, codes(answer)], [503, ['SERVICE_UNAVAILABLE']], `failure ${i + 1} is the database's`)
    }
    const refused = await app.graphql(PRODUCTS)
    t.equal(refused.status, 503)
    t.match(refused.errors?.[0], { extensions: { code: 'CIRCUIT_BREAKER_OPEN', entity: 'Product', retryAfter: 5 } })
    t.equal(refused.headers['retry-after'], '5')
    const health = await app.inject({ url: '/health' })
    t.strictSame(health.json<{ checks: object }>().checks, {
      federation: { ok: true, subgraphs: [{ subgraph: 'Product', state: 'open' }] },
    })
    t.strictSame(await shownState(app), [
      'svc_federation_circuit_breaker_state{entity="Product"} 1',
      'svc_federation_circuit_breaker_opens_total{entity="Product"} 1',
      'svc_federation_circuit_breaker_rejections_total{entity="Product"} 1',
    ])

    await mended(opened)
    const mixed = await app.graphql('{ notes { body } products { name } all: __typename }')
    t.equal(mixed.status, 200, 'the others are answered')
    t.strictSame(mixed.data, { notes: [{ body: 'bright' }], products: null, all: 'Query' })
    t.match(mixed.errors, [
      { path: ['products'], locations: [{ line: 1 }], extensions: { code: 'CIRCUIT_BREAKER_OPEN' } },
    ])
    t.strictSame(codes(await app.graphql('{ notes { body } all_products: allProducts { name } }')), [
      'CIRCUIT_BREAKER_OPEN',
    ])
    const written = await app.graphql('mutation { rename(id: 1, name: "torch") { name } }')
    t.strictSame([written.status, codes(written)], [503, ['CIRCUIT_BREAKER_OPEN']], 'writes are held back, too')

    await sleep(5100)
    t.strictSame((await app.graphql(PRODUCTS)).data, NAMES, 'the probe')
    t.match(await shownState(app), ['svc_federation_circuit_breaker_state{entity="Product"} 2'])
    t.strictSame((await app.graphql(PRODUCTS)).data, NAMES, 'the second')
    t.match(await shownState(app), ['svc_federation_circuit_breaker_state{entity="Product"} 0'])
    const both = await Promise.all([1, 2, 3].map(() => app.graphql(PRODUCTS)))
    t.ok(
      both.every(({ data }) => data.products.length === 2),
      'closed: all at once',
    )
  })

  t.test('a database that is slow, and one probe at a time', async (t) => {
    const { app, proxy } = await open(t, { failure_threshold: 1 }, { server: { request_timeout_ms: 400 } })
    const { ask } = await overHttp(app)
    t.strictSame((await ask()).data, NAMES)
    proxy.freeze()
    t.strictSame(codes(await ask()), ['TIMEOUT'])
    t.strictSame(codes(await ask()), ['CIRCUIT_BREAKER_OPEN'])
    await sleep(1100)
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask()))
    t.strictSame(answers.flatMap(codes).sort(), [...Array(3).fill('CIRCUIT_BREAKER_OPEN'), 'TIMEOUT'])
    t.strictSame(codes(await ask()), ['CIRCUIT_BREAKER_OPEN'], 'the failed probe opens it at once')
    proxy.thaw()
    let answer = await ask()
    // What stood in the frozen cable may still have to be given up.
    for (let i = 0; i < 10 && answer.data === undefined; i++) {
      await sleep(1100)
      answer = await ask()
    }
    t.strictSame(answer.data, NAMES)
  })

  t.test('an answer that arrives after the circuit has opened changes nothing', async (t) => {
    const wait = { server: { request_timeout_ms: 1500 } }
    const { app, proxy } = await open(t, { failure_threshold: 1, recovery_timeout_secs: 600 }, wait)
    const { ask } = await overHttp(app)
    t.strictSame((await ask()).data, NAMES)
    proxy.freeze()
    const early = ask()
    await sleep(700)
    const late = ask()
    t.strictSame(codes(await early), ['TIMEOUT'])
    proxy.thaw()
    // A success, where the cable is free in time; else one more failure.
    const answer = await late
    t.ok(answer.data !== undefined || codes(answer)[0] === 'TIMEOUT')
    t.strictSame(codes(await ask()), ['CIRCUIT_BREAKER_OPEN'], 'no way from open to closed but a probe')
    t.match(await shownState(app), [
      'svc_federation_circuit_breaker_state{entity="Product"} 1',
      'svc_federation_circuit_breaker_opens_total{entity="Product"} 1',
    ])
  })

  t.test('a client that sends its request slowly opens nothing for the others', async (t) => {
    const { app, proxy } = await open(t, { failure_threshold: 1 }, { server: { request_timeout_ms: 1500 } })
    const { ask, url } = await overHttp(app)
    t.strictSame((await ask()).data, NAMES)
    proxy.freeze()
    const body = JSON.stringify({ query: PRODUCTS })
    const slowly = (): Promise<GraphQLBody> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'content-length': body.length }
        const sent = request(url, { method: 'POST', headers }, async (reply) =>
          resolve((await json(reply)) as GraphQLBody),
        )
        sent.on('error', reject)
        sent.write(body.slice(0, -1))
        setTimeout(() => sent.end(body.slice(-1)), 1300)
      })
    let answer = await slowly()
    // On a busy machine the last byte may come when all of the time is over, and no database is asked.
    for (let i = 0; i < 5 && codes(answer)[0] === 'REQUEST_TIMEOUT'; i++) answer = await slowly()
    t.strictSame(codes(answer), ['TIMEOUT'])
    t.match(await shownState(app), ['svc_federation_circuit_breaker_state{entity="Product"} 0'])
    const state = async () => (await shownState(app))[0]
    // One that has its time for itself counts; on a busy machine it takes more than one to have it.
    for (let i = 0; i < 5 && !(await state())?.endsWith(' 1'); i++) t.strictSame(codes(await ask()), ['TIMEOUT'])
    t.match(await state(), 'svc_federation_circuit_breaker_state{entity="Product"} 1')
    proxy.thaw()
  })

  t.test('of several databases one that is slow does not shut the others', async (t) => {
    const stock = await createPostgresDatabase(t, {
      sql: 'CREATE TABLE tb_level (id int PRIMARY KEY); INSERT INTO tb_level VALUES (1)',
    })
    const { host, port } = SERVICES.postgres
    const cable = await createTcpProxy(t, host, port)
    const served = new URL(stock)
    served.host = `127.0.0.1:${cable.port}`
    const schema = extendSchema(
      SCHEMA,
      tableSchema(
        { name: 'Level', sql_source: 'tb_level', key_fields: ['id'], database: 'stock', fields: { id: 'ID!' } },
        { queries: [{ name: 'levels', type: '[Level!]', database: 'stock', sql_source: 'tb_level' }] },
      ),
    )
    const { app } = await open(
      t,
      { failure_threshold: 1 },
      {
        server: { request_timeout_ms: 600 },
        databases: { stock: { kind: 'postgres', url: stock, served: served.href } },
      },
      schema,
    )
    const both = '{ products { name } levels { id } }'
    const { ask } = await overHttp(app)
    t.strictSame((await ask(both)).data, { ...NAMES, levels: [{ id: '1' }] })
    cable.freeze()
    t.strictSame(codes(await ask(both)), ['TIMEOUT'])
    t.strictSame((await ask()).data, NAMES, 'nobody can say which of them it was')
    t.strictSame(codes(await ask('{ levels { id } }')), ['TIMEOUT'])
    const rest = await ask(both)
    t.strictSame([rest.data, codes(rest)], [{ ...NAMES, levels: null }, ['CIRCUIT_BREAKER_OPEN']])
    cable.thaw()
  })

  t.test('a relation whose database is slow or away does not shut the type that it starts at', async (t) => {
    const stock = await createPostgresDatabase(t, {
      sql: 'CREATE TABLE tb_level (id int PRIMARY KEY, product int); INSERT INTO tb_level VALUES (1, 1)',
    })
    const { host, port } = SERVICES.postgres
    const cable = await createTcpProxy(t, host, port)
    const served = new URL(stock)
    served.host = `127.0.0.1:${cable.port}`
    const levels = { name: 'levels', type: '[Level!]', relation: { from: 'id', to: 'product' } }
    const schema = extendSchema(
      {
        ...SCHEMA,
        types: SCHEMA.types!.map((type) =>
          type.name === 'Product' ? { ...type, fields: [...type.fields, levels] } : type,
        ),
      },
      tableSchema({ name: 'Level', database: 'stock', sql_source: 'tb_level', fields: { id: 'ID!' } }),
    )
    const { app } = await open(
      t,
      { failure_threshold: 1 },
      {
        server: { request_timeout_ms: 600 },
        databases: { stock: { kind: 'postgres', url: stock, served: served.href } },
      },
      schema,
    )
    const { ask } = await overHttp(app)
    const deep = '{ products { name levels { id } } }'
    t.strictSame((await ask(deep)).data?.products, [
      { name: 'lamp', levels: [{ id: '1' }] },
      { name: 'desk', levels: [] },
    ])
    cable.freeze()
    t.strictSame(codes(await ask(deep)), ['TIMEOUT'])
    t.strictSame((await ask()).data, NAMES, 'nobody can say which of them was slow')
    cable.thaw()
    await cable.cut()
    t.strictSame(codes(await ask(deep)), ['DATABASE_UNAVAILABLE'])
    t.strictSame((await ask()).data, NAMES, 'its own database was there')
  })

  t.test('a database that flaps never fails often enough in a row', async (t) => {
    const opened = await open(t, { failure_threshold: 2 })
    const { app, proxy } = opened
    for (let i = 0; i < 3; i++) {
      await proxy.cut()
      t.strictSame(codes(await app.graphql(PRODUCTS)), ['SERVICE_UNAVAILABLE'])
      await mended(opened)
      t.strictSame((await app.graphql(PRODUCTS)).data, NAMES)
    }
    await proxy.cut()
    await app.graphql(PRODUCTS)
    await app.graphql(PRODUCTS)
    t.strictSame(codes(await app.graphql(PRODUCTS)), ['CIRCUIT_BREAKER_OPEN'])
  })

  t.test('mistakes of clients count neither way, nor what functions raise', async (t) => {
    const { app, proxy } = await open(t, { failure_threshold: 2 })
    await app.graphql(PRODUCTS)
    for (let i = 0; i < 4; i++) {
      t.strictSame(codes(await app.graphql('{ products(limit: -1) { name } }')), ['BAD_USER_INPUT'])
      t.strictSame(codes(await app.graphql('mutation { rename(id: 1, name: "") { name } }')), ['SERVICE_UNAVAILABLE'])
    }
    t.match(await shownState(app), ['svc_federation_circuit_breaker_state{entity="Product"} 0'])
    await proxy.cut()
    t.strictSame(codes(await app.graphql(PRODUCTS)), ['SERVICE_UNAVAILABLE'])
    await app.graphql('{ products(limit: -1) { name } }')
    t.strictSame(codes(await app.graphql(PRODUCTS)), ['SERVICE_UNAVAILABLE'], 'the row goes on')
    t.strictSame(codes(await app.graphql(PRODUCTS)), ['CIRCUIT_BREAKER_OPEN'])
  })

  t.test('thresholds of one entity, and types that are none without a word', async (t) => {
    const per_database = [{ database: 'Note', failure_threshold: 1 }]
    const { app, proxy } = await open(t, { per_database })
    await proxy.cut()
    await app.graphql('{ notes { body } }')
    t.strictSame(codes(await app.graphql('{ notes { body } }')), ['CIRCUIT_BREAKER_OPEN'])
    t.strictSame(codes(await app.graphql(PRODUCTS)), ['SERVICE_UNAVAILABLE'], 'another entity has its own circuit')
    const unknown = open(t, { per_database: [{ database: 'Prodcut' }] })
    await t.rejects(unknown, { message: /per_database: "Prodcut" is no type.*Did you mean "Product"/s })
    const twice = open(t, { per_database: [{ database: 'Note' }, { database: 'Note' }] })
    await t.rejects(twice, { message: /"Note" stands there twice/ })
  })
}
