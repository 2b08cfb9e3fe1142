import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import t from 'tap'
import type { OwnedCredential } from '../../../core/contract/credential.ts'
import type { PluginInstance } from '../../../core/kernel/kernel-options.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import type { SchemaModel } from '../../../core/schema/model.ts'
import openapiCommand from '../../../plugins/openapi/command.ts'
import { setUpOpenApi } from '../../../plugins/openapi/set-up-open-api.ts'
import routesCommand from '../../../plugins/rest/command.ts'
import { compileFixture, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { configWith } from '../../helpers/config.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { as, testCredential } from '../../helpers/test-credential.ts'
import { REST_SQL, restPlugin, USER } from '../rest/world.ts'
import { makeTypes } from './make-types.ts'
import { OPENAPI_SCHEMA, openapiPlugin } from './world.ts'

/** The document of a service with interfaces, unions, inputs, actions and lists of rows; and that of Chinook. */
const url = await createPostgresDatabase(t, { sql: REST_SQL })
const app = await openApp(t, { kind: 'postgres', url }, OPENAPI_SCHEMA, {
  plugins: [restPlugin(), openapiPlugin(), testCredential()],
})
const PATH = '/rest/v1/openapi.json'
const ALL = as({ scopes: ['read:secret', 'read:salary'] })
// biome-ignore lint/suspicious/noExplicitAny: a document, which is walked by path
type Json = any
const fetchDocument = async (headers = ALL): Promise<Json> => (await app.inject({ url: PATH, headers })).json()
const document = await fetchDocument()

/** What the commands print about a schema. */
async function print(
  command: unknown,
  schema: object,
  flags: object,
  config: object = {},
  credentials: readonly OwnedCredential[] = [],
): Promise<string> {
  let text = ''
  const rest = restPlugin().options as object
  const host = {
    options: { ...rest, title: 'Chinook', api_version: '1.0.0' },
    config: configWith({ rest, ...config }),
    loadSchema: async () => schema,
    credentials: async () => credentials,
    io: {
      cwd: process.cwd(),
      stdout(more: string) {
        text += more
      },
    },
  }
  await (command as (args: object, host: object) => Promise<void>)({ positionals: [], flags }, host)
  return text
}

const chinook = JSON.parse(readFileSync('examples/chinook/schema.json', 'utf8')) as AuthoredSchema
const chinookSql = ['01_tables', '03_views', '04_functions'].map((name) =>
  readFileSync(`examples/chinook/db/${name}.sql`, 'utf8'),
)
const store = await openTestDatabase(t, {
  kind: 'postgres',
  url: await createPostgresDatabase(t, { sql: chinookSql.join('\n') }),
})
const chinookSchema = compileFixture(chinook, await readCatalogFor(chinook, store))
const ofChinook: Json = JSON.parse(await print(openapiCommand, chinookSchema, {}))

for (const [name, one, schema] of [
  ['posts', document, app.kernel.generation.schema],
  ['Chinook', ofChinook, chinookSchema],
] as const) {
  t.test(`${name}: linter and parser find no error, and the routes are those that are mounted`, async (t) => {
    const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } })
    const problems = await lintFromString({ source: JSON.stringify(one), config })
    const lines = problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)
    // The author's `/posts/by-status/{status}` is one of them: the segment that is written out wins.
    t.same(
      lines.filter((line) => !line.startsWith('warn no-ambiguous-paths')),
      [],
    )
    await SwaggerParser.validate(structuredClone(one))
    t.equal(one.openapi, '3.0.3')
    const mounted = (
      JSON.parse(await print(routesCommand, schema, { json: true })) as { method: string; path: string }[]
    )
      .map(({ method, path }) => `${method} ${path}`)
      .sort()
    const described = Object.entries(one.paths as Record<string, object>)
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${one.servers[0].url}${path}`),
      )
      .sort()
    t.strictSame(described, mounted)
    t.ok(mounted.length > 20)
  })
}

t.test('descriptions of routes', async (t) => {
  const { paths, components, info } = document
  t.strictSame(info, { title: 'Posts', version: '2.1.0' })
  const list = paths['/posts'].get
  const parameter = (operation: Json, name: string) => operation.parameters?.find((one: Json) => one.name === name)
  t.match(parameter(list, 'status'), {
    style: 'deepObject',
    explode: true,
    schema: { $ref: '#/components/schemas/StatusFilter' },
  })
  t.same(Object.keys(components.schemas.StatusFilter.properties), ['eq', 'neq', 'in', 'nin', 'is_null', 'isNotNull'])
  t.match(parameter(list, 'sort').schema.items.enum, [/^id$/, '-id', 'title', '-title'])
  t.match(parameter(list, 'limit').schema, { type: 'integer', minimum: 0, default: 20 })
  t.match(parameter(list, 'limit').description, 'More than 100 is read as 100')
  t.ok(parameter(list, 'search'))
  t.match(parameter(list, 'filter').content['application/json'].schema, { $ref: '#/components/schemas/PostFilter' })
  t.match(components.schemas.PostFilter.properties, {
    author: { $ref: '#/components/schemas/UserFilter' },
    or: { type: 'array', items: { $ref: '#/components/schemas/PostFilter' } },
    views: { $ref: '#/components/schemas/BigIntConditions' },
  })
  t.notOk(parameter(list, 'body'), 'what cannot be filtered by')
  t.match(parameter(paths['/users'].get, 'posts.status'), { style: 'deepObject' })
  t.match(parameter(paths['/users'].get, 'isActive').schema, { type: 'boolean' }, 'an argument wins over the field')
  t.ok(parameter(paths['/userPages'].get, 'after'))
  t.notOk(parameter(paths['/userPages'].get, 'limit'))
  t.match(list.responses['200'].content['application/x-ndjson'], {})
  t.notOk(paths['/userPages'].get.responses['200'].content['application/x-ndjson'])
  t.match(paths['/posts/by-status/{status}'].get.parameters[0], { in: 'path', required: true })

  const put = paths['/posts/{id}'].put.requestBody.content
  t.same(Object.keys(put), ['application/json'])
  t.same(components.schemas.SavePostBody.required, ['title', 'body', 'status', 'views'], 'PUT wants all')
  t.same(Object.keys(paths['/posts/{id}'].patch.requestBody.content), [
    'application/json',
    'application/merge-patch+json',
  ])
  t.match(paths['/posts/{id}'].patch.requestBody.content['application/json'].schema, {
    $ref: '#/components/schemas/PostInput',
  })
  t.notOk(components.schemas.SaveNotePatchBody.required, 'what PATCH leaves out stays')
  t.match(paths['/posts'].post.requestBody.content['application/json'].schema.oneOf, [
    {},
    { type: 'array', maxItems: 1000 },
  ])
  t.same(components.schemas.CreatePostBody.required, ['authorId', 'title'])
  t.equal(components.schemas.CreatePostBody.additionalProperties, false)
  t.match(components.schemas.NewUser.properties, {
    age: { type: 'integer', minimum: 0, maximum: 150, nullable: true },
    name: { type: 'string', minLength: 1, maxLength: 40 },
    email: { type: 'string', format: 'email', example: 'name@example.org', nullable: true },
  })
  t.notOk(paths['/posts/{id}/publish'].post.requestBody)
  t.match(Object.keys(paths['/posts'].delete.responses), ['200', '204', '400'])
  t.ok(paths['/posts'].delete.parameters.some(({ $ref }: Json) => /Prefer/.test($ref)))

  t.match(components.schemas.Post, { description: 'What somebody wrote.', properties: { views: { format: 'int64' } } })
  t.notOk(components.schemas.Post.required)
  t.match(components.schemas.Note.properties.stars, {
    deprecated: true,
    nullable: true,
    description: 'Out of five.\n\nDeprecated: nobody counts them',
  })
  t.match(paths['/barePosts'].get, { deprecated: true, description: /use posts/ })
  t.match(components.schemas.User.properties.salary.description, 'Needs the scope `read:salary`.')
  t.match(components.schemas.Anything.discriminator, { propertyName: '__typename' })
  t.same(components.schemas.Status.enum, ['DRAFT', 'LIVE', 'GONE'])
  t.match(list.responses['400'], { $ref: '#/components/responses/BadRequest' })
  t.match(components.schemas.BadRequestError.properties.error.properties.code.description, '`UNKNOWN_PARAMETER`')
  const ids = Object.values(paths as Json).flatMap((methods: Json) =>
    Object.values(methods).map((one: Json) => one.operationId),
  )
  t.equal(new Set(ids).size, ids.length)
})

t.test('parameters are those that a route takes', async (t) => {
  for (const [path, { get }] of Object.entries(document.paths as Record<string, Json>)) {
    if (get === undefined || path.includes('{') || path.endsWith('/stream')) continue
    const refused = await app.inject({ url: `/rest/v1${path}?nothing_like_it=1`, headers: ALL })
    const { available } = refused.json<{ error: { details: { available: string[] } } }>().error.details
    const named = (get.parameters as Json[]).filter((one) => one.in === 'query' && !one.name.includes('.'))
    const isWord = (name: string) => ['or', 'and', 'not', 'search'].includes(name)
    t.same(
      named
        .map(({ name }) => name)
        .filter((name) => !isWord(name))
        .sort(),
      [...available].sort(),
      path,
    )
  }
})

t.test('security: who may come how', async (t) => {
  const security = { default_policy: 'authenticated', rate_limiting: { enabled: true } }
  const credentials: readonly OwnedCredential[] = [
    { plugin: 'jwt', id: 'bearer', in: 'header', name: 'Authorization', scheme: 'bearer' },
    { plugin: 'api-keys', id: 'apiKey', in: 'header', name: 'X-Key', scheme: 'key' },
    {
      plugin: 'oauth',
      id: 'cookie',
      in: 'cookie',
      name: '__Host-access_token',
      scheme: 'key',
      description: 'Logged in.',
    },
    { plugin: 'ldap', id: 'ldap', in: 'header', name: 'authorization', scheme: 'basic' },
  ]
  const schema = app.kernel.generation.schema
  const guarded: Json = JSON.parse(await print(openapiCommand, schema, {}, { security }, credentials))
  t.strictSame(guarded.components.securitySchemes, {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
    cookie: { type: 'apiKey', in: 'cookie', name: '__Host-access_token', description: 'Logged in.' },
    ldap: { type: 'http', scheme: 'basic' },
  })
  t.strictSame(guarded.paths['/posts'].get.security, [{ bearer: [] }, { apiKey: [] }, { cookie: [] }, { ldap: [] }])
  t.match(guarded.paths['/posts'].get.responses['429'], { $ref: /RateLimited/ })
  const open: Json = JSON.parse(
    await print(openapiCommand, schema, {}, { security: { ...security, default_policy: 'public' } }, credentials),
  )
  t.strictSame(open.paths['/posts'].get.security[0], {}, 'anonymous, too')
  t.strictSame(
    open.paths['/secretPosts'].get.security[0],
    { bearer: [] },
    'a scope is asked for, so nobody is anonymous',
  )
  t.match(open.paths['/secretPosts'].get.description, 'Needs the scope `read:secret`.')
})

t.test('served: to whom it is for, and not twice', async (t) => {
  const reply = await app.inject({ url: PATH })
  t.match(reply.headers, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-cache',
    etag: /^W\/"[0-9a-f]{16}"$/,
    vary: 'Authorization, X-Caller',
  })
  const etag = String(reply.headers.etag)
  const again = await app.inject({ url: PATH, headers: { 'if-none-match': `"x", ${etag}` } })
  t.strictSame([again.status, again.text, again.headers.etag], [304, '', etag])
  const anonymous = reply.json<Json>()
  t.notOk(anonymous.paths['/secretPosts'], 'what the caller may not use is not there')
  t.ok(document.paths['/secretPosts'])
  t.notOk(again.headers.etag === (await app.inject({ url: PATH, headers: ALL })).headers.etag)
  t.equal((await app.inject({ url: '/openapi' })).status, 200)

  const closed = await openApp(t, { kind: 'postgres', url }, OPENAPI_SCHEMA, {
    plugins: [
      restPlugin({ require_auth: true }),
      openapiPlugin({ openapi_path: '/api.json', openapi_page: false }),
      testCredential(),
    ],
  })
  t.match((await closed.inject({ url: '/api.json' })).json(), { error: { code: 'UNAUTHENTICATED' } })
  t.equal((await closed.inject({ url: '/api.json', headers: as({}) })).status, 200)
  t.equal((await closed.inject({ url: PATH, headers: as({}) })).status, 404)
  t.equal((await closed.inject({ url: '/openapi' })).status, 404)
  const off = await openApp(t, { kind: 'postgres', url }, OPENAPI_SCHEMA, {
    plugins: [restPlugin(), openapiPlugin({ openapi_enabled: false })],
  })
  t.equal((await off.inject({ url: PATH })).status, 404)
  const { NODE_ENV } = process.env
  t.teardown(() => {
    if (NODE_ENV === undefined) Reflect.deleteProperty(process.env, 'NODE_ENV')
    else process.env.NODE_ENV = NODE_ENV
  })
  const unsaid = async (environment: string, ...plugins: PluginInstance[]) => {
    process.env.NODE_ENV = environment
    const made = await openApp(t, { kind: 'postgres', url }, OPENAPI_SCHEMA, {
      plugins: [...plugins, openapiPlugin({ openapi_enabled: undefined, openapi_page: true })],
    })
    return [(await made.inject({ url: PATH })).status, (await made.inject({ url: '/openapi' })).status]
  }
  t.strictSame(await unsaid('development', restPlugin()), [200, 200], 'on in development, as the query editor is')
  t.strictSame(await unsaid('production', restPlugin()), [404, 404])
  t.strictSame(await unsaid('development'), [404, 404], 'and nothing where there is nothing to describe')
  await t.rejects(openApp(t, { kind: 'postgres', url }, OPENAPI_SCHEMA, { plugins: [openapiPlugin()] }), {
    message: /rest\.openapi_enabled is true, and plugin "rest" is not running/,
  })
})

t.test('a reload brings its own document', async (t) => {
  const without = (name: string): AuthoredSchema => ({
    ...OPENAPI_SCHEMA,
    queries: (OPENAPI_SCHEMA.queries ?? []).filter((query) => query.name !== name),
  })
  const catalog = await readCatalogFor(OPENAPI_SCHEMA, await openTestDatabase(t, { kind: 'postgres', url }))
  const schemas: Readonly<Record<string, () => Promise<SchemaModel>>> = {
    less: async () => compileFixture(without('bare_posts'), catalog),
    clash: async () => compileFixture(twice, catalog),
  }
  const twice: AuthoredSchema = {
    ...OPENAPI_SCHEMA,
    queries: (OPENAPI_SCHEMA.queries ?? []).map((query) =>
      query.name === 'bare_posts' || query.name === 'anything' ? { ...query, rest_path: '/same' } : query,
    ),
  }
  const reloading = await openApp(t, { kind: 'postgres', url }, OPENAPI_SCHEMA, {
    plugins: [restPlugin(), openapiPlugin()],
  })
  const ask = async (headers: Record<string, string> = {}) => reloading.inject({ url: PATH, headers })
  const first = await ask()
  const [tag, paths] = [String(first.headers.etag), Object.keys(first.json<Json>().paths)]
  t.ok(paths.includes('/barePosts'))
  t.equal((await ask({ 'if-none-match': tag })).status, 304)
  t.equal(await (await reloading.kernel.reload(schemas.less!)).result, 'swapped')
  const second = await ask({ 'if-none-match': tag })
  t.equal(second.status, 200, 'the tag of the old one is no good')
  t.same(
    Object.keys(second.json<Json>().paths),
    paths.filter((path) => path !== '/barePosts'),
  )
  t.equal((await reloading.inject({ url: '/rest/v1/barePosts' })).status, 404, 'as it is mounted')
  await t.rejects(reloading.kernel.reload(schemas.clash!), /same/)
  const third = await ask({ 'if-none-match': String(second.headers.etag) })
  t.equal(third.status, 304, 'a reload that fails changes nothing')
})

t.test('types that are made of it compile, and a client with them runs', async (t) => {
  const folder = t.testdir({
    'api.ts': await makeTypes(document),
    'client.ts': readFileSync(new URL('./client.txt', import.meta.url), 'utf8'),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2022',
        module: 'nodenext',
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
      },
      files: ['client.ts'],
    }),
  })
  const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch((error) => error)
  t.equal(stdout, '', 'no fault')
  const { run } = await import(pathToFileURL(join(folder, 'client.ts')).href)
  t.strictSame(await run(`${await app.listen()}/rest/v1`, USER(1)), {
    total: 17,
    titles: ['POST 25 LIVE', 'POST 24 DRAFT', 'POST 22 LIVE'],
    changed: 'LIVE',
    many: 2,
    gone: 204,
    missing: 'NOT_FOUND',
    named: true,
    words: 3,
    hasNext: true,
    wrong: 'UNKNOWN_OPERATOR',
    empty: 'VALIDATION_ERROR',
  })
})

t.test('the routes are described when the first caller reads the document, and not at the start', async (t) => {
  let described = 0
  let read = (): unknown => null
  const scope = {
    config: configWith(),
    process: { credentials: [] },
    route() {},
    perGeneration(build: (schema: unknown) => () => unknown) {
      read = build({})
    },
  }
  const rest = {
    path: '/rest/v1',
    requireAuth: false,
    describe() {
      described++
      return []
    },
  }
  setUpOpenApi(scope as never, { openapi_page: false, title: 'A', api_version: '1' }, rest as never)
  t.equal(described, 0)
  t.equal(read(), read())
  t.equal(described, 1)
})
