import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { KERNEL_API } from '../../../core/kernel/manifest.ts'
import { definePlugin } from '../../../core/kernel/plugin.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import circuitBreaker from '../../../plugins/circuit-breaker/index.ts'
import metrics from '../../../plugins/metrics/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { type GraphQLBody, type OpenAppOptions, openApp, type TestApp } from '../../helpers/open-app.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'

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
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Product',
      sql_source: 'tb_product',
      key_fields: ['id'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
      ],
    },
    {
      name: 'Note',
      sql_source: 'tb_note',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'body', type: 'String!' },
      ],
    },
  ],
  queries: [
    { name: 'products', type: '[Product!]', sql_source: 'tb_product', auto_params: true },
    { name: 'all_products', type: '[Product!]!', sql_source: 'tb_product' },
    { name: 'notes', type: '[Note!]!', sql_source: 'tb_note' },
  ],
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
}

/** What entities are for: the schema relies on it. */
const federation = definePlugin<unknown>(
  { name: 'federation', version: '1.0.0', kernelApi: KERNEL_API, description: 'Stands for the subgraph.' },
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
async function open(t: TestLike, options: Partial<typeof OPTIONS> = {}, given: OpenAppOptions = {}) {
  const url = await createPostgresDatabase(t, { sql: SQL })
  const { host, port } = SERVICES.postgres
  const proxy = await createTcpProxy(t, host, port)
  const own = new URL(url)
  own.host = `127.0.0.1:${proxy.port}`
  const plugin = { plugin: circuitBreaker, options: { ...OPTIONS, ...options }, source: 'test' }
  const shown = { plugin: metrics, options: { token: '' }, source: 'test' }
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, {
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
    const url = await app.listen()
    const ask = async (): Promise<GraphQLBody> => {
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query: PRODUCTS }),
      })
      return (await reply.json()) as GraphQLBody
    }
    t.strictSame((await ask()).data, NAMES)
    proxy.freeze()
    t.strictSame(codes(await ask()), ['TIMEOUT'])
    t.strictSame(codes(await ask()), ['CIRCUIT_BREAKER_OPEN'])
    await sleep(1100)
    const answers = await Promise.all([1, 2, 3, 4].map(ask))
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
