import t from 'tap'
import { createCaching } from '../../../plugins/rest/reply/caching.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { entry, failure, plugin } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { as, testCredential } from '../../helpers/test-credential.ts'
import { answerChecker } from './check-answers.ts'
import { POST, REST_SCHEMA, REST_SQL, restPlugin, USER } from './world.ts'

/** Exact answers of REST to GET (docs/guides/rest.md). */
const url = await createPostgresDatabase(t, { sql: REST_SQL })
/** A plugin that streams changes through REST. It reports the rows that the header `x-changed` lists, and ends. */
const streamer = entry(
  plugin(
    'streamer',
    (scope) => {
      scope.use('rest').stream(async (wanted) => {
        const { exchange, lastEventId, route } = wanted
        const lines: unknown[] = [route.path, lastEventId]
        for (const changed of String(exchange.headers['x-changed'] ?? '').split(' ')) {
          const operation = wanted.rowOperation(changed)
          lines.push(operation && wanted.rowOf(operation, await scope.engine.run(exchange, operation)))
        }
        return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: JSON.stringify(lines) }
      })
    },
    { dependencies: ['rest'] },
  ),
)
const app = await openApp(t, { kind: 'postgres', url }, REST_SCHEMA, {
  plugins: [restPlugin({ max_page_size: 10, default_page_size: 5 }), testCredential(), streamer],
})

const check = answerChecker(t, app)
const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const reply = await app.inject({ url: `/rest/v1${path}`, headers })
  check('GET', path, reply)
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, looked at by assertions
  return { ...reply, body: reply.text === '' ? null : (reply.json() as any) }
}
const titles = async (query: string) => {
  const { status, body } = await get(`/posts?select=title&limit=10&${query}`)
  if (status !== 200) return `${status} ${body.error.code}`
  return body.data.map(({ title }: { title: string }) => title.slice(5)).join(' ')
}
/** `status code`, and the whole error. */
const refused = async (path: string, headers?: Readonly<Record<string, string>>) => {
  const { status, body } = await get(path, headers)
  return { line: `${status} ${body.error?.code}`, message: body.error?.message ?? '', details: body.error?.details }
}
const FIELDS = ['id', 'name', 'email', 'code', 'age', 'salary', 'isActive', 'born', 'doc', 'tags']

t.test('one row: all that it stores, without relations', async (t) => {
  const { status, body, headers } = await get(`/users/${USER(1)}`)
  t.equal(status, 200)
  t.equal(headers['content-type'], 'application/json; charset=utf-8')
  t.strictSame(body, {
    data: {
      id: USER(1),
      name: 'Ann',
      email: 'ann@example.org',
      code: '0123',
      age: 31,
      isActive: true,
      born: '1990-02-28',
      doc: { a: 1, b: { c: 2 } },
      tags: ['red', 'blue'],
      address: { city: 'Town 1', zip: '01' },
    },
  })
  t.strictSame(await refused(`/users/${USER(9)}`), {
    line: '404 NOT_FOUND',
    message: 'There is no such row.',
    details: {},
  })
  t.equal((await refused('/users/nope')).line, '400 BAD_USER_INPUT')
  t.equal((await refused('/users/%E0%A4%A')).line, '404 NOT_FOUND')
  t.equal((await refused(`/users/${USER(1)}?limit=1`)).line, '400 UNKNOWN_PARAMETER')
})

t.test('rows without a value stand where the sort says', async (t) => {
  const names = async (sort: string) =>
    (await get(`/users?select=name&sort=${sort}`)).body.data.map(({ name }: { name: string }) => name.slice(0, 3))
  t.strictSame(await names('age'), ['Ann', 'Bob', 'Cy,'])
  t.strictSame(await names('age.nullsfirst'), ['Cy,', 'Ann', 'Bob'])
  t.strictSame(await names('-age'), ['Cy,', 'Bob', 'Ann'])
  t.strictSame(await names('-age.nullslast,name'), ['Bob', 'Ann', 'Cy,'])
  t.equal((await refused('/users?sort=age.nulls')).line, '400 BAD_REQUEST')
  t.equal((await refused('/users?sort=age.nullslast.nullsfirst')).line, '400 BAD_REQUEST')
})

t.test('a list: envelope, pages and links', async (t) => {
  const { body } = await get('/posts?limit=2&select=title&offset=2&sort=-title')
  const link = (offset: number) => `/rest/v1/posts?select=title&sort=-title&limit=2&offset=${offset}`
  t.strictSame(body, {
    data: [{ title: 'Post 23' }, { title: 'Post 22' }],
    meta: { limit: 2, offset: 2 },
    links: { self: link(2), next: link(4), prev: link(0), first: link(0) },
  })
  const counted = await get('/posts?offset=20&select=id', { prefer: 'count=exact' })
  t.strictSame(counted.body.meta, { limit: 5, offset: 20, total: 25 })
  t.equal(counted.body.links.next, null, 'a page that is exactly full and the last one')
  t.equal(counted.body.links.last, '/rest/v1/posts?select=id&limit=5&offset=20')
  t.equal(counted.headers['preference-applied'], 'count=exact')
  const wrapped = await get('/countedPosts?status=LIVE&select=id', { prefer: 'count=estimated' })
  t.equal(wrapped.body.meta.total, 9, 'of the rows that match')
  t.equal(wrapped.headers['x-preference-fallback'], 'count=exact')
  t.notOk('preference-applied' in wrapped.headers)
  t.equal((await get('/posts?limit=1000')).body.meta.limit, 10, 'what is too large is cut, and said')
  t.strictSame((await get('/posts?limit=0')).body.data, [])
  t.equal((await get('/posts')).body.data.length, 5)
  t.equal((await get('/posts?offset=1000', { prefer: 'count=exact' })).body.meta.total, 25)
  const bare = await get('/barePosts')
  t.equal(bare.body.data.length, 25, 'a query without pages comes whole')
  t.strictSame(bare.body.links, { self: '/rest/v1/barePosts', next: null, prev: null, first: '/rest/v1/barePosts' })
  for (const page of [
    'limit=-1',
    'limit=ten',
    'limit=1.5',
    'limit=',
    'offset=-1',
    'offset=99999999999',
    'limit=%2B1',
  ]) {
    t.equal((await refused(`/posts?${page}`)).line, '400 BAD_USER_INPUT', page)
  }
})

t.test('pages by cursors', async (t) => {
  const first = await get('/userPages?first=2&select=name&sort=name', { prefer: 'count=exact' })
  t.same(first.body.data, [{ name: 'Ann' }, { name: 'Bob' }])
  t.same(first.body.meta, { hasNextPage: true, hasPreviousPage: false, total: 3 })
  t.equal(first.body.links.self, '/rest/v1/userPages?select=name&sort=name&first=2')
  const second = await app.inject({ url: first.body.links.next })
  t.match(second.json(), {
    data: [{ name: 'Cy, "the" \\ one' }],
    meta: { hasNextPage: false, hasPreviousPage: true },
    links: { next: null },
  })
  t.match((await get('/userPages?last=1&select=name')).body, {
    data: [{ name: 'Cy, "the" \\ one' }],
    meta: { hasPreviousPage: true },
  })
  t.strictSame((await get('/userPages?name=nobody')).body.data, [])
  for (const name of ['limit', 'offset']) {
    const { line, message } = await refused(`/userPages?${name}=1`)
    t.equal(line, '400 BAD_REQUEST')
    t.match(message, /use first and after/)
  }
  t.match(await refused('/posts?after=x'), { line: '400 BAD_REQUEST', message: /use limit and offset/ })
  for (const page of ['after=%00', 'after=nope', 'first=-1', 'last=x']) {
    t.equal((await refused(`/userPages?${page}`)).line, '400 BAD_USER_INPUT', page)
  }
})

t.test('filters: three ways to say the same', async (t) => {
  const live = '01 04 07 10 13 16 19 22 25'
  t.equal(await titles('status=LIVE'), live)
  t.equal(await titles('status[eq]=LIVE'), live)
  t.equal(await titles(`filter=${encodeURIComponent('{"status":{"eq":"LIVE"}}')}`), live)
  t.equal(
    await titles(`filter=${encodeURIComponent('{"status":{"_eq":"LIVE"},"title":{"startsWith":"Post 0"}}')}`),
    '01 04 07',
  )
  t.equal(await titles('status=LIVE&title[startswith]=Post 0&title[neq]=Post 04'), '01 07')
  t.equal(await titles('title[in]=Post 01,"Post 02"&title[nin]=Post 02'), '01')
  t.equal(await titles('title[in]='), '')
  t.equal(await titles('title[gte]=Post 24'), '24 25')
  t.equal(await titles('title[gte]=Post 03&title[gte]=Post 24&title[lte]=Post 24'), '24', 'repeated: all of them hold')
  t.equal(await titles('views[gt]=9007199254741014'), '25', 'no digit is lost')
  t.equal(await titles('or=(title=Post 01,and=(status=LIVE,title[gt]=Post 23))'), '01 25')
  t.equal(await titles('not=(status=LIVE,title[startswith]=Post 0)&title[lt]=Post 05&status=LIVE'), '')
  t.equal(await titles('or=(title[in]=("Post 01",Post 02),title="Post 03")'), '01 02 03')
  t.equal(
    await titles(
      `filter=${encodeURIComponent('{"author":{"name":{"eq":"Bob"}},"or":[{"title":{"eq":"Post 01"}},{"title":{"eq":"Post 02"}}]}')}`,
    ),
    '01',
  )
  const names = async (query: string) =>
    (await get(`/users?select=name&${query}`)).body.data?.map((row: { name: string }) => row.name[0]).join('')
  t.equal(await names('code=0123'), 'A', 'a text stays a text')
  t.equal(await names('is_active=false'), 'C', 'an argument of the query wins')
  t.equal(await names('age[is_null]=true'), 'C')
  t.equal(await names('age[is_null]=false'), 'AB')
  t.equal(await names('tags[contains]=red'), 'A')
  t.equal(await names('tags[hasAny]=red,blue'), 'AB')
  t.equal(await names(`doc[contains]=${encodeURIComponent('{"b":{"c":2}}')}`), 'A')
  t.equal(await names('email[domainEq]=example.net'), 'C')
  t.equal(await names('name=Cy, "the" \\ one'), 'C', 'a value by itself needs no quotes')
  t.equal(await names(`filter=${encodeURIComponent('{"posts":{"some":{"title":{"eq":"Post 01"}}}}')}`), 'B')
  t.equal(await names('name[icontains]=N&age[gte]=30'), 'A')
})

t.test('an unknown name is refused with the known names', async (t) => {
  const all = [...FIELDS, 'limit', 'offset', 'sort', 'select', 'filter']
  const { line, details, message } = await refused('/users?agee=1')
  t.equal(line, '400 UNKNOWN_PARAMETER')
  t.match(message, /Did you mean "age"\?/)
  t.same(
    [details.parameter, new Set(details.available), details.available.slice(-5)],
    ['agee', new Set(all), all.slice(-5)],
  )
  t.same((await refused('/users?name[like_it]=1')).details, {
    field: 'name',
    operator: 'like_it',
    available: (await refused('/users?name[x]=1')).details.available,
  })
  const operators = (await refused('/users?name[x]=1')).details.available
  t.same(operators.slice(0, 15), [
    'eq',
    'neq',
    'gt',
    'gte',
    'lt',
    'lte',
    'in',
    'nin',
    'contains',
    'icontains',
    'startswith',
    'endswith',
    'like',
    'ilike',
    'is_null',
  ])
  for (const [path, line, pattern] of [
    ['/users?email[nope]=1', '400 UNKNOWN_OPERATOR', /domainEq/],
    ['/users?sort=-nope', '400 UNKNOWN_PARAMETER', /name/],
    ['/users?sort=doc', '400 UNKNOWN_PARAMETER', /no sort key/],
    ['/users?sort=name,-name', '400 BAD_REQUEST', /given twice/],
    ['/users?sort=', '400 BAD_REQUEST', /without a name/],
    ['/users?select=nope', '400 UNKNOWN_PARAMETER', /name/],
    ['/users?select=name(x)', '400 BAD_REQUEST', /has no fields/],
    ['/users?select=a:name,a:code', '400 BAD_REQUEST', /two things/],
    ['/users?select=author.count', '400 UNKNOWN_PARAMETER', /author/],
    ['/posts?select=author.count', '400 BAD_REQUEST', /no list of related rows/],
    ['/users?posts.limit=1', '400 UNKNOWN_PARAMETER', /embedded list/],
    ['/users?select=posts(id)&posts.nope[eq]=1', '400 UNKNOWN_PARAMETER', /title/],
    ['/users?select=posts(id)&posts.limit=x', '400 BAD_USER_INPUT', /posts\.limit/],
    ['/posts?body=x', '400 UNKNOWN_PARAMETER', /title/],
    ['/users?or=(nope=1)', '400 UNKNOWN_PARAMETER', /name/],
    ['/users?or=(name[nope]=1)', '400 UNKNOWN_OPERATOR', /eq/],
    ['/users?filter={', '400 INVALID_JSON', /filter/],
    ['/users?filter=[]', '400 VALIDATION_ERROR', /object/],
    ['/users?filter={"name":"x"}', '400 VALIDATION_ERROR', /object/],
    ['/users?filter={"nope":{"eq":1}}', '400 UNKNOWN_PARAMETER', /name/],
    ['/users?filter={"name":{"nope":1}}', '400 UNKNOWN_OPERATOR', /eq/],
    ['/users?filter={"name":{"eq":"a","_eq":"b"}}', '400 VALIDATION_ERROR', /twice/],
    ['/users?filter={"isActive":{"eq":true},"is_active":{"eq":false}}', '400 VALIDATION_ERROR', /twice/],
    ['/users?filter={"name":{"eq":null}}', '400 BAD_USER_INPUT', /^filter\.name\.eq: null is no condition.*_is_null/],
    ['/users?filter={"name":null}', '400 BAD_USER_INPUT', /^filter\.name: null is no condition.*_is_null/],
    ['/users?filter={"posts":null}', '400 BAD_USER_INPUT', /^filter\.posts: null is no condition/],
    ['/users?filter={"posts":{"none":null}}', '400 BAD_USER_INPUT', /^filter\.posts\.none: null is no condition/],
    ['/posts?filter={"author":null}', '400 BAD_USER_INPUT', /^filter\.author: null is no condition/],
    ['/users?filter={"not":null}', '400 BAD_USER_INPUT', /^filter\.not: null is no condition/],
    ['/users?filter={"_and":null}', '400 BAD_USER_INPUT', /^filter\._and: null is no condition/],
    ['/users?filter={"or":[{},null]}', '400 BAD_USER_INPUT', /^filter\.or\[1\]: null is no condition/],
    ['/users?filter={"__proto__":{"eq":1}}', '400 UNKNOWN_PARAMETER', /__proto__/],
    [`/users?filter=${'x'.repeat(4097)}`, '400 VALIDATION_ERROR', /4096 bytes/],
    [
      `/users?filter=${encodeURIComponent(`{"name":{"eq":"${'é'.repeat(2045)}"}}`)}`,
      '400 VALIDATION_ERROR',
      /4096 bytes/,
    ],
    [`/users?filter=${'{"not":'.repeat(70)}{}${'}'.repeat(70)}`, '400 VALIDATION_ERROR', /64 levels/],
    ['/users?search=x&search=y', '400 BAD_REQUEST', /twice/],
    ['/users?name=a&name=b', '400 BAD_REQUEST', /twice/],
    ['/users?is_active=true&isActive=true', '400 BAD_REQUEST', /twice/],
    ['/users?search=%20', '400 BAD_REQUEST', /nothing to look for/],
    ['/users?is_active=1', '422 VALIDATION_ERROR', /neither true nor false/],
    ['/users?age=ten', '422 VALIDATION_ERROR', /not a number/],
    ['/users?age=99999999999', '422 VALIDATION_ERROR', /32/],
    ['/users?born[gt]=2024-02-30', '422 VALIDATION_ERROR', /born/],
    ['/users?id=nope', '422 VALIDATION_ERROR', /UUID/],
    ['/users?age[is_null]=yes', '422 VALIDATION_ERROR', /neither true nor false/],
    ['/users?name=%00', '422 VALIDATION_ERROR', /U\+0000/],
    ['/users?name[regex]=(', '422 VALIDATION_ERROR', /name/],
    ['/posts?status=live', '422 VALIDATION_ERROR', /Status/],
    ['/users?[eq]=1', '400 UNKNOWN_PARAMETER', /\[eq\]/],
    ['/users?name[]=1', '400 UNKNOWN_PARAMETER', /name\[\]/],
    ['/users?%ff=1', '400 BAD_REQUEST', /UTF-8/],
    ['/users?constructor=1', '400 UNKNOWN_PARAMETER', /constructor/],
    ['/first-post', '400 VALIDATION_ERROR', /title: the parameter has to be given/],
    ['/posts/by-status/live', '400 BAD_USER_INPUT', /status/],
    ['/named?nope=1', '400 UNKNOWN_PARAMETER', /limit/],
    ['/nope', '404 NOT_FOUND', /nothing at/],
  ] as const) {
    const found = await refused(path)
    t.equal(found.line, line, path)
    t.match(found.message, pattern, path)
  }
  const wrong = await refused('/users?age=ten')
  t.same(wrong.details, { fields: [{ field: 'age', reason: '"ten" is not a number' }] })
})

t.test('select: names, other names, embedding, counts', async (t) => {
  const { body } = await get(
    `/users?select=n:name,is_active,posts(title,w:author(name)),posts.count,drafts:posts(status)&posts.limit=2&posts.sort=-title&posts.status[eq]=LIVE&drafts.limit=1&drafts.status=DRAFT&limit=2`,
  )
  const post = (n: number, name: string) => ({ title: `Post ${n}`, w: { name } })
  t.strictSame(body.data, [
    {
      n: 'Ann',
      isActive: true,
      posts: [post(22, 'Ann'), post(16, 'Ann')],
      postsCount: 4,
      drafts: [{ status: 'DRAFT' }],
    },
    {
      n: 'Bob',
      isActive: true,
      posts: [post(25, 'Bob'), post(19, 'Bob')],
      postsCount: 5,
      drafts: [{ status: 'DRAFT' }],
    },
  ])
  t.same(
    Object.keys((await get(`/posts/${POST(1)}?select=author`)).body.data.author).slice(0, 2),
    ['id', 'name'],
    'a relation by its name alone',
  )
  t.same((await get(`/posts/${POST(1)}?select=writer:fk_user(name)`)).body.data, { writer: { name: 'Bob' } })
  t.same((await get(`/users/${USER(1)}?select=address(city)`)).body.data, { address: { city: 'Town 1' } })
  t.same((await get(`/users/${USER(3)}?select=posts(id),posts.count,c:posts.count`)).body.data, {
    posts: [],
    postsCount: 0,
    c: 0,
  })
  t.same((await get('/users?select=posts(id)&posts.limit=0&limit=1')).body.data, [{ posts: [] }])
  t.equal(
    (await get('/users?select=posts(id)&posts.limit=100&limit=1')).body.data[0].posts.length,
    10,
    'cut as any page',
  )
  t.match(await refused('/users?select=posts(author(posts(author(id))))'), {
    line: '400 VALIDATION_ERROR',
    message: /4 levels/,
  })
})

// proves: field.searchable
t.test('search looks at the searchable fields alone, the best first', async (t) => {
  const found = await get('/posts?search=cats&select=title,body&limit=10', { prefer: 'count=exact' })
  t.equal(found.body.meta.total, 8)
  t.ok(
    found.body.data.every(({ body }: { body: string }) => body.includes('cats')),
    'a field that no filter takes is searched',
  )
  t.equal((await get('/users?search=Ann&select=name')).body.data.length, 1)
  t.strictSame((await get('/users?search=0123&select=name')).body.data, [], 'what stands in another field is not found')
  await app.database.query(
    { name: null, text: "UPDATE tb_post SET title = 'cats cats cats' WHERE title = 'Post 24'" },
    [],
    null,
  )
  t.teardown(() =>
    app.database.query(
      { name: null, text: "UPDATE tb_post SET title = 'Post 24' WHERE title = 'cats cats cats'" },
      [],
      null,
    ),
  )
  t.equal((await get('/posts?search=cats&select=title&limit=1')).body.data[0].title, 'cats cats cats')
  t.equal((await get('/posts?search=cats&select=title&limit=1&sort=title')).body.data[0].title, 'Post 03')
  t.equal(
    (await get('/posts?search=cats -dogs&select=title&limit=1')).body.data[0].title,
    'cats cats cats',
    'in words of a web search',
  )
  t.equal((await get('/posts?search=(%26&select=title')).status, 200, 'nothing is malformed')
  t.same((await get('/users?search=example')).body.data, [], 'the address is not searchable')
  t.match(await refused('/named?search=x'), { line: '400 UNKNOWN_PARAMETER' })
})

// proves: query.rest_path query.rest_method
t.test('routes that the author wrote', async (t) => {
  const { body } = await get('/posts/by-status/LIVE?select=status&limit=2')
  t.same(body.data, [{ status: 'LIVE' }, { status: 'LIVE' }])
  t.equal(body.links.first, '/rest/v1/posts/by-status/LIVE?select=status&limit=2&offset=0')
  const post = (sent: unknown, headers = {}) =>
    app.inject({ method: 'POST', url: '/rest/v1/find-post?select=title', body: sent, headers })
  t.same((await post({ title: 'Post 02' })).json(), { data: { title: 'Post 02' } })
  t.match((await post({ titel: 'Post 02' })).json(), {
    error: {
      code: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'titel' }, { field: 'title', reason: 'it is required' }] },
    },
  })
  t.match((await post('{', { 'content-type': 'application/json' })).json(), { error: { code: 'INVALID_JSON' } })
  t.match((await post('{}')).json(), {
    error: { code: 'BAD_REQUEST', message: /Content-Type has to be application\/json in UTF-8; it is missing/ },
  })
  t.match((await post([])).json(), { error: { code: 'BAD_REQUEST', message: /JSON object/ } })
  t.equal((await app.inject({ url: '/rest/v1/find-post' })).status, 405)
})

t.test('queries that give no rows of one type', async (t) => {
  const { body } = await get('/named?limit=4')
  t.same(Object.keys(body), ['data'])
  t.same(body.data[0], { __typename: 'NamedUser', id: USER(1), name: 'Ann' })
  t.same((await get('/first-post?title=Post 02&select=title')).body, { data: { title: 'Post 02' } })
})

t.test('methods and media types', async (t) => {
  const allowed = await app.inject({ method: 'PUT', url: '/rest/v1/users', body: {} })
  t.equal(allowed.status, 405)
  t.equal(allowed.headers.allow, 'GET, POST, DELETE, HEAD')
  t.equal(allowed.json<{ error: { code: string } }>().error.code, 'METHOD_NOT_ALLOWED')
  const options = await app.inject({ method: 'OPTIONS', url: `/rest/v1/users/${USER(1)}` })
  t.same([options.status, options.headers.allow], [405, 'GET, DELETE, HEAD'])
  t.equal((await app.inject({ method: 'HEAD', url: '/rest/v1/users' })).status, 200)
  t.equal((await refused('/users', { accept: 'text/html' })).line, '406 NOT_ACCEPTABLE')
})

t.test('a hidden field is omitted, and refused by name', async (t) => {
  const reader = as({ scopes: ['read:salary'] })
  t.notOk('salary' in (await get(`/users/${USER(1)}`)).body.data)
  t.equal((await get(`/users/${USER(1)}`, reader)).body.data.salary, '1000.50')
  t.notOk('salary' in (await get('/posts?select=author&limit=1')).body.data[0].author)
  for (const query of [
    'select=salary',
    'sort=salary',
    'salary[gt]=1',
    'or=(salary[gt]=1)',
    'filter={"salary":{"gt":"1"}}',
  ]) {
    t.equal((await refused(`/users?${query}`, as({}))).line, '403 FORBIDDEN', query)
    t.equal((await get(`/users?${query}`, reader)).status, 200, query)
  }
  t.equal((await refused('/posts?select=author(salary)')).line.slice(0, 1), '4')
  t.equal((await refused('/secretPosts')).line, '401 UNAUTHENTICATED')
  t.equal((await refused('/secretPosts', as({}))).line, '403 FORBIDDEN')
  t.equal((await get('/secretPosts', as({ scopes: ['read:secret'] }))).status, 200)
  t.equal((await refused('/users', { 'x-caller': 'broken' })).line, '401 UNAUTHENTICATED')
})

t.test('an empty list is no missing resource', async (t) => {
  t.equal((await get('/users')).status, 200)
  t.equal((await refused('/users?select=')).line, '400 BAD_REQUEST')
  t.equal((await refused('/users?sort=')).line, '400 BAD_REQUEST')
  t.equal((await get('/users?select=id,name')).status, 200)
  t.equal((await refused('/users?sort=|id,name')).line, '400 UNKNOWN_PARAMETER')
})

t.test('caches: who may keep what, and tags', async (t) => {
  const first = await get('/users')
  t.equal(first.headers['cache-control'], 'public, max-age=60')
  t.equal(first.headers.vary, 'Authorization, X-Caller, Accept, Prefer')
  t.match(first.headers.etag, /^W\/"[0-9a-f]{16}"$/)
  const tag = String(first.headers.etag)
  for (const known of [tag, tag.slice(2), `"x", ${tag}`, '*']) {
    const again = await get('/users', { 'if-none-match': known })
    t.same(
      [again.status, again.text, again.headers.etag, again.headers.vary],
      [304, '', tag, 'Authorization, X-Caller, Accept, Prefer'],
    )
    t.equal(again.headers['cache-control'], 'public, max-age=60')
  }
  t.equal((await get('/users', { 'if-none-match': '"x"' })).status, 200)
  t.not((await get('/users?limit=1')).headers.etag, tag)
  t.equal((await get('/users', as({}))).headers['cache-control'], 'private, max-age=60')
  t.equal((await get('/users', { authorization: 'Basic x' })).headers['cache-control'], 'private, max-age=60')
  const withCookie = await get('/users', { cookie: 'a=b' })
  t.same(
    [withCookie.headers['cache-control'], withCookie.headers.vary],
    ['private, max-age=60', 'Authorization, X-Caller, Cookie, Accept, Prefer'],
  )
  t.equal((await get('/users/nope')).headers['cache-control'], 'no-store')
})

t.test('responses with rows behind a rule are private, at any depth', async (t) => {
  const caching = createCaching({ default_cache_ttl: 60 } as never, { tagger: null })
  const ruled = { kind: 'object', inject: [], rowFilter: 'true', fields: new Map() }
  const free = { kind: 'object', inject: [], fields: new Map() }
  const holds = (named: object) => ({
    ...free,
    fields: new Map([['near', { named: { kind: 'union', members: [named] } }]]),
  })
  const control = (named: object) =>
    caching.answer({ auth: null, headers: {} } as never, { named, inject: [], keys: {} } as never, {}, '').headers
  t.equal(control(holds(free))['cache-control'], 'public, max-age=60')
  t.equal(control(holds(ruled))['cache-control'], 'private, max-age=60')
  t.equal(control(holds(holds(ruled)))['cache-control'], 'private, max-age=60')
})

t.test('a stream of changes contains the selected fields of rows that the client may read', async (t) => {
  const changes = async (path: string, ids: readonly string[], headers: Readonly<Record<string, string>> = {}) => {
    const { status, body } = await get(path, { accept: 'text/event-stream', 'x-changed': ids.join(' '), ...headers })
    return status === 200 ? body : `${status} ${body.error.code}`
  }
  t.strictSame(
    await changes('/posts/stream?select=title,author(name)&status=LIVE', [POST(1), POST(2), POST(99)], {
      'last-event-id': 'e1',
    }),
    ['/posts/stream', 'e1', '{"title":"Post 01","author":{"name":"Bob"}}', null, null],
  )
  t.strictSame(await changes('/users/stream?select=name,posts.count&posts.status=GONE', [USER(1)]), [
    '/users/stream',
    null,
    '{"name":"Ann","postsCount":4}',
  ])
  const [, , row] = await changes('/users/stream', [USER(1)])
  t.notOk('salary' in JSON.parse(row), 'what the caller may not see is left out')
  t.equal(
    await changes('/users/stream?select=salary', []),
    '401 UNAUTHENTICATED',
    'and refused by name, before anything changes',
  )
  t.equal(await changes('/users/stream?salary[gt]=5', []), '401 UNAUTHENTICATED')
  for (const query of ['limit=1', 'offset=0', 'first=1', 'sort=title', 'search=cats'])
    t.equal(await changes(`/posts/stream?${query}`, []), '400 BAD_REQUEST', query)
  t.equal(await changes('/posts/stream?nope=1', []), '400 UNKNOWN_PARAMETER')
  t.equal((await refused('/posts/stream', { accept: 'application/json' })).line, '406 NOT_ACCEPTABLE')
  const again = entry(
    plugin('again', (scope) => scope.use('rest').stream(({ exchange }) => get(exchange.url)), {
      dependencies: ['rest'],
    }),
  )
  const twice = () => openApp(t, { kind: 'postgres', url }, REST_SCHEMA, { plugins: [restPlugin(), streamer, again] })
  t.match(await failure(twice), { message: /GET \/rest\/v1\/…\/stream is answered by another plugin already/ })
})
