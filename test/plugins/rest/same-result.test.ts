import { once } from 'node:events'
import { get as httpGet } from 'node:http'
import fc from 'fast-check'
import t from 'tap'
import type { Operation } from '../../../core/index.ts'
import { describePlan } from '../../../core/plan/describe-plan.ts'
import { planRead } from '../../../core/plan/plan-read.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { REST_SCHEMA, REST_SQL, restPlugin } from './world.ts'

/** The same request as REST and as GraphQL: the same rows by the same plan; and the same rows as a stream. */
const url = await createPostgresDatabase(t, { sql: REST_SQL })
const seen: Operation[] = []
const spy = entry(
  plugin('spy', (scope) => scope.on('resolve', (_ctx, operation, next) => (seen.push(operation), next()))),
)
const app = await openApp(t, { kind: 'postgres', url }, REST_SCHEMA, { plugins: [restPlugin(), spy] })

/** What is asked, for both languages. */
const request = fc.record({
  fields: fc.uniqueArray(fc.constantFrom('id', 'title', 'status', 'views'), { minLength: 1 }),
  author: fc.boolean(),
  filters: fc.uniqueArray(
    fc.oneof(
      fc.record({
        field: fc.constant('title'),
        operator: fc.constantFrom('eq', 'gte', 'lt', 'contains', 'startswith'),
        value: fc.constantFrom('Post 1', 'Post 05', '%', '"', ','),
      }),
      fc.record({
        field: fc.constant('status'),
        operator: fc.constantFrom('eq', 'neq'),
        value: fc.constantFrom('LIVE', 'DRAFT'),
      }),
      fc.record({
        field: fc.constant('views'),
        operator: fc.constantFrom('gt', 'lte'),
        value: fc.constantFrom('9007199254740993', '9007199254741000'),
      }),
    ),
    { maxLength: 3, selector: ({ field, operator }) => `${field} ${operator}` },
  ),
  sort: fc.uniqueArray(fc.record({ field: fc.constantFrom('title', 'status', 'views'), down: fc.boolean() }), {
    maxLength: 2,
    selector: ({ field }) => field,
  }),
  limit: fc.integer({ min: 1, max: 30 }),
  offset: fc.integer({ min: 0, max: 12 }),
})

function planOf(operation: Operation): string {
  const { schema } = app.kernel.generation
  const plan = planRead(operation, schema, { maxRows: 10_000 })
  // The response key, and the row that REST looks ahead.
  return JSON.stringify(describePlan(plan)).replace('rows: ', 'posts: ')
}

t.test('REST and GraphQL give the same, by the same plan', async (t) => {
  await fc.assert(
    fc.asyncProperty(request, async ({ fields, author, filters, sort, limit, offset }) => {
      const where: Record<string, Record<string, string>> = {}
      for (const { field, operator, value } of filters) where[field] = { ...where[field], [`_${operator}`]: value }
      const select = [...fields, ...(author ? ['author'] : [])]
      const query = `query ($where: PostWhereInput!, $offset: Int!) { posts(where: $where${
        sort.length === 0
          ? ''
          : `, orderBy: [${sort.map(({ field, down }) => `{ ${field}: ${down ? 'DESC' : 'ASC'} }`).join(', ')}]`
      }, limit: ${limit}, offset: $offset) { ${[...fields, ...(author ? ['author { name isActive }'] : [])].join(' ')} } }`
      const given: [string, string][] = [
        ['select', select.join(',').replace('author', 'author(name,is_active)')],
        ...filters.map(({ field, operator, value }): [string, string] => [`${field}[${operator}]`, value]),
        ['limit', String(limit)],
        ['offset', String(offset)],
      ]
      if (sort.length > 0) given.push(['sort', sort.map(({ field, down }) => `${down ? '-' : ''}${field}`).join(',')])
      const parameters = new URLSearchParams(given)
      seen.length = 0
      const graphql = await app.graphql(query, { where, offset })
      const rest = await app.inject({ url: `/rest/v1/posts?${parameters}` })
      t.equal(graphql.errors, undefined)
      t.strictSame(rest.json<{ data: unknown }>().data, graphql.data.posts)
      const [first, second] = seen
      if (filters.length > 0 && offset > 0) {
        const ahead = {
          ...second!,
          template: {
            ...second!.template,
            roots: second!.template.roots.map((root) => ({ ...root, lookAhead: undefined })),
            plans: new Map(),
          },
        }
        t.equal(planOf(ahead as Operation), planOf(first!))
      }
      const streamed = await app.inject({
        url: `/rest/v1/posts?${parameters}`.replace(/&offset=\d+/, ''),
        headers: { accept: 'application/x-ndjson' },
      })
      const all = await app.graphql(query, { where, offset: 0 })
      t.strictSame(
        streamed.text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
        all.data.posts,
      )
    }),
    { numRuns: 40, seed: 14 },
  )
})

const stream = (path: string, headers = {}) =>
  app.inject({ url: `/rest/v1${path}`, headers: { accept: 'application/x-ndjson', ...headers } })

t.test('a stream: lines, and what it refuses', async (t) => {
  const { status, headers, text } = await stream('/posts?select=title,author(posts.count)&sort=title&limit=2')
  t.same(
    [status, headers['content-type'], headers['x-stream-batch-size'], 'etag' in headers],
    [200, 'application/x-ndjson', '500', false],
  )
  t.equal(text, '{"title":"Post 01","author":{"postsCount":13}}\n{"title":"Post 02","author":{"postsCount":12}}\n')
  t.equal((await stream('/posts')).text.split('\n').length, 26, 'without a page')
  t.equal((await stream('/countedPosts?select=id')).text.split('\n').length, 26)
  for (const path of ['/posts?offset=1', '/posts?offset=0']) t.equal((await stream(path)).status, 400, path)
  t.equal((await stream('/posts', { prefer: 'count=exact' })).status, 400)
  t.equal((await stream('/userPages')).status, 406)
  t.equal((await stream('/users/a0000000-0000-4000-8000-000000000001')).status, 406)
  t.match((await stream('/posts?title[regex]=(')).json(), { error: { code: 'VALIDATION_ERROR' } })
  t.match(await app.inject({ url: '/rest/v1/posts/stream', headers: { accept: 'text/event-stream' } }), { status: 501 })
  t.equal((await app.inject({ url: '/rest/v1/posts/stream', headers: { accept: 'application/json' } })).status, 406)
})

t.test('a client that leaves ends its cursor', async (t) => {
  await app.database.query(
    {
      name: null,
      text: `INSERT INTO tb_post (fk_user, title, body) SELECT 1, 'Many ' || n, repeat('x', 2000) FROM generate_series(1, 20000) n`,
    },
    [],
    null,
  )
  const base = await app.listen()
  const call = httpGet(`${base}/rest/v1/posts?select=title,body`, { headers: { accept: 'application/x-ndjson' } })
  const [reply] = await once(call, 'response')
  await once(reply, 'data')
  call.destroy()
  // Also between two batches, when the statement of one runs.
  const open =
    'SELECT count(*)::text FROM pg_stat_activity ' +
    'WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()'
  for (;;) {
    const { rows } = await app.database.query({ name: null, text: open }, [], null)
    if (rows[0]?.[0] === '0') break
    await new Promise((done) => setTimeout(done, 50))
  }
  t.pass('its transaction has ended')
})
