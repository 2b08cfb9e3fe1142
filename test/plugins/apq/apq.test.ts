import { createHash, randomUUID } from 'node:crypto'
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { Client, fetchExchange } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import t, { type Test } from 'tap'
import type { Database } from '../../../core/doors/plugin.ts'
import { openRedis } from '../../../core/service/stores/redis.ts'
import apq from '../../../plugins/apq/index.ts'
import graphql from '../../../plugins/graphql/index.ts'
import metrics from '../../../plugins/metrics/index.ts'
import queryLimits from '../../../plugins/query-limits/index.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { linkShop } from '../graphql/shop.ts'

const REDIS = `redis://${SERVICES.redis.host}:${SERVICES.redis.port}`
const QUERY = '{ users { id } }'
/** For the metrics plugin, which counts its connections. */
const DATABASE = { pool: { active: 0, idle: 0, waiting: 0, connected: true } } as Database

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const named = (sha256Hash: unknown, version: unknown = 1) => ({ persistedQuery: { version, sha256Hash } })

interface Answer {
  readonly status: number
  readonly data?: unknown
  readonly code: string | undefined
  readonly message: string | undefined
}

async function start(
  t: Test,
  options: Readonly<Record<string, unknown>> = {},
  config: Readonly<Record<string, unknown>> = {},
) {
  const tested = await openPlugin(t, apq, {
    dependencies: [graphql, { plugin: queryLimits, options: { max_query_depth: 3 } }, metrics],
    options: { enabled: true, ...options },
    config,
    database: DATABASE,
    schema: linkShop(),
    resolve: () => ({ data: '{"users":[{"__typename":"User","id":"1"}]}', errors: null }),
  })
  async function ask(body: object, accept = 'application/json'): Promise<Answer> {
    const headers = { 'content-type': 'application/json', accept }
    const reply = await tested.inject({ method: 'POST', url: '/graphql', headers, body })
    return toAnswer(reply)
  }
  async function get(fields: Readonly<Record<string, unknown>>): Promise<Answer> {
    const query = new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    return toAnswer(await tested.inject({ url: `/graphql?${query}` }))
  }
  async function counts() {
    const text = (await tested.inject({ url: '/metrics' })).text
    return ['hits', 'misses', 'stored'].map((name) =>
      Number(new RegExp(`^svc_apq_${name}_total (\\d+)`, 'm').exec(text)?.[1] ?? 0),
    )
  }
  return { tested, ask, get, counts }
}

function toAnswer(reply: { status: number; json<T>(): T }): Answer {
  const { data, errors } = reply.json<{
    data?: unknown
    errors?: { message: string; extensions: { code: string } }[]
  }>()
  const [error] = errors ?? []
  return { status: reply.status, data, code: error?.extensions.code, message: error?.message }
}

t.test('a document is stored with its query, and found by its hash', async (t) => {
  const { ask, get, counts } = await start(t)
  const extensions = named(sha256(QUERY))
  const unknown = { status: 200, code: 'PERSISTED_QUERY_NOT_FOUND', message: 'PersistedQueryNotFound' }
  t.match(await ask({ extensions }), unknown)
  t.match(await ask({ extensions }, 'application/graphql-response+json'), unknown, '200 in either media type')
  t.match(await ask({ query: QUERY, extensions }), { status: 200, code: undefined })
  t.match(await ask({ extensions }), { status: 200, code: undefined, data: { users: [{ id: /^1$/ }] } })
  t.match(await get({ extensions }), { status: 200, code: undefined }, 'over GET')
  t.match(await ask({ query: '', extensions }), { status: 200, code: undefined }, 'as over a WebSocket')
  t.match(await ask({ query: QUERY, extensions }), { status: 200 }, 'again')
  t.same(await counts(), [3, 2, 1])

  const pick = 'query A { users { id } } query B { users { name } }'
  await ask({ query: pick, operationName: 'A', extensions: named(sha256(pick)) })
  t.match(await ask({ operationName: 'C', extensions: named(sha256(pick)) }), { code: 'REQUEST_ERROR' })
  const one = 'query ($id: ID!) { user(id: $id) { id } }'
  await ask({ query: one, variables: { id: '1' }, extensions: named(sha256(one)) })
  t.match(await ask({ extensions: named(sha256(one)) }), { code: 'BAD_USER_INPUT' }, 'variables are coerced as ever')
})

t.test('an invalid query is refused and not stored', async (t) => {
  const { ask, get, counts } = await start(t)
  const hash = sha256(QUERY)
  const mismatch = { status: 400, code: 'PERSISTED_QUERY_MISMATCH' }
  t.match(await ask({ query: '{ users { name } }', extensions: named(hash) }), mismatch)
  t.match(await ask({ query: `${QUERY} `, extensions: named(hash) }), mismatch)
  t.match(await get({ query: '{ users { name } }', extensions: named(hash) }), mismatch)
  t.match(await ask({ extensions: named(hash, 2) }), {
    status: 200,
    code: 'PERSISTED_QUERY_NOT_SUPPORTED',
    message: 'PersistedQueryNotSupported',
  })
  for (const given of [
    { persistedQuery: {} },
    { persistedQuery: 'x' },
    { persistedQuery: [hash] },
    { persistedQuery: { sha256Hash: hash } },
    named(undefined),
    named(5),
    named([hash]),
    named(hash.toUpperCase()),
    named(`${hash}0`),
    named('__proto__'),
    named('../../etc/passwd'),
    named(''),
  ]) {
    t.match(
      await ask({ query: QUERY, extensions: given }),
      { status: 400, code: 'REQUEST_ERROR' },
      JSON.stringify(given),
    )
    t.match(await ask({ extensions: given }), { status: 400, code: 'REQUEST_ERROR' })
  }
  for (const [query, code] of [
    ['{ users { id ', 'PARSE_ERROR'],
    ['{ users { shoe } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ user(id: "1") { boss { boss { id } } } }', 'VALIDATION_ERROR'],
  ] as const) {
    const extensions = named(sha256(query))
    t.match(await ask({ query, extensions }), { code })
    t.match(await ask({ query, extensions }), { code }, 'nor the second time')
    t.match(await ask({ extensions }), { code: 'PERSISTED_QUERY_NOT_FOUND' }, code)
  }
  t.match(await ask({ query: QUERY, extensions: { persistedQuery: null } }), { status: 200, code: undefined })
  t.match(await ask({ query: QUERY, extensions: { tracing: true } }), { status: 200, code: undefined })
  t.same((await counts())[2], 0)
})

t.test('a mutation is found over GET and not run', async (t) => {
  const { ask, get } = await start(t)
  const query = 'mutation { __typename }'
  const extensions = named(sha256(query))
  t.match(await ask({ query, extensions }), { status: 200 })
  t.match(await get({ extensions }), { status: 405, code: 'METHOD_NOT_ALLOWED' })
})

t.test('as many are kept as fit; the one that was used longest ago goes', async (t) => {
  const { ask } = await start(t, { cache_size: 2 })
  const texts = ['{ users { id } }', '{ users { name } }', '{ users { id name } }']
  const store = (query: string) => ask({ query, extensions: named(sha256(query)) })
  const isKnown = async (query: string) => (await ask({ extensions: named(sha256(query)) })).code === undefined
  await store(texts[0]!)
  await store(texts[1]!)
  t.ok(await isKnown(texts[0]!))
  await store(texts[2]!)
  t.same(await Promise.all(texts.map(isKnown)), [true, false, true])

  const narrow = await start(t, { cache_bytes: 1024 })
  const long = `{ users { id } } #${'x'.repeat(2000)}`
  const extensions = named(sha256(long))
  t.match(await narrow.ask({ query: long, extensions }), { status: 200, code: undefined }, 'it runs')
  t.match(await narrow.ask({ extensions }), { code: 'PERSISTED_QUERY_NOT_FOUND' }, 'and is too large to keep')
})

t.test('without the plugin clients get PERSISTED_QUERY_NOT_SUPPORTED', async (t) => {
  const tested = await openPlugin(t, graphql, { schema: linkShop(), resolve: () => ({ data: '{}', errors: null }) })
  const ask = async (body: object) => toAnswer(await tested.inject({ method: 'POST', url: '/graphql', body }))
  const extensions = named(sha256(QUERY))
  t.match(await ask({ extensions }), { status: 200, code: 'PERSISTED_QUERY_NOT_SUPPORTED' })
  t.match(await ask({ query: QUERY, extensions }), { status: 200, code: undefined })
})

t.test('machines share what they store in Redis', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const name = `apq-${randomUUID()}`
  const redis = await openRedis(REDIS, { signals: { emit() {} } as never })
  const keyOf = (hash: string) => `svc:${name}:apq:${hash}`
  const hashes = [sha256(QUERY), sha256('{ users { name } }')]
  t.teardown(async () => {
    await redis.call('DEL', ...hashes.map(keyOf))
    await redis.close()
  })
  const config = { project: { name } }
  const [first, second] = await Promise.all([
    start(t, { kvstore_url: REDIS, ttl_secs: 60 }, config),
    start(t, { kvstore_url: REDIS }, config),
  ])
  const extensions = named(hashes[0])
  t.match(await second.ask({ extensions }), { code: 'PERSISTED_QUERY_NOT_FOUND' })
  t.match(await first.ask({ query: QUERY, extensions }), { status: 200 })
  while ((await redis.call('EXISTS', keyOf(hashes[0]!))) === 0) await new Promise((resolve) => setImmediate(resolve))
  t.match(await second.ask({ extensions }), { status: 200, code: undefined, data: { users: [] } })
  const left = Number(await redis.call('PTTL', keyOf(hashes[0]!)))
  t.ok(left > 30_000 && left <= 60_000, `${left} ms`)

  await redis.call('SET', keyOf(hashes[1]!), QUERY)
  t.match(
    await first.ask({ extensions: named(hashes[1]) }),
    { code: 'PERSISTED_QUERY_NOT_FOUND' },
    'no text for another',
  )

  const away = await start(t, { kvstore_url: 'redis://127.0.0.1:9' }, config)
  t.match(await away.ask({ extensions }), { status: 200, code: 'PERSISTED_QUERY_NOT_FOUND' }, 'a store that is away')
  t.match(await away.ask({ query: QUERY, extensions }), { status: 200, code: undefined })
  t.match(await away.ask({ extensions }), { status: 200, code: undefined }, 'what the process itself keeps')
})

t.test('clients as they ship', async (t) => {
  const { tested, counts } = await start(t)
  const uri = `${await tested.listen()}/graphql`
  for (const useGETForHashedQueries of [false, true]) {
    const link = new PersistedQueryLink({ sha256, useGETForHashedQueries })
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: ApolloLink.from([link, new HttpLink({ uri })]),
    })
    const query = useGETForHashedQueries ? gql`query G { users { id } }` : gql`query P { users { id } }`
    for (let i = 0; i < 2; i++) {
      const { data } = await client.query({ query, fetchPolicy: 'no-cache' })
      t.match(data, { users: [{ id: /^1$/ }] }, 'Apollo Client')
    }
    client.stop()
  }
  t.same(await counts(), [2, 2, 2])
  for (const preferGetForPersistedQueries of [false, true]) {
    const exchange = persistedExchange({
      generateHash: async (query) => sha256(query),
      preferGetForPersistedQueries,
    })
    const client = new Client({
      url: uri,
      exchanges: [exchange, fetchExchange],
      requestPolicy: 'network-only',
      preferGetMethod: false,
    })
    const text = preferGetForPersistedQueries ? 'query U { users { id name } }' : 'query V { users { id name } }'
    for (let i = 0; i < 2; i++) {
      const { data, error } = await client.query(text, {}).toPromise()
      t.equal(error, undefined)
      t.match(data, { users: [{ id: /^1$/ }] }, 'urql')
    }
  }
  t.same(await counts(), [4, 4, 4])
})
