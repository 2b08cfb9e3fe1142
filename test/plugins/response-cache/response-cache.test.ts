import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { type Observed, watchStale } from '../../../bench/lib/watch-stale.ts'
import { definePlugin, type Peers } from '../../../core/doors/plugin.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createLonePeers } from '../../../core/service/plugins/lone-peers.ts'
import { createSignals } from '../../../core/service/signals/create-signals.ts'
import { openRedis } from '../../../core/service/stores/redis.ts'
import type {} from '../../../plugins/response-cache/api.ts'
import responseCache from '../../../plugins/response-cache/index.ts'
import { shareInvalidations } from '../../../plugins/response-cache/invalidation.ts'
import { MemoryAnswers } from '../../../plugins/response-cache/memory-answers.ts'
import { RedisAnswers } from '../../../plugins/response-cache/redis-answers.ts'
import rest from '../../../plugins/rest/index.ts'
import singleFlight from '../../../plugins/single-flight/index.ts'
import { createPostgresDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { openApp, type TestApp } from '../../helpers/open-app.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'

const SQL = `
CREATE TABLE tb_author (pk_author bigint PRIMARY KEY, name text NOT NULL);
CREATE TABLE tb_post (pk_post bigint PRIMARY KEY, fk_author bigint REFERENCES tb_author, title text NOT NULL, tenant text NOT NULL, n bigint NOT NULL DEFAULT 0);
INSERT INTO tb_author VALUES (1, 'ann'), (2, 'bob');
INSERT INTO tb_post VALUES (1, 1, 'one', 'a', 0), (2, 2, 'two', 'b', 0);
CREATE VIEW v_author AS SELECT pk_author AS id, pk_author, name FROM tb_author;
CREATE VIEW v_post AS SELECT pk_post AS id, fk_author, title, tenant, n FROM tb_post;
CREATE VIEW v_broken AS SELECT 1 AS id, (1 / (n - n))::int AS ratio FROM tb_post;
CREATE VIEW v_total AS SELECT 1 AS id, sum(n)::bigint AS total FROM tb_post;
CREATE FUNCTION fn_set_n(id bigint, n bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tb_post p SET n = fn_set_n.n WHERE pk_post = fn_set_n.id;
  RETURN jsonb_build_object('status', 'updated', 'entity_type', 'Post', 'entity_id', id::text,
    'entity', (SELECT to_jsonb(v) FROM v_post v WHERE v.id = fn_set_n.id));
END $$;
CREATE FUNCTION fn_rename(id bigint, name text) RETURNS boolean LANGUAGE sql AS $$
  UPDATE tb_author SET name = fn_rename.name WHERE pk_author = fn_rename.id RETURNING true $$;
CREATE FUNCTION fn_hit(id bigint) RETURNS boolean LANGUAGE sql AS $$
  UPDATE tb_post SET n = n + 100 WHERE pk_post = fn_hit.id RETURNING true $$;
CREATE FUNCTION fn_fail(id bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
`

const id = { name: 'id', type: 'ID!' }
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    { name: 'Author', sql_source: 'v_author', fields: [id, { name: 'name', type: 'String!' }] },
    {
      name: 'Post',
      sql_source: 'v_post',
      fields: [
        id,
        { name: 'title', type: 'String!' },
        { name: 'n', type: 'BigInt!' },
        { name: 'author', type: 'Author', relation: { from: 'fk_author', to: 'pk_author' } },
      ],
    },
    { name: 'Broken', sql_source: 'v_broken', fields: [id, { name: 'ratio', type: 'Int' }] },
    { name: 'Total', sql_source: 'v_total', fields: [id, { name: 'total', type: 'BigInt!' }] },
  ],
  queries: [
    { name: 'posts', type: '[Post!]!', sql_source: 'v_post', cache_ttl: 60 },
    { name: 'post', type: 'Post', sql_source: 'v_post', cache: true, arguments: [id] },
    { name: 'my_posts', type: '[Post!]!', sql_source: 'v_post', cache_ttl: 60, inject: { tenant: 'jwt:tenant' } },
    { name: 'fresh_posts', type: '[Post!]!', sql_source: 'v_post' },
    { name: 'off_posts', type: '[Post!]!', sql_source: 'v_post', cache_ttl: 60, cache: false },
    { name: 'broken', type: '[Broken!]', sql_source: 'v_broken', cache_ttl: 60 },
    { name: 'authors', type: '[Author!]!', sql_source: 'v_author', cache_ttl: 60 },
    { name: 'totals', type: '[Total!]!', sql_source: 'v_total', cache_ttl: 60, additional_views: ['v_post'] },
    { name: 'brief', type: '[Author!]!', sql_source: 'v_author', cache_ttl: 1 },
  ],
  mutations: [
    {
      name: 'set_n',
      type: 'Post',
      sql_source: 'fn_set_n',
      operation: 'UPDATE',
      arguments: [id, { name: 'n', type: 'BigInt!' }],
    },
    {
      name: 'rename',
      type: 'Boolean',
      sql_source: 'fn_rename',
      operation: 'CUSTOM',
      invalidates: ['v_author'],
      arguments: [id, { name: 'name', type: 'String!' }],
    },
    {
      name: 'set_n_and_update',
      type: 'Post',
      sql_source: 'fn_set_n',
      operation: 'UPDATE',
      cache_update: true,
      invalidates: ['v_total'],
      arguments: [id, { name: 'n', type: 'BigInt!' }],
    },
    { name: 'hit', type: 'Boolean', sql_source: 'fn_hit', operation: 'CUSTOM', arguments: [id] },
    { name: 'fail', type: 'Boolean', sql_source: 'fn_fail', operation: 'CUSTOM', arguments: [id] },
  ],
}

/** Believes a header; counts the statements that were run. */
let statements = 0
const looker = definePlugin(
  { name: 'looker', version: '1.0.0', kernelApi: 1, description: 'Looks on.', after: ['response-cache'] },
  (scope) => {
    scope.on('authenticate', ({ headers: { 'x-tenant': tenant } }) =>
      typeof tenant === 'string'
        ? { subject: tenant, claims: { tenant }, scopes: [], roles: [], method: 'header' }
        : undefined,
    )
    scope.observe({ engine: () => void statements++ })
    const cache = scope.use('responseCache', { optional: true })
    scope.route({
      method: 'POST',
      path: '/touch/:pattern',
      async handler({ params: { pattern = '' } }) {
        if (pattern === 'all') await cache?.clear()
        else if (pattern === 'Author') await cache?.invalidateEntity(pattern)
        else await cache?.invalidatePattern(pattern)
        return { status: 204, headers: {}, body: null }
      },
    })
  },
)

/** Nobody else's answers. */
const PROJECT = `test-${randomUUID()}`

type Options = Readonly<Record<string, unknown>>

async function open(t: TestLike, test: TestDatabase, options: Options = {}): Promise<TestApp> {
  const caching = { enabled: true, response_header: true, ...options }
  return openApp(t, test, SCHEMA, {
    project: PROJECT,
    server: { access_log: true },
    plugins: [entry(rest, { require_auth: false }), entry(responseCache, caching), entry(singleFlight), entry(looker)],
  })
}

/** Was the answer there already? */
async function isHit(app: TestApp, query: string, headers: Record<string, string> = {}): Promise<boolean> {
  const before = statements
  const answer = await app.graphql(query, undefined, headers)
  if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors))
  const hit = statements === before
  if (answer.headers['x-cache'] !== undefined && (answer.headers['x-cache'] === 'HIT') !== hit)
    throw new Error('X-Cache lies')
  const line = app.signals.findLast((signal) => signal.type === 'request-answered')
  const used = answer.headers['x-cache'] === undefined ? null : hit
  if (line?.cacheHit !== used || line.userId !== (headers['x-tenant'] ?? null)) {
    throw new Error(`the line per request lies: ${JSON.stringify(line)}`)
  }
  return hit
}

async function suite(t: TestLike, test: TestDatabase, options: Options): Promise<void> {
  const app = await open(t, test, options)
  const hit = (query: string, headers?: Record<string, string>) => isHit(app, query, headers)
  /** Marks of views that the store has not seen are made by the first look. */
  const warm = async (query: string, headers?: Record<string, string>) => {
    for (let i = 0; i < 50 && !(await hit(query, headers)); i++) await sleep(2)
  }

  // proves: query.cache_ttl query.cache
  await t.test('cached and uncached responses', async (t) => {
    const posts = '{ posts(orderBy: { id: ASC }) { id n author { name } } }'
    t.equal(await hit(posts), false)
    await warm(posts)
    const first = await app.graphql(posts)
    t.same(first.data, (await app.graphql(posts)).data)
    t.match(first.data, { posts: [{ id: /^1$/, author: { name: 'ann' } }, { id: /^2$/ }] })
    t.equal(await hit(posts), true)
    t.equal(
      await hit(`query Named { posts(orderBy: { id: ASC }) { id n author { name } } }`),
      true,
      'by what is asked, not by the text',
    )
    t.equal(await hit('{ posts(orderBy: { id: DESC }) { id n author { name } } }'), false, 'other arguments')
    t.equal(await hit('{ all: posts(orderBy: { id: ASC }) { id n author { name } } }'), false, 'other keys')
    await warm('{ post(id: 1) { title } }')
    t.equal(await hit('{ post(id: 2) { title } }'), false, 'other values')
    for (const never of [
      '{ freshPosts { id } }',
      '{ offPosts { id } }',
      '{ posts { id } freshPosts { id } }',
      '{ __typename }',
    ]) {
      await hit(never)
      t.equal(await hit(never), false, never)
    }
    await warm('{ posts { id } authors { id } __typename }')
    t.equal(await hit('{ posts { id } authors { id } __typename }'), true, 'several roots that may all be kept')
  })

  await t.test('a caller never gets the answer of another caller', async (t) => {
    const mine = '{ myPosts { title } }'
    await warm(mine, { 'x-tenant': 'a' })
    t.match(await app.graphql(mine, undefined, { 'x-tenant': 'a' }), { data: { myPosts: [{ title: 'one' }] } })
    t.match(await app.graphql(mine, undefined, { 'x-tenant': 'b' }), { data: { myPosts: [{ title: 'two' }] } })
    t.match(await app.graphql(mine), { errors: [{}] }, 'and nobody without a credential')
    t.equal(await hit(mine, { 'x-tenant': 'a' }), true)
  })

  await t.test('errors are not kept', async (t) => {
    for (let i = 0; i < 3; i++) {
      const answer = await app.graphql('{ broken { ratio } posts { id } }')
      t.match(answer.errors, [{}])
      t.not(answer.headers['x-cache'], 'HIT')
    }
  })

  // proves: query.additional_views mutation.invalidates
  await t.test('a write lets go what was read from what it wrote, and no more', async (t) => {
    const [posts, authors, totals] = ['{ posts { n } }', '{ authors { name } }', '{ totals { total } }']
    for (const each of [posts, authors, totals]) await warm(each)
    await app.graphql('mutation { setN(id: 1, n: "7") { id } }')
    t.match(await app.graphql(posts), { data: { posts: [{ n: /^7$/ }, {}] } })
    t.match(await app.graphql(totals), { data: { totals: [{ total: /^7$/ }] } }, 'additional_views')
    t.equal(await hit(authors), true, 'nobody wrote to authors')
    for (const each of [posts, totals]) await warm(each)
    await app.graphql('mutation { rename(id: 1, name: "anna") }')
    t.match(await app.graphql(authors), { data: { authors: [{ name: 'anna' }, {}] } }, 'invalidates')
    t.equal(await hit(posts), true)
    t.equal(await hit('{ posts { author { name } } }'), false)
    await warm('{ posts { author { name } } }')
    await app.graphql('mutation { rename(id: 1, name: "ann") }')
    t.match(
      await app.graphql('{ posts { author { name } } }'),
      { data: { posts: [{ author: { name: 'ann' } }, {}] } },
      'through a relation',
    )
    for (const each of [posts, authors]) await warm(each)
    await app.graphql('mutation { hit(id: 1) }')
    t.equal(await hit(authors), false, 'of a function that says nothing anything may be')
    t.match(await app.graphql(posts), { data: { posts: [{ n: '107' }, {}] } })
    await warm(posts)
    t.ok((await app.graphql('mutation { fail(id: 1) }')).errors)
    t.equal(await hit(posts), false, 'one that failed may have written')
    await warm(posts)
    await app.inject({ method: 'PATCH', url: '/rest/v1/posts/1', body: { n: '3' } })
    t.equal((await app.graphql('{ totals { total } }')).status, 200)
  })

  // proves: mutation.cache_update
  await t.test('cacheUpdate: the entity is new in every answer that has it, and in what is declared', async (t) => {
    const [post, posts, authors, totals] = [
      '{ post(id: 1) { n } }',
      '{ posts { n } }',
      '{ authors { name } }',
      '{ totals { total } }',
    ]
    for (const each of [post, posts, authors, totals]) await warm(each)
    t.match(await app.graphql('mutation { setNAndUpdate(id: 1, n: "70") { n } }'), {
      data: { setNAndUpdate: { n: /^70$/ } },
    })
    t.match(await app.graphql(post), { data: { post: { n: /^70$/ } } })
    t.match(await app.graphql(posts), { data: { posts: [{ n: /^70$/ }, {}] } })
    t.match(await app.graphql(totals), { data: { totals: [{ total: /^70$/ }] } })
    t.equal(await hit(authors), true)
  })

  await t.test('plugins and operators let go', async (t) => {
    const touch = (what: string) => app.inject({ method: 'POST', url: `/touch/${what}` })
    const [posts, authors] = ['{ posts { id } }', '{ authors { id } }']
    const both = async (what: string) => {
      for (const each of [posts, authors]) await warm(each)
      t.equal((await touch(what)).status, 204)
      return [await hit(posts), await hit(authors)]
    }
    t.same(await both('Author'), [true, false])
    t.same(await both('v_p*'), [false, true])
    t.same(await both('posts:*'), [false, true])
    t.same(await both('nothing*'), [true, true])
    t.same(await both('all'), [false, false])
  })

  await t.test('GET /graphql', async (t) => {
    const get = (query: string, headers: Record<string, string> = {}) =>
      app.inject({ method: 'GET', url: `/graphql?query=${encodeURIComponent(query)}`, headers })
    const first = await get('{ authors { id name } }')
    t.match(first.headers, { etag: /^W\/"/, 'cache-control': 'private, no-cache' })
    const tag = String(first.headers.etag)
    const again = await get('{ authors { id name } }', { 'if-none-match': tag })
    t.same([again.status, again.text, again.headers.etag], [304, '', tag])
    await app.graphql('mutation { rename(id: 2, name: "rob") }')
    const changed = await get('{ authors { id name } }', { 'if-none-match': tag })
    t.equal(changed.status, 200)
    t.not(changed.headers.etag, tag)
    t.equal((await get('{ freshPosts { id } }')).headers.etag, undefined)
    t.equal((await get('{ nothing }')).headers.etag, undefined)
  })

  await t.test('it ends', async (t) => {
    await warm('{ brief { name } }')
    t.equal(await hit('{ brief { name } }'), true)
    await sleep(1050)
    t.equal(await hit('{ brief { name } }'), false)
  })

  await t.test('REST', async (t) => {
    const get = async () => {
      const before = statements
      const reply = await app.inject({ method: 'GET', url: '/rest/v1/posts?select=id,title&sort=id&limit=5' })
      t.equal(reply.status, 200)
      return { hit: statements === before, body: reply.json<{ data: unknown[] }>() }
    }
    const first = await get()
    let last = await get()
    for (let i = 0; i < 50 && !last.hit; i++) last = await get()
    t.equal(last.hit, true)
    t.same(last.body, first.body)
  })
}

/** One writes and says what it wrote; the others never read less than what had been said before they asked. */
async function neverStale(t: TestLike, apps: readonly TestApp[], ms: number): Promise<void> {
  const services = apps.map(
    (app): Observed => ({
      async write(n) {
        return (await app.graphql(`mutation { setN(id: 1, n: "${n}") { n } }`)).errors === undefined
      },
      async read(way) {
        const query = way % 3 === 0 ? '{ totals { total } }' : '{ posts(where: { id: { _eq: 1 } }) { n } }'
        const { data, headers } = await app.graphql(query)
        return { seen: Number(data.totals?.[0].total ?? data.posts?.[0].n), fromCache: headers['x-cache'] === 'HIT' }
      },
    }),
  )
  const { stale, writes, hits } = await watchStale(services, { ms })
  t.same(stale.slice(0, 5), [])
  t.ok(writes > 0, 'something was written')
  t.ok(hits > 0, 'something came from the cache')
}

t.test('an answer that was read before a write is not kept after it', async (t) => {
  const result = { data: '{}', errors: null }
  const memory = new MemoryAnswers({ maxEntries: 10, maxBytes: 100_000, evicted() {} })
  const early = memory.look('k', ['v_a', 'v_b'])
  memory.invalidate(['v_b'])
  early.keep?.(result, 1000)
  t.equal(memory.look('k', ['v_a', 'v_b']).found, null)
  const late = memory.look('k', ['v_a', 'v_b'])
  memory.invalidate(['v_c'])
  late.keep?.(result, 1000)
  t.equal(memory.look('k', ['v_a', 'v_b']).found, result, 'another view')
  t.equal(memory.invalidate(['v_a']), 1)
  t.equal(memory.look('k', ['v_a', 'v_b']).found, null)
  const before = memory.look('k', ['v_a'])
  memory.invalidate(null)
  before.keep?.(result, 1000)
  t.same(memory.size, { entries: 0, bytes: 0 })

  if (!(await requireService(t, 'redis'))) return
  const signals = createSignals()
  const connection = () => openRedis(`redis://${SERVICES.redis.host}:${SERVICES.redis.port}`, { signals })
  const open = async () => new RedisAnswers(await connection(), `svc:${PROJECT}:fence:`, 1000)
  const [one, two] = [await open(), await open()]
  t.teardown(() => Promise.all([one.close(), two.close()]))
  const views = ['v_a', 'v_b']
  /** The first look makes the marks. */
  const look = async (answers: RedisAnswers) => {
    await answers.look('k', views)
    await sleep(50)
    return answers.look('k', views)
  }
  const first = await look(one)
  await two.invalidate(['v_b'])
  first.keep?.(result, 5000)
  await sleep(50)
  t.equal((await one.look('k', views)).found, null)
  ;(await one.look('k', views)).keep?.(result, 5000)
  await sleep(50)
  t.match((await two.look('k', views)).found, result, 'shared')
  await one.invalidate(['v_c'])
  t.match((await two.look('k', views)).found, result)
  await one.invalidate(null)
  t.equal((await two.look('k', views)).found, null)
})

t.test('a writer waits until the other workers have heard', async (t) => {
  const steps: unknown[] = []
  const lone = { ...createLonePeers(), index: 1 }
  const peers: Peers = {
    ...lone,
    tell: (topic, value) => void steps.push(['tell', topic, value]),
    ask: async (topic) => {
      steps.push(['ask', topic])
      return []
    },
  }
  await shareInvalidations(peers, () => {})!(['v_a'])
  t.same(steps, [
    ['tell', 'response-cache:written', ['v_a']],
    ['ask', 'response-cache:heard'],
  ])
  t.equal(
    shareInvalidations(createLonePeers(), () => {}),
    null,
    'alone there is nobody to tell',
  )
})

t.test('in memory', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const test: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: SQL }) }
  await suite(t, test, {})
  const app = await open(t, test)
  await neverStale(t, [app], 2000)
  const small = await open(t, test, { max_memory_entries: 2, max_answer_bytes: 30 })
  for (const one of ['{ posts { id } }', '{ post(id: 1) { id } }', '{ post(id: 2) { id } }', '{ post(id: 3) { id } }'])
    await isHit(small, one)
  t.equal(await isHit(small, '{ posts { id } }'), false, 'too long')
  t.equal(await isHit(small, '{ post(id: 3) { id } }'), false, 'there was no place for what was asked for once')
  t.equal(await isHit(small, '{ post(id: 3) { id } }'), true)
  t.equal(await isHit(small, '{ post(id: 1) { id } }'), false, 'the oldest went')
})

t.test('in a key-value store', async (t) => {
  if (!(await requireService(t, 'postgres')) || !(await requireService(t, 'redis'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const test: TestDatabase = { kind: 'postgres', url }
  const redis = `redis://${SERVICES.redis.host}:${SERVICES.redis.port}`
  const options = { backend: 'kvstore', kvstore_url: redis }
  await suite(t, test, options)
  // Two machines.
  const apps = [await open(t, test, options), await open(t, test, { ...options, kvstore_url: `${redis}/` })]
  await neverStale(t, apps, 10_000)

  await t.test('a store that is away is a miss, and what was written meanwhile holds when it is back', async (t) => {
    const proxy = await createTcpProxy(t, SERVICES.redis.host, SERVICES.redis.port)
    const app = await open(t, test, { ...options, kvstore_url: `redis://127.0.0.1:${proxy.port}` })
    const query = '{ posts(where: { id: { _eq: 2 } }) { n } }'
    for (let i = 0; i < 50 && !(await isHit(app, query)); i++) await sleep(5)
    t.equal(await isHit(app, query), true)
    await proxy.cut()
    t.equal(await isHit(app, query), false)
    const n = String(Date.now() % 1_000_000)
    t.match(
      await app.graphql(`mutation { setN(id: 2, n: "${n}") { n } }`),
      { data: { setN: { n } } },
      'the write is done',
    )
    t.match(await app.graphql(query), { data: { posts: [{ n }] } })
    await proxy.mend()
    for (let i = 0; i < 20; i++) {
      t.match(await app.graphql(query), { data: { posts: [{ n }] } })
      await sleep(50)
    }
  })
})
