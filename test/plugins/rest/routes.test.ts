import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import command from '../../../plugins/rest/command.ts'
import part from '../../../plugins/rest/compile.ts'
import type { DescribeOptions } from '../../../plugins/rest/describe/describe-route.ts'
import { describeRoutes } from '../../../plugins/rest/describe/describe-routes.ts'
import { deriveRoutes } from '../../../plugins/rest/routes/derive-routes.ts'
import { listOf } from '../../../plugins/rest/routes/many-places.ts'
import type { RestRoute } from '../../../plugins/rest/routes/rest-route.ts'
import { rowRoutes } from '../../../plugins/rest/routes/row-routes.ts'
import { isEffective } from '../../../plugins/rest/write/serve-matching.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { restPlugin, REST_SCHEMA as WHOLE } from './world.ts'

/** What compiles without a database. */
const REST_SCHEMA: AuthoredSchema = {
  ...WHOLE,
  types: (WHOLE.types ?? []).map((type) => ({ ...type, fields: type.fields.filter(({ name }) => name !== 'address') })),
}
const NONE = { include: [], exclude: [] }

function compile(schema: AuthoredSchema, options: object = {}) {
  const parts = [{ plugin: 'rest', part: part as never, options: { enabled: true, ...NONE, ...options } }]
  return compileSchema(schema, { owned: OWNED_KEYS, catalog: null, parts })
}

function routesOf(schema: AuthoredSchema, chosen: object = {}) {
  const { compiled, faults } = compile(schema)
  if (compiled === null) throw new Error(faults.map(({ message }) => message).join('\n'))
  return deriveRoutes(linkSchema(compiled), { ...NONE, ...chosen })
}

const lines = (schema: AuthoredSchema, chosen: object = {}) =>
  routesOf(schema, chosen).routes.map(
    ({ method, path, operation, kind }) => `${method} ${path} ${operation.wireName} ${kind}`,
  )

t.test('the routes that follow from a schema', async (t) => {
  t.same(lines(REST_SCHEMA).sort(), [
    'DELETE /posts deletePost delete-many',
    'DELETE /posts/{id} deletePost delete',
    'DELETE /users deleteUser delete-many',
    'DELETE /users/{id} deleteUser delete',
    'GET /barePosts barePosts collection',
    'GET /countedPosts countedPosts collection',
    'GET /first-post firstPost single',
    'GET /named named value',
    'GET /notes/{id} note single',
    'GET /posts posts collection',
    'GET /posts/by-status/{status} livePosts collection',
    'GET /posts/stream posts stream',
    'GET /posts/{id} post single',
    'GET /secretPosts secretPosts collection',
    'GET /userPages userPages collection',
    'GET /users users collection',
    'GET /users/stream users stream',
    'GET /users/{id} user single',
    'PATCH /notes/{id} saveNote update',
    'PATCH /posts savePost update-many',
    'PATCH /posts/{id} savePost update',
    'PATCH /posts/{id}/rename renamePost action',
    'POST /count-words countWords action',
    'POST /find-post findPost single',
    'POST /notes createNote create',
    'POST /notes/bulk createNote create-many',
    'POST /posts createPost create',
    'POST /posts/bulk createPost create-many',
    'POST /posts/{id}/publish publishPost action',
    'POST /users createUser create',
    'POST /users/bulk createUser create-many',
    'PUT /notes/{id} saveNote replace',
    'PUT /posts/{id} savePost replace',
    'PUT /titles/{id} putTitle replace',
  ])
  t.same(lines(REST_SCHEMA, { include: ['posts', 'post', 'user'], exclude: ['post'] }), [
    'GET /users/{id} user single',
    'GET /posts posts collection',
    'GET /posts/stream posts stream',
  ])
  t.same(lines(REST_SCHEMA, { include: ['first_post'] }), ['GET /first-post firstPost single'], 'declared names too')
})

t.test('routes that meet, and names that lead nowhere, do not compile', async (t) => {
  const faults = (schema: Partial<AuthoredSchema>, options?: object) =>
    compile({ ...REST_SCHEMA, ...schema }, options).faults.map(({ message }) => message)
  const queries = REST_SCHEMA.queries!
  const mutations = REST_SCHEMA.mutations!
  t.same(faults({}), [])
  const create = mutations.find(({ name }) => name === 'create_post')!
  t.match(
    faults({
      queries: [...queries, { name: 'other', type: '[Post!]!', sql_source: 'v_post', rest_path: '/userPages' }],
    }),
    [/"user_pages": GET \/userPages is the route of "other" already/],
  )
  t.match(faults({ mutations: [...mutations, { ...create, name: 'make', rest_path: '/posts', rest_method: 'GET' }] }), [
    /a mutation is never sent by GET/,
  ])
  t.match(
    faults({ queries: [...queries, { name: 'odd', type: '[Post!]!', sql_source: 'v_post', rest_method: 'DELETE' }] }),
    [/a query is read by GET or POST/],
  )
  t.match(
    faults({
      queries: [...queries, { name: 'odd', type: '[Post!]!', sql_source: 'v_post', rest_path: '/openapi.json' }],
    }),
    [/has a meaning of its own/],
  )
  t.match(faults({}, { include: ['postz'] }), [
    /\[rest\] include names "postz", which is no query or mutation\. Did you mean "posts"\?/,
  ])
  t.match(faults({}, { exclude: ['nothing_like_it'] }), [/exclude names "nothing_like_it"/])
  t.same(faults({}, { enabled: false, include: ['postz'] }), [])
})

t.test('svc routes prints them', async (t) => {
  const schema = linkSchema(compile(REST_SCHEMA).compiled!)
  let text = ''
  const run = async (flags: object) => {
    text = ''
    const host = {
      options: { ...NONE, path: '/api' },
      loadSchema: async () => schema,
      io: {
        stdout(more: string) {
          text += more
        },
      },
    }
    await command({ positionals: [], flags } as never, host as never)
    return text
  }
  t.match(await run({}), /^GET {4}\/api\/posts\/\{id\} +post$/m)
  t.match(JSON.parse(await run({ json: true })), [
    { method: 'GET', path: '/api/posts/by-status/{status}', operation: 'livePosts', does: 'collection' },
  ])
})

t.test('filters that leave something out', async (t) => {
  for (const filter of [
    { a: { _eq: 1 } },
    { _and: [{}, { a: { _eq: 1 } }] },
    { _or: [{ a: { _eq: 1 } }, { b: { _in: [] } }] },
    { a: { some: {} } },
    { _not: { a: { _eq: 1 } } },
    { _not: { a: { _nin: [] } } },
    { _not: { _or: [{ a: { _in: [] } }, { a: { _eq: 1 } }] } },
    { a: { _contains: 'x' } },
    { a: { _like: '%a%' } },
  ]) {
    t.ok(isEffective(filter), JSON.stringify(filter))
  }
  for (const filter of [
    null,
    {},
    { a: {} },
    { _and: [] },
    { _and: [{}] },
    { _or: [{}, { a: { _eq: 1 } }] },
    { _not: {} },
    { a: { _nin: [] } },
    { a: { every: {} } },
    { _not: { a: { _in: [] } } },
    { _not: { _and: [{ a: { _in: [] } }, { a: { _eq: 1 } }] } },
    { _not: { _not: { a: { _nin: [] } } } },
    { _not: { a: { _in: [] }, b: { _eq: 1 } } },
    { a: { _icontains: '' } },
    { a: { _like: '%%' } },
    { a: { _regex: '.*' } },
  ]) {
    t.notOk(isEffective(filter), JSON.stringify(filter))
  }
})

t.test('a mutation is of the type whose words its name holds, the longest name first', async (t) => {
  const type = (name: string) => ({
    name,
    sql_source: `v_${name.toLowerCase()}`,
    fields: [{ name: 'id', type: 'ID!' }],
  })
  const mutation = (name: string, of: string) => ({
    name,
    type: of,
    operation: 'CUSTOM' as const,
    arguments: [{ name: 'n', type: 'Int' }],
  })
  const schema: AuthoredSchema = {
    version: '1',
    types: ['Role', 'User', 'UserEmail', 'Tag'].map(type),
    queries: ['Role', 'User', 'UserEmail', 'Tag'].map((name) => ({ name: `${name}s`, type: `[${name}!]!` })),
    mutations: [
      mutation('verify_user_email', 'Tag'),
      mutation('check_user_emails', 'Tag'),
      mutation('assign_user_role', 'Tag'),
      mutation('archive_users', 'Tag'),
      mutation('merge', 'Tag'),
      mutation('user', 'Tag'),
    ],
  }
  t.same(
    lines(schema).filter((line) => line.startsWith('POST')),
    [
      'POST /userEmails/verify verifyUserEmail action',
      'POST /userEmails/check checkUserEmails action',
      'POST /roles/assign-user assignUserRole action',
      'POST /users/archive archiveUsers action',
      'POST /tags/merge merge action',
      'POST /tags/user user action',
    ],
  )
})

t.test('only embedded lists have parameters of their own, single related rows have none', (t) => {
  const { compiled } = compile(REST_SCHEMA)
  const options = restPlugin(NONE).options as DescribeOptions['options']
  const described = describeRoutes(linkSchema(compiled!), { options, maxRows: 0 })
  const embeddedOf = (path: string) => {
    const { parameters } = described.find(({ route }) => route.method === 'GET' && route.path === path)!
    return parameters.flatMap((one) => ('name' in one && one.name.includes('.') ? [one.name] : []))
  }
  const ofPosts = ['id', 'title', 'status', 'views', 'sort', 'limit', 'offset'].map((name) => `posts.${name}`)
  t.strictSame(embeddedOf('/users'), ofPosts)
  t.strictSame(embeddedOf('/users/{id}'), ofPosts)
  t.strictSame(embeddedOf('/posts'), [], 'a post has one author')
  t.strictSame(embeddedOf('/posts/{id}'), [])
  t.end()
})

t.test('the routes of a large schema take no time', async (t) => {
  const names = Array.from({ length: 1500 }, (_, n) => `Thing${n}Of${n % 7}`)
  const schema: AuthoredSchema = {
    version: '1',
    types: names.map((name) => ({ name, sql_source: name, fields: [{ name: 'id', type: 'ID!' }] })),
    queries: names.map((name) => ({ name: `all_${name}`, type: `[${name}!]!` })),
    mutations: names.map((name) => ({ name: `create_${name}`, type: name, operation: 'CREATE' as const })),
  }
  const started = performance.now()
  t.equal(new Set(routesOf(schema).routes.map(({ operation }) => operation)).size, 2 * names.length)
  t.ok(performance.now() - started < 20_000, 'it took minutes')
})

t.test('routes are looked up by their resource without looking through all of them again', async (t) => {
  const { routes, resources } = routesOf(REST_SCHEMA)
  let reads = 0
  const watched = routes.map(
    (route) =>
      new Proxy(route, {
        get(target, key: keyof RestRoute) {
          reads++
          return target[key]
        },
      }),
  )
  const look = () => resources.map((one) => [listOf(watched, one)?.path ?? null, rowRoutes(watched)(one)?.path ?? null])
  const first = look()
  t.match(first[resources.findIndex(({ name }) => name === 'posts')], ['/posts', '/posts/{id}'])
  reads = 0
  t.same(look(), first)
  t.ok(reads <= 5 * resources.length, `${reads} reads for ${resources.length} resources and ${routes.length} routes`)
})
