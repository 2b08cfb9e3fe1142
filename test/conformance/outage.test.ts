import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { createPostgresDatabase, runOnServer } from '../helpers/databases.ts'
import { type GraphQLBody, type OpenAppOptions, openApp, type TestApp } from '../helpers/open-app.ts'
import { runService, svc } from '../helpers/service.ts'
import { requireService, SERVICES, type TestLike } from '../helpers/services.ts'
import { createTcpProxy } from '../helpers/tcp-proxy.ts'

/** The service while its database disappears, stalls or is busy. */
t.setTimeout(180_000)

const SQL = `
CREATE TABLE tb_item (id int PRIMARY KEY, label text NOT NULL);
INSERT INTO tb_item VALUES (1, 'one');
CREATE VIEW v_item AS SELECT * FROM tb_item;
CREATE VIEW v_nap AS SELECT 1 AS id, pg_sleep(60)::text AS slept;
CREATE FUNCTION fn_nap(p_label text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO tb_item SELECT max(id) + 1, p_label FROM tb_item; PERFORM pg_sleep(60); RETURN true; END $$;
CREATE FUNCTION fn_wake() RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;
`
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: ['Item', 'Nap'].map((name) => ({
    name,
    sql_source: `v_${name.toLowerCase()}`,
    fields: [
      { name: 'id', type: 'ID!' },
      name === 'Item' ? { name: 'label', type: 'String!' } : { name: 'slept', type: 'String' },
    ],
  })),
  queries: [
    { name: 'items', type: '[Item!]!', sql_source: 'v_item' },
    { name: 'naps', type: '[Nap!]!', sql_source: 'v_nap' },
  ],
  mutations: [
    { name: 'nap', type: 'Boolean', sql_source: 'fn_nap', arguments: [{ name: 'label', type: 'String!' }] },
    { name: 'wake', type: 'Boolean', sql_source: 'fn_wake' },
  ],
}

const ITEMS = '{ items { label } }'
const NAPS = '{ naps { slept } }'
const NAP = 'mutation { nap(label: "never") }'
const WAKE = 'mutation { wake }'

interface Answer extends GraphQLBody {
  readonly status: number
  readonly retryAfter: string | null
}

/** POSTs over a socket. No answer within a minute is a hang. */
async function post(url: string, query: string, init: RequestInit = {}): Promise<Answer> {
  const reply = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    signal: AbortSignal.timeout(60_000),
    ...init,
  })
  const body = (await reply.json()) as GraphQLBody
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), ...body }
}

async function until(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`still not: ${what}`)
    await sleep(25)
  }
}

const UNAVAILABLE = {
  status: 503,
  retryAfter: /^[1-9]\d*$/,
  errors: [
    {
      message: 'The database cannot be reached.',
      extensions: { code: 'SERVICE_UNAVAILABLE', statusCode: 503, retryAfter: Number, errorId: String },
    },
  ],
}

function withPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.host = `127.0.0.1:${port}`
  return changed.href
}

t.test('the process: down at boot, up, down under load, up', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { host, port } = SERVICES.postgres
  const dir = t.testdir()
  await svc(['init', 'shop'], dir)
  const shop = join(dir, 'shop')
  const sql = readdirSync(join(shop, 'db'))
    .sort()
    .map((file) => readFileSync(join(shop, 'db', file), 'utf8'))
    .join('\n')
  const direct = await createPostgresDatabase(t, { sql })
  const compiled = await svc(['compile'], shop, { DATABASE_URL: direct })
  t.equal(compiled.code, 0, compiled.stderr)

  const proxy = await createTcpProxy(t, host, port)
  await proxy.cut()
  const behind = new URL(withPort(direct, proxy.port))
  // Servers that trust the test do not look at it.
  behind.password ||= 'pa55word'
  const { password } = behind
  const service = await runService(t, shop, { env: { DATABASE_URL: behind.href } })
  const { url } = service
  const query = '{ posts { id title author { name } } }'
  const probe = async (path: string) => {
    const reply = await fetch(url + path)
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), body: await reply.json() }
  }

  await t.test('down at boot', async (t) => {
    const health = await probe('/health')
    t.match(health, {
      status: 503,
      retryAfter: /^1$/,
      body: {
        status: 'unhealthy',
        schema_hash: /^[0-9a-f]{64}$/,
        database: { connected: false, active_connections: 0, latency_ms: null },
      },
    })
    t.match(await probe('/health/ready'), { status: 503, retryAfter: /^1$/, body: { reason: 'database unreachable' } })
    t.match(await probe('/health/live'), { status: 200, body: { status: 'alive' } }, 'the process itself is well')
    t.match(await post(url, query), UNAVAILABLE)
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const init = { headers: { 'content-type': 'application/json', accept } }
      t.match(await post(url, query, init), UNAVAILABLE, accept)
    }
    t.match(await post(url, '{ __typename }'), { status: 200, data: { __typename: 'Query' } }, 'needs no database')
    t.match(service.output(), 'the database cannot be reached')
    t.notOk(service.output().includes(password), 'the password stands nowhere')
  })

  await t.test('resumes by itself', async (t) => {
    await proxy.mend()
    await until(async () => (await post(url, query)).status === 200, 'serving')
    t.match(await probe('/health'), { status: 200, body: { status: /^ok$/, database: { connected: true } } })
    t.match(await probe('/health/ready'), { status: 200, retryAfter: null })
  })

  await t.test('dies under load: 503 at once, no hang, then it goes on', async (t) => {
    let running = true
    const wrong: unknown[] = []
    const statuses = new Map<number, number>()
    const clients = Array.from({ length: 6 }, async () => {
      while (running) {
        const answer = await post(url, query).catch((error: unknown) => ({ status: 0, error }))
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (answer.status === 503 && !('error' in answer) && answer.retryAfter !== null) await sleep(5)
        else if (answer.status !== 200) wrong.push(answer)
      }
    })
    const served = () => statuses.get(200) ?? 0
    const refused = () => statuses.get(503) ?? 0
    await until(() => served() > 20, 'load')
    for (let outage = 0; outage < 2; outage++) {
      const before = refused()
      await proxy.cut()
      await until(() => refused() > before + 20, 'refusing')
      t.equal((await probe('/health/live')).status, 200)
      t.equal((await probe('/health')).status, 503)
      const served0 = served()
      await proxy.mend()
      await until(() => served() > served0 + 20, 'serving again')
    }
    running = false
    await Promise.all(clients)
    t.strictSame(wrong, [], 'every answer is data, or 503 with Retry-After')
  })

  t.equal(await service.stop(), 0)
})

t.test('deadlines, aborts and a busy pool', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { host, port } = SERVICES.postgres

  interface World extends TestApp {
    readonly url: string
    readonly databaseUrl: string
    /** Statements that sleep in the database. */
    sleeping(): Promise<number>
    labels(): Promise<readonly unknown[]>
  }

  async function open(t: TestLike, options: OpenAppOptions): Promise<World> {
    const databaseUrl = await createPostgresDatabase(t, { sql: SQL })
    const name = new URL(databaseUrl).pathname.slice(1)
    const app = await openApp(t, { kind: 'postgres', url: databaseUrl }, SCHEMA, { url: databaseUrl, ...options })
    return {
      ...app,
      url: await app.listen(),
      databaseUrl,
      async sleeping() {
        const rows = await runOnServer(
          name,
          `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}' AND wait_event = 'PgSleep'`,
        )
        return rows.length
      },
      labels: async () => (await runOnServer(name, 'SELECT label FROM tb_item ORDER BY id')).map(({ label }) => label),
    }
  }

  await t.test('a request that outlives its deadline: TIMEOUT, and the statement is cancelled', async (t) => {
    const app = await open(t, { server: { request_timeout_ms: 1000 } })
    const OVERDUE = { errors: [{ extensions: { code: 'TIMEOUT', statusCode: 504 } }] }
    for (const [document, name] of [
      [NAPS, 'a query'],
      [NAP, 'a mutation'],
    ] as const) {
      const answer = post(app.url, document)
      await until(async () => (await app.sleeping()) === 1, 'sleeping in the database')
      t.match(await answer, { status: 200, ...OVERDUE }, name)
      await until(async () => (await app.sleeping()) === 0, 'cancelled in the database')
    }
    const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' }
    t.match(await post(app.url, NAPS, { headers }), { status: 504, ...OVERDUE })
    t.strictSame(await app.labels(), ['one'], 'nothing was written')
    t.match(await post(app.url, ITEMS), { status: 200, data: { items: [{ label: 'one' }] } }, 'serves on')
  })

  await t.test('a client that goes away: the statement is cancelled', async (t) => {
    const app = await open(t, {})
    for (const document of [NAPS, NAP]) {
      const client = new AbortController()
      const answer = post(app.url, document, { signal: client.signal })
      await until(async () => (await app.sleeping()) === 1, 'sleeping in the database')
      client.abort()
      await t.rejects(answer, { name: 'AbortError' })
      await until(async () => (await app.sleeping()) === 0, 'cancelled in the database')
    }
    t.strictSame(await app.labels(), ['one'], 'nothing was written')
    t.match(await post(app.url, ITEMS), { status: 200, data: { items: [{ label: 'one' }] } })
  })

  await t.test('no connection free in time: 503 with Retry-After', async (t) => {
    const app = await open(t, { database: { pool_max: 1, connect_timeout_ms: 400 } })
    // Until the service is ready the comparison with the catalog may have the only connection.
    await until(async () => (await fetch(`${app.url}/health/ready`)).status === 200, 'ready')
    const client = new AbortController()
    const busy = post(app.url, NAP, { signal: client.signal })
    await until(async () => (await app.sleeping()) === 1, 'the only connection is busy')
    const EXHAUSTED = {
      ...UNAVAILABLE,
      errors: [{ ...UNAVAILABLE.errors[0], message: 'No database connection was free in time.' }],
    }
    for (const answer of await Promise.all([ITEMS, ITEMS, WAKE].map((document) => post(app.url, document)))) {
      t.match(answer, EXHAUSTED)
    }
    t.equal((await fetch(`${app.url}/health/live`)).status, 200)
    client.abort()
    await t.rejects(busy, { name: 'AbortError' })
    await until(async () => (await post(app.url, ITEMS)).status === 200, 'serving again')
    t.match(await post(app.url, WAKE), { status: 200, data: { wake: true } })
  })

  await t.test('more writers than connections: those that wait long enough get one', async (t) => {
    const app = await open(t, { database: { pool_max: 2, connect_timeout_ms: 30_000 } })
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => post(app.url, i % 2 ? ITEMS : WAKE)))
    t.strictSame([...new Set(answers.map(({ status }) => status))], [200])
    t.ok(answers.every(({ errors }) => errors === undefined))
  })

  await t.test('a database that falls silent: TIMEOUT, and service resumes when it speaks again', async (t) => {
    const proxy = await createTcpProxy(t, host, port)
    const databaseUrl = await createPostgresDatabase(t, { sql: SQL })
    const app = await openApp(t, { kind: 'postgres', url: databaseUrl }, SCHEMA, {
      url: withPort(databaseUrl, proxy.port),
      server: { request_timeout_ms: 1000 },
      database: { connect_timeout_ms: 2000 },
    })
    const url = await app.listen()
    t.match(await post(url, ITEMS), { status: 200 })
    proxy.freeze()
    const answers = await Promise.all([ITEMS, ITEMS, WAKE].map((document) => post(url, document)))
    for (const { status, errors } of answers) {
      t.ok(status === 503 || errors?.[0]?.extensions.code === 'TIMEOUT', `${status} ${JSON.stringify(errors)}`)
    }
    proxy.thaw()
    await until(async () => (await post(url, ITEMS)).data?.items?.length === 1, 'serving again')
    await until(async () => (await post(url, WAKE)).data?.wake === true, 'writing again')
    t.pass('resumed')
  })
})
