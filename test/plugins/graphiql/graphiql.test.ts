import { createContext, runInContext } from 'node:vm'
import { buildSchema, graphqlSync, parse, validate } from 'graphql'
import t from 'tap'
import { definePlugin } from '../../../core/doors/plugin.ts'
import { testPlugin } from '../../../core/testing/testing.ts'
import graphiql from '../../../plugins/graphiql/index.ts'
import graphql from '../../../plugins/graphql/index.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import { openProject, writeProject } from '../../helpers/open-project.ts'

/** The query editor, without a browser. */
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

t.test('the page: for browsers alone, from this host alone', async (t) => {
  const app = await openPlugin(t, graphiql, { dependencies: [graphql] })
  const page = await app.inject({ url: '/graphql', headers: HTML })
  t.equal(page.status, 200)
  t.match(page.headers, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  const policy = String(page.headers['content-security-policy'])
  t.match(policy, "default-src 'none'")
  t.match(policy, "script-src 'self'")
  t.match(policy, "frame-ancestors 'none'")
  t.notMatch(policy, /https?:|\*/, 'no other host may be asked')
  t.notMatch(page.text, /(src|href)="(https?:)?\/\//)

  const query = encodeURIComponent('{ __typename }')
  t.match((await app.inject({ url: `/graphql?query=${query}`, headers: HTML })).headers, {
    'content-type': /^application\/json/,
  })
  t.equal((await app.inject({ url: '/graphql', headers: { accept: 'application/json' } })).status, 400)
})

t.test('the root leads to the editor, unless a plugin has something there', async (t) => {
  const app = await openPlugin(t, graphiql, { dependencies: [graphql] })
  const page = await app.inject({ url: '/', headers: HTML })
  t.match(page, { status: 302, headers: { location: 'graphql', 'cache-control': 'no-store', vary: /Accept/ } })
  t.equal(page.text, '')
  for (const accept of [{}, { accept: '*/*' }, { accept: 'application/json, text/html' }]) {
    const answer = await app.inject({ url: '/', headers: accept })
    t.equal(answer.status, 404)
    t.match(JSON.parse(answer.text), {
      error: { code: 'NOT_FOUND', message: 'There is nothing at /. GraphQL is at /graphql.' },
    })
  }
  t.equal((await app.inject({ method: 'POST', url: '/' })).status, 405)

  const home = (name: string, isDerived: boolean) =>
    definePlugin({ name, version: '1.0.0', kernelApi: 1, description: 'A page of its own.' }, (scope) => {
      const route = { method: 'GET', path: '/', handler: () => ({ status: 200, headers: {}, body: name }) } as const
      if (isDerived) scope.routes(() => [route])
      else scope.route(route)
    })
  for (const other of [home('first', false), home('derived', true)]) {
    const own = await openPlugin(t, graphiql, { dependencies: [other, graphql] })
    t.match(await own.inject({ url: '/', headers: HTML }), { status: 200, text: other.manifest.name })
  }
  const late = await openPlugin(t, home('late', false), { dependencies: [graphql, graphiql] })
  t.match(await late.inject({ url: '/', headers: HTML }), { status: 200, text: 'late' })
  const two = testPlugin(home('one', false), { dependencies: [home('two', false)] })
  await t.rejects(two, { message: /mounts GET \/, which plugin "two" has mounted already/ })
})

t.test('every file that the page names is served, with its type', async (t) => {
  const app = await openPlugin(t, graphiql, { dependencies: [graphql] })
  const { text } = await app.inject({ url: '/graphql', headers: HTML })
  const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
  const pathsBelow = (prefix: string) =>
    named.filter((path) => !path.startsWith('data:')).map((path) => new URL(path, `http://x${prefix}/graphql`).pathname)
  const files = pathsBelow('')
  t.equal(files.length, 5)
  t.strictSame(
    pathsBelow('/shop'),
    files.map((path) => `/shop${path}`),
    'also below a path of a proxy',
  )
  for (const path of files) {
    const file = await app.inject({ url: path })
    t.equal(file.status, 200, path)
    t.match(file.headers['content-type'], path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
    t.equal(file.headers['x-content-type-options'], 'nosniff')
    t.ok(file.text.length > 100, `${path}: ${file.text.length} characters`)
  }
  t.equal((await app.inject({ url: '/graphiql/other.js' })).status, 404)
  t.equal((await app.inject({ url: '/graphiql/../package.json' })).status, 404)
})

t.test('the first query can be set, and is text whatever is in it', async (t) => {
  const query = '{ a(b: "</script><script>alert(1)</script>") }'
  const app = await openPlugin(t, graphiql, { options: { default_query: query }, dependencies: [graphql] })
  const { text } = await app.inject({ url: '/graphiql/start.js' })
  t.match(text, JSON.stringify(query))
  t.match(text, 'const url = location.pathname', 'the page has the address of the endpoint, whatever stands before it')
  t.notMatch((await app.inject({ url: '/graphql', headers: HTML })).text, 'alert')
  await t.rejects(openPlugin(t, graphiql, { options: { default_qeury: '' }, dependencies: [graphql] }), {
    message: /default_qeury.*default_query/s,
  })
})

/** Runs the start script in a page whose service answers queries. @returns what it renders */
async function startPage(text: string, respond: (query: string) => unknown) {
  let finish!: (element: unknown) => void
  const rendered = new Promise<unknown>((resolve) => (finish = resolve))
  const page = createContext({
    location: { pathname: '/graphql', origin: 'http://localhost' },
    document: { getElementById: () => null },
    GraphiQL: { createFetcher: (options: unknown) => options },
    React: { createElement: (_type: unknown, props: unknown) => props },
    ReactDOM: { createRoot: () => ({ render: finish }) },
    fetch: async (_url: string, { body }: { readonly body: string }) => ({
      json: async () => respond(JSON.parse(body).query),
    }),
  })
  runInContext(text, page)
  return { page, rendered: (await rendered) as { readonly fetcher: unknown; readonly defaultQuery: string } }
}

t.test('the start script leaves no names behind in the page', async (t) => {
  const app = await openPlugin(t, graphiql, { dependencies: [graphql] })
  const { text } = await app.inject({ url: '/graphiql/start.js' })
  const { page, rendered } = await startPage(text, () => ({}))
  // Scripts of plugins (`addScript`) share the global names: with one of the script, their declaration fails.
  t.doesNotThrow(() => runInContext('const url = 1; const fetcher = 2; var options', page))
  t.match(rendered, { fetcher: { url: '/graphql' } })
})

t.test('the first query reads the first list that the schema has', async (t) => {
  const app = await openPlugin(t, graphiql, { dependencies: [graphql] })
  const { text } = await app.inject({ url: '/graphiql/start.js' })
  const schema = buildSchema(`
    type Query {
      user(id: ID!): User
      me: User
      all(kind: Int! = 1): Page!
      counted(limit: Int): UserList!
      users(limit: Int, where: Int): [User!]!
    }
    type Page { total: Int! rows: [User!]! }
    type UserList { items: [User!]! totalCount: Int! }
    type User { friends: [User!]! posts(first: Int!): Int id: ID! mood: Mood name: String age: Int }
    enum Mood { GOOD }`)
  const startFor = async (without: readonly string[]) => {
    const { rendered } = await startPage(text, (source) => {
      const { data } = graphqlSync({ schema, source }) as never as {
        readonly data: { readonly __schema?: { readonly queryType: { fields: { readonly name: string }[] } } }
      }
      const queryType = data.__schema?.queryType
      if (queryType !== undefined) queryType.fields = queryType.fields.filter(({ name }) => !without.includes(name))
      return { data }
    })
    t.same(validate(schema, parse(rendered.defaultQuery)), [], rendered.defaultQuery)
    return rendered.defaultQuery
      .replace(/^#.*\n/, '')
      .replace(/\s+/g, ' ')
      .trim()
  }
  t.equal(await startFor([]), '{ counted(limit: 5) { items { id mood name } } }', 'a list with a count')
  t.equal(await startFor(['counted']), '{ users(limit: 5) { id mood name } }')
  const lists = ['counted', 'users']
  t.equal(await startFor(lists), '{ me { id mood name } }', 'one row, where there is no list')
  t.equal(await startFor([...lists, 'me']), '{ all { total } }', 'an argument with a default may be absent')
  t.equal(await startFor([...lists, 'me', 'all']), '{ __typename }', 'a required argument has no value yet')
  const refused = await startPage(text, () => ({ errors: [{ message: 'Introspection is disabled' }] }))
  t.match(refused.rendered.defaultQuery, /\{\s+__typename\s+\}/)
  const broken = await startPage(text, () => {
    throw new Error('no JSON')
  })
  t.match(broken.rendered.defaultQuery, '__typename')
})

t.test('off if NODE_ENV is production, unless it is enabled', async (t) => {
  const boot = async (toml: string, env: Record<string, string>) => {
    const folder = t.testdir()
    writeProject(folder, `[database]\nurl = "pglite:memory"\n${toml}`)
    return openProject(t, folder, env)
  }
  const production = { NODE_ENV: 'production' }
  const app = await boot('', production)
  t.notOk(app.plugins.includes('graphiql'))
  t.equal(
    (await app.inject({ url: '/graphql', headers: HTML })).headers['content-type'],
    'application/json; charset=utf-8',
  )
  t.equal((await app.inject({ url: '/graphiql/graphiql.js' })).status, 404)
  for (const [toml, env] of [
    ['', {}],
    ['[plugins]\nenable = ["graphiql"]\n', production],
  ] as const) {
    const on = await boot(toml, env)
    t.match((await on.inject({ url: '/graphql', headers: HTML })).headers['content-type'], /^text\/html/)
  }
})
