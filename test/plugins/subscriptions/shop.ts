import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, type SubscribePayload } from 'graphql-ws'
import WebSocket from 'ws'
import { definePlugin, type Scope, SvcError } from '../../../core/doors/plugin.ts'
import type { AuthoredSchema, AuthoredSubscription } from '../../../core/schema/authored.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import observersPart from '../../../plugins/observers/compile.ts'
import observers from '../../../plugins/observers/index.ts'
import part from '../../../plugins/subscriptions/compile.ts'
import subscriptions from '../../../plugins/subscriptions/index.ts'
import { compileArtifact, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { createPostgresDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { type OpenAppOptions, openApp, type TestApp } from '../../helpers/open-app.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import type { TestLike } from '../../helpers/services.ts'
import { authOf, type TestCaller } from '../../helpers/test-credential.ts'

/** What functions give has a column more than the view: nobody may be told of it. */
export const SHOP_SQL = `
CREATE TABLE tb_order (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), customer text NOT NULL, status text NOT NULL DEFAULT 'new', total numeric NOT NULL DEFAULT 0, note text, internal text NOT NULL DEFAULT 'hush');
CREATE TABLE tb_customer (id text PRIMARY KEY, name text NOT NULL);
INSERT INTO tb_customer VALUES ('ann', 'Ann'), ('bob', 'Bob');
CREATE VIEW v_customer AS SELECT id, name FROM tb_customer;
CREATE VIEW v_order AS SELECT id, customer, customer AS fk_customer, status, total, note FROM tb_order;
CREATE FUNCTION fn_place_order(customer text, total numeric) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_order (customer, total) VALUES (customer, total)
  RETURNING jsonb_build_object('status', 'created', 'entity_id', id, 'entity', to_jsonb(tb_order)) $$;
CREATE FUNCTION fn_set_order(id uuid, status text) RETURNS jsonb LANGUAGE sql AS $$
  UPDATE tb_order o SET status = fn_set_order.status WHERE o.id = fn_set_order.id
  RETURNING jsonb_build_object('status', 'updated', 'entity_id', o.id, 'entity', to_jsonb(o)) $$;
CREATE FUNCTION fn_drop_order(id uuid) RETURNS jsonb LANGUAGE sql AS $$
  DELETE FROM tb_order o WHERE o.id = fn_drop_order.id
  RETURNING jsonb_build_object('status', 'deleted', 'entity_id', o.id, 'entity', to_jsonb(o)) $$;
CREATE FUNCTION fn_fail_order(customer text) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN INSERT INTO tb_order (customer) VALUES (customer); RAISE EXCEPTION 'no'; END $$;
`

const ID = { name: 'id', type: 'ID!' }

/** Orders, of which everybody may be told of everything, unless the schema says more. */
export function shop(declared: readonly AuthoredSubscription[], type: object = {}): AuthoredSchema {
  const mutation = (name: string, operation: string, args: object[]) => ({
    name,
    type: 'Order',
    sql_source: `fn_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
    operation,
    arguments: args,
  })
  return {
    version: '1',
    types: [
      {
        name: 'Customer',
        sql_source: 'v_customer',
        fields: [ID, { name: 'name', type: 'String!' }],
      },
      {
        name: 'Order',
        sql_source: 'v_order',
        fields: [
          ID,
          { name: 'customer', type: 'String!' },
          { name: 'status', type: 'String!' },
          { name: 'total', type: 'Decimal!' },
          { name: 'note', type: 'String', requires_scope: 'read:note' },
          { name: 'buyer', type: 'Customer', relation: { from: 'fk_customer', to: 'id' } },
        ],
        ...type,
      },
    ],
    queries: [{ name: 'orders', type: '[Order!]!', sql_source: 'v_order' }],
    mutations: [
      mutation('placeOrder', 'CREATE', [
        { name: 'customer', type: 'String!' },
        { name: 'total', type: 'Decimal', default: '0' },
      ]),
      mutation('setOrder', 'UPDATE', [ID, { name: 'status', type: 'String!' }]),
      mutation('dropOrder', 'DELETE', [ID]),
      mutation('failOrder', 'CREATE', [{ name: 'customer', type: 'String!' }]),
    ] as never,
    subscriptions: declared,
  }
}

/** Everything that happens to orders. */
export const CHANGED: AuthoredSubscription = {
  name: 'orderChanged',
  type: 'Order!',
  arguments: [
    { name: 'id', type: 'ID' },
    { name: 'customer', type: 'String' },
    { name: 'total', type: 'Decimal' },
  ],
}

export interface Shop extends TestApp {
  readonly url: string
  /** Credentials that are refused from now on. */
  readonly revoked: Set<string>
  metric(name: string, labels?: Readonly<Record<string, string>>): number
  place(customer: string, total?: string): Promise<string>
  set(id: string, status: string): Promise<void>
  drop(id: string): Promise<void>
}

export interface ShopOptions extends OpenAppOptions {
  /** `null`: the plugin is off. */
  readonly observers?: object | null
  readonly subscriptions?: object
}

/** Who comes as `Bearer ann`, or as JSON of a caller. */
function credentials(revoked: Set<string>, take: (metrics: Scope['metrics']['collect']) => void) {
  const manifest = { name: 'test-bearer', version: '1.0.0', kernelApi: 1, description: 'A test.' }
  return definePlugin(manifest, (scope) => {
    take(scope.metrics.collect)
    scope.on('authenticate', ({ headers: { authorization } }) => {
      if (typeof authorization !== 'string' || !authorization.startsWith('Bearer ')) return undefined
      const text = authorization.slice(7)
      if (text === 'bad' || revoked.has(text)) throw new SvcError('UNAUTHENTICATED', 'The token is not valid.')
      const caller: TestCaller = text.startsWith('{') ? JSON.parse(text) : { subject: text }
      return authOf(caller)
    })
  })
}

export async function openShop(
  t: TestLike,
  database: TestDatabase,
  schema: AuthoredSchema,
  { observers: events = {}, subscriptions: own = {}, ...more }: ShopOptions = {},
): Promise<Shop> {
  const revoked = new Set<string>()
  let metrics: Scope['metrics']['collect'] = () => []
  const ofEvents = { enabled: true, backend: 'in-memory', ...events }
  const withEvents = events === null ? [] : [{ plugin: observers, options: ofEvents, source: 'test' }]
  const app = await openApp(t, database, schema, {
    ...more,
    compile: {
      parts: [
        { plugin: 'observers', part: observersPart as never, options: ofEvents },
        { plugin: 'subscriptions', part: part as never, options: own },
      ],
      ...more.compile,
    },
    plugins: [
      ...(more.plugins ?? []),
      ...withEvents,
      { plugin: credentials(revoked, (given) => (metrics = given)), options: {}, source: 'test' },
      { plugin: subscriptions, options: own, source: 'test' },
    ],
  })
  const url = await app.listen()
  async function write(query: string, variables: object) {
    const answer = await app.graphql(query, variables, {
      authorization: 'Bearer {"subject":"root","scopes":["read:note"]}',
    })
    if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors))
    return answer.data
  }
  return {
    ...app,
    url,
    revoked,
    metric(name, labels = {}) {
      const samples =
        metrics()
          .find((one) => one.name === name)
          ?.read() ?? []
      const wanted = samples.filter((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))
      return wanted.reduce((sum, { value }) => sum + value, 0)
    },
    async place(customer, total = '0') {
      const data = await write('mutation ($c: String!, $t: Decimal) { placeOrder(customer: $c, total: $t) { id } }', {
        c: customer,
        t: total,
      })
      return data.placeOrder.id
    },
    async set(id, status) {
      await write('mutation ($id: ID!, $s: String!) { setOrder(id: $id, status: $s) { id } }', { id, s: status })
    },
    async drop(id) {
      await write('mutation ($id: ID!) { dropOrder(id: $id) { id } }', { id })
    },
  }
}

/** {@link openShop} on a PostgreSQL database of its own. */
export async function openShopOnPostgres(
  t: TestLike,
  declared: readonly AuthoredSubscription[],
  options: ShopOptions = {},
): Promise<Shop> {
  return openShop(
    t,
    { kind: 'postgres', url: await createPostgresDatabase(t, { sql: SHOP_SQL }) },
    shop(declared),
    options,
  )
}

/** The schema as a reload brings it. */
export async function linkShop(t: TestLike, given: TestDatabase, schema: AuthoredSchema) {
  const database = await openTestDatabase(t, given)
  const parts = [{ plugin: 'subscriptions', part: part as never, options: {} }]
  const catalog = await readCatalogFor(schema, database)
  return linkSchema(compileArtifact(schema, catalog, { dialect: database.dialect, parts }))
}

/** A client of the protocol graphql-transport-ws. */
export function connect(
  t: TestLike,
  shop: Pick<Shop, 'url'>,
  params: object = {},
  path = '/ws',
  more: object = {},
): Client {
  const client = createClient({
    url: `${shop.url.replace('http', 'ws')}${path}`,
    webSocketImpl: WebSocket,
    connectionParams: params as never,
    retryAttempts: 0,
    lazy: true,
    onNonLazyError() {},
    ...more,
  })
  t.teardown(() => client.dispose())
  return client
}

export interface Heard {
  // biome-ignore lint/suspicious/noExplicitAny: responses of any shape, looked at by assertions
  readonly results: any[]
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly error: any
  readonly isOver: boolean
  end(): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  wait(count: number): Promise<any[]>
  over(): Promise<void>
}

/** Subscribes, and resolves when the service has it. */
export async function listen(client: Client, shop: Shop, payload: SubscribePayload | string): Promise<Heard> {
  const heard = { results: [] as unknown[], error: null as unknown, isOver: false }
  const active = () => shop.metric('svc_ws_subscriptions_total', { result: 'accepted' })
  const before = active()
  const end = client.subscribe(typeof payload === 'string' ? { query: payload } : payload, {
    next: (result) => void heard.results.push(result),
    error: (error) => {
      heard.error = error
      heard.isOver = true
    },
    complete: () => {
      heard.isOver = true
    },
  })
  await until(() => heard.isOver || active() > before, 'the subscription begins')
  return Object.assign(heard, {
    end,
    async wait(count: number) {
      await until(() => heard.results.length >= count || heard.isOver, `${count} results`)
      return heard.results
    },
    over: () => until(() => heard.isOver, 'it is over'),
  }) as Heard
}

export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let left = 12_000; left > 0; left--) {
    if (await holds()) return
    await sleep(5)
  }
  throw new Error(`Nobody saw that ${what}`)
}
