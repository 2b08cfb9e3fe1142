import { once } from 'node:events'
import { get as httpGet } from 'node:http'
import fc from 'fast-check'
import t from 'tap'
import type { Operation } from '../../../core/doors/plugin.ts'
import { describePlan } from '../../../core/engine/plan/describe-plan.ts'
import { planRead } from '../../../core/engine/plan/plan-read.ts'
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

/** A way of REST to say a filter; in GraphQL there is one. */
const syntax = fc.constantFrom('plain', 'bracket', 'json', 'group')
const filter = fc.oneof(
  fc.record({
    field: fc.constant('title'),
    operator: fc.constantFrom('eq', 'neq', 'gte', 'lt', 'contains', 'startswith', 'icontains', 'like', 'in'),
    value: fc.constantFrom('Post 1', 'Post 05', 'post 0', '%', '"', ',', '(', 'Post 0_', '\\'),
    syntax,
  }),
  fc.record({
    field: fc.constant('status'),
    operator: fc.constantFrom('eq', 'neq', 'in', 'nin'),
    value: fc.constantFrom('LIVE', 'DRAFT'),
    syntax,
  }),
  fc.record({
    field: fc.constant('views'),
    operator: fc.constantFrom('eq', 'gt', 'lte'),
    value: fc.constantFrom('9007199254740993', '9007199254741000'),
    syntax,
  }),
)

/** What is asked, for both languages. */
const request = fc.record({
  fields: fc.uniqueArray(fc.constantFrom('id', 'title', 'status', 'views'), { minLength: 1 }),
  author: fc.constantFrom('none', 'fields', 'with posts'),
  posts: fc.record({ limit: fc.integer({ min: 0, max: 3 }), live: fc.boolean(), down: fc.boolean() }),
  filters: fc.uniqueArray(filter, { maxLength: 4, selector: ({ field, operator }) => `${field} ${operator}` }),
  sort: fc.uniqueArray(fc.record({ field: fc.constantFrom('title', 'status', 'views'), down: fc.boolean() }), {
    maxLength: 2,
    selector: ({ field }) => field,
  }),
  limit: fc.integer({ min: 1, max: 30 }),
  offset: fc.integer({ min: 0, max: 12 }),
})
type Asked = typeof request extends fc.Arbitrary<infer T> ? T : never
type Filters = Asked['filters']

function planOf(operation: Operation): string {
  const { schema } = app.kernel.generation
  const roots = operation.template.roots.map((root) => ({ ...root, lookAhead: undefined }))
  const template = { ...operation.template, roots } as Operation['template']
  const plan = planRead({ ...operation, template }, schema, { maxRows: 10_000 })
  // The response key, and the row that REST looks ahead.
  return JSON.stringify(describePlan(plan)).replace('rows: ', 'posts: ')
}

const isList = (operator: string): boolean => operator === 'in' || operator === 'nin'
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
const operand = ({ operator, value }: Filters[number]): unknown => (isList(operator) ? [value, 'Post 02'] : value)
const conditions = (filters: Filters, mark: string) => {
  const all: Record<string, Record<string, unknown>> = {}
  for (const each of filters) all[each.field] = { ...all[each.field], [`${mark}${each.operator}`]: operandOf(each) }
  return all
}
const operandOf = (each: Filters[number]): unknown =>
  each.field === 'status' && isList(each.operator) ? [each.value, 'GONE'] : operand(each)

/** The text of an operand in a query string. */
function textOf(each: Filters[number], isInGroup: boolean): string {
  const { operator, value } = each
  if (!isList(operator)) return isInGroup ? quoted(value) : value
  const items = (operandOf(each) as readonly string[]).map(quoted).join(',')
  return isInGroup ? `(${items})` : items
}

/** The filters in the ways of REST, and the same in GraphQL's. */
function filtersOf(filters: Filters): { readonly parameters: [string, string][]; readonly where: object | null } {
  // Only equality has no operator in its name.
  const of = (syntax: string) =>
    filters.filter((each) => (each.syntax === 'plain' && each.operator !== 'eq' ? 'bracket' : each.syntax) === syntax)
  const [plain, bracket, json, group] = ['plain', 'bracket', 'json', 'group'].map(of) as [
    Filters,
    Filters,
    Filters,
    Filters,
  ]
  const parameters: [string, string][] = [
    ...plain.map((each): [string, string] => [each.field, each.value]),
    ...bracket.map((each): [string, string] => [`${each.field}[${each.operator}]`, textOf(each, false)]),
  ]
  if (json.length > 0) parameters.push(['filter', JSON.stringify(conditions(json, ''))])
  const members = group.map((each) => `${each.field}[${each.operator}]=${textOf(each, true)}`)
  if (group.length > 0) parameters.push(['or', `(${members.join(',')})`])
  const all = [
    ...(plain.length + bracket.length > 0 ? [conditions([...plain, ...bracket], '_')] : []),
    ...(json.length > 0 ? [conditions(json, '_')] : []),
    ...(group.length > 0 ? [{ _or: group.map((each) => conditions([each], '_')) }] : []),
  ]
  return { parameters, where: all.length === 0 ? null : all.length === 1 ? all[0]! : { _and: all } }
}

/** The request as GraphQL. */
function toGraphQL({ fields, author, posts, sort, limit, offset }: Asked, where: object | null) {
  const order = sort.map(({ field, down }) => `{ ${field}: ${down ? 'DESC' : 'ASC'} }`)
  const args = [
    ...(where === null ? [] : ['where: $where']),
    ...(sort.length === 0 ? [] : [`orderBy: [${order.join(', ')}]`]),
    `limit: ${limit}`,
    ...(offset === 0 ? [] : ['offset: $offset']),
  ]
  const declared = [...(where === null ? [] : ['$where: PostWhereInput!']), ...(offset === 0 ? [] : ['$offset: Int!'])]
  const inner = [
    ...(posts.live ? ['where: $posts'] : []),
    `orderBy: [{ title: ${posts.down ? 'DESC' : 'ASC'} }]`,
    `limit: ${posts.limit}`,
  ]
  const hasPosts = author === 'with posts'
  if (hasPosts && posts.live) declared.push('$posts: PostWhereInput!')
  const below =
    author === 'none' ? [] : [`author { name isActive ${hasPosts ? `posts(${inner.join(', ')}) { title }` : ''} }`]
  const head = declared.length === 0 ? '' : `(${declared.join(', ')})`
  return {
    query: `query ${head} { posts(${args.join(', ')}) { ${[...fields, ...below].join(' ')} } }`,
    variables: {
      ...(where === null ? {} : { where }),
      ...(offset === 0 ? {} : { offset }),
      ...(hasPosts && posts.live ? { posts: { status: { _eq: 'LIVE' } } } : {}),
    },
  }
}

/** The request as a query string, without its page. */
function toParameters(
  { fields, author, posts, sort }: Asked,
  filters: readonly [string, string][],
): [string, string][] {
  const below = { none: [], fields: ['author(name,is_active)'], 'with posts': ['author(name,is_active,posts(title))'] }
  return [
    ['select', [...fields, ...below[author as keyof typeof below]].join(',')],
    ...filters,
    ...(sort.length === 0
      ? []
      : [['sort', sort.map(({ field, down }) => `${down ? '-' : ''}${field}`).join(',')] satisfies [string, string]]),
    ...(author === 'with posts'
      ? ([
          ...(posts.live ? [['author.posts.status', 'LIVE']] : []),
          ['author.posts.sort', posts.down ? '-title' : 'title'],
          ['author.posts.limit', String(posts.limit)],
        ] as [string, string][])
      : []),
  ]
}

t.test('REST and GraphQL give the same, by the same plan', async (t) => {
  await fc.assert(
    fc.asyncProperty(request, async (asked) => {
      const { limit, offset } = asked
      const { parameters, where } = filtersOf(asked.filters)
      const { query, variables } = toGraphQL(asked, where)
      const given = toParameters(asked, parameters)
      seen.length = 0
      const graphql = await app.graphql(query, variables)
      const page = [...given, ['limit', String(limit)], ['offset', String(offset)]]
      const rest = await app.inject({ url: `/rest/v1/posts?${new URLSearchParams(page as [string, string][])}` })
      t.equal(graphql.errors, undefined, query)
      t.strictSame(rest.json<{ data: unknown }>().data, graphql.data.posts)
      const [first, second] = seen as [Operation, Operation]
      t.equal(planOf(second), planOf(first))
      const streamed = await app.inject({
        url: `/rest/v1/posts?${new URLSearchParams([...given, ['limit', String(limit)]])}`,
        headers: { accept: 'application/x-ndjson' },
      })
      const whole = toGraphQL({ ...asked, offset: 0 }, where)
      const all = await app.graphql(whole.query, whole.variables)
      t.strictSame(
        streamed.text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
        all.data.posts,
      )
    }),
    { numRuns: 60, seed: 14 },
  )
})

t.test('pages by cursors: the same, forwards and backwards', async (t) => {
  for (const [size, where, parameters] of [
    [1, {}, ''],
    [2, { name: { _neq: 'Bob' } }, '&name[neq]=Bob'],
    [5, { age: { _gt: 1 } }, '&age[gt]=1'],
  ] as const) {
    for (const [word, cursor, end] of [
      ['first', 'after', 'endCursor'],
      ['last', 'before', 'startCursor'],
    ] as const) {
      let at: string | null = null
      for (let more = true; more; ) {
        const query = `query ($where: UserWhereInput!, $at: String) { userPages(where: $where, ${word}: ${size}, ${cursor}: $at) {
          edges { node { id name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
        const { data } = await app.graphql(query, { where, at })
        const { edges, pageInfo } = data.userPages
        const url: string = `/rest/v1/userPages?select=id,name${parameters}&${word}=${size}${at === null ? '' : `&${cursor}=${at}`}`
        const page = (await app.inject({ url })).json<{ data: unknown; meta: object; links: { next: string | null } }>()
        t.strictSame(
          page.data,
          edges.map(({ node }: { node: unknown }) => node),
          url,
        )
        const { hasNextPage, hasPreviousPage } = pageInfo
        t.strictSame(page.meta, { hasNextPage, hasPreviousPage })
        if (word === 'first') t.equal(page.links.next === null, !hasNextPage)
        at = pageInfo[end]
        more = word === 'first' ? hasNextPage : hasPreviousPage
      }
    }
  }
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
