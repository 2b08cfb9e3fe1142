import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { POST, REST_SCHEMA, REST_SQL, restPlugin, USER } from './world.ts'

const DAY = `@${Date.parse('2026-03-01') / 1000}`
const deprecate =
  (names: Readonly<Record<string, string>>) =>
  <T extends { readonly name: string }>(one: T): T =>
    names[one.name] === undefined ? one : { ...one, deprecated: names[one.name]! }

/** Each thing that can be deprecated is so once. */
const SCHEMA: AuthoredSchema = {
  ...REST_SCHEMA,
  types: (REST_SCHEMA.types ?? []).map((type) => ({
    ...type,
    fields: type.fields.map(
      deprecate(type.name === 'User' ? { code: '2026-03-01: use id' } : { views: 'nobody counts' }),
    ),
  })),
  input_types: (REST_SCHEMA.input_types ?? []).map((input) => ({
    ...input,
    fields: input.fields.map(deprecate({ age: 'we know' })),
  })),
  queries: (REST_SCHEMA.queries ?? []).map((query) => ({
    ...deprecate({ bare_posts: '2026-03-01, use posts', first_post: 'no' })(query),
    arguments: (query.arguments ?? []).map(deprecate({ is_active: 'filter by it' })),
  })),
  mutations: (REST_SCHEMA.mutations ?? []).map(deprecate({ publish_post: 'save it' })),
}

t.test('Deprecation is on the answers to requests that use what is deprecated, and on no other', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: REST_SQL })
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, { plugins: [restPlugin()] })
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const own = body === undefined ? headers : { 'content-type': 'application/json', ...headers }
    const reply = await app.inject({ method, url: `/rest/v1${path}`, headers: own, ...given })
    return [reply.status, reply.headers.deprecation]
  }
  const post = `/posts/${POST(1)}`
  for (const [method, path, answer, body, headers] of [
    ['GET', '/barePosts', [200, DAY]],
    ['GET', '/barePosts?nope=1', [400, DAY]],
    ['GET', '/first-post', [400, '@0']],
    ['POST', `${post}/publish`, [200, '@0']],
    ['GET', '/posts', [200, undefined]],
    ['GET', post, [200, undefined]],
    ['GET', '/posts?select=id,title&sort=title&title[neq]=x', [200, undefined]],
    ['GET', '/posts?select=id,n:views', [200, '@0']],
    ['GET', `${post}?select=views`, [200, '@0']],
    ['GET', '/posts?sort=-title,views', [200, '@0']],
    ['GET', '/posts?views[gt]=1', [200, '@0']],
    ['GET', '/posts?or=(title=x,not=(views=1))', [200, '@0']],
    ['GET', `/posts?filter=${encodeURIComponent('{"author":{"code":{"eq":"0123"}}}')}`, [200, DAY]],
    ['GET', '/posts?select=author(name)', [200, undefined]],
    ['GET', '/posts?select=author(code)', [200, DAY]],
    ['GET', '/users?select=posts(id)&posts.views[gt]=1', [200, '@0']],
    ['GET', '/users?select=posts(id)&posts.title[neq]=x', [200, undefined]],
    ['GET', '/users?select=posts(id)&posts.sort=-views', [200, '@0']],
    ['GET', '/users?isActive=true', [200, '@0']],
    ['GET', '/userPages?code=0123&select=name', [200, DAY]],
    ['GET', '/posts?select=views', [200, '@0'], undefined, { accept: 'application/x-ndjson' }],
    ['POST', '/users', [201, '@0'], { name: 'x', age: 4 }],
    ['POST', '/users', [201, undefined], { name: 'x' }],
    ['POST', '/users', [201, '@0'], [{ name: 'x' }, { name: 'y', age: 4 }]],
    ['POST', '/users?select=code', [201, DAY], { name: 'x' }],
    ['PATCH', `${post}?select=id`, [200, undefined], { title: 'x' }],
    ['PATCH', `${post}?select=views`, [200, '@0'], { title: 'x' }],
    ['PATCH', '/posts?views[lt]=0', [200, '@0'], { title: 'x' }],
    ['GET', `/users/${USER(1)}`, [200, undefined]],
  ] as const) {
    t.strictSame(await ask(method, path, body, headers), answer, `${method} ${path} ${JSON.stringify(body ?? '')}`)
  }
  const known = String((await app.inject({ url: '/rest/v1/barePosts' })).headers.etag)
  t.strictSame(await ask('GET', '/barePosts', undefined, { 'if-none-match': known }), [304, DAY])
  const key = { 'idempotency-key': '0198c0de-0000-4000-8000-00000000000a' }
  for (let i = 0; i < 2; i++)
    t.strictSame(await ask('POST', `${post}/publish`, undefined, key), [200, '@0'], 'repeated, too')
})
