import t, { type Test } from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import { testOperation, testPlugin } from '../../../core/testing/testing.ts'
import cors from '../../../plugins/cors/index.ts'
import csrf from '../../../plugins/csrf-prevention/index.ts'
import graphql from '../../../plugins/graphql/index.ts'
import { plugin } from '../../helpers/kernel.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'

const HOST = 'api.example.com'
const EVIL = 'https://evil.example'
const COOKIE = { cookie: '__Host-access_token=x' }

/** What the requests of a front would do. */
const front = (done: string[]) =>
  plugin('front', (scope) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const)
      for (const path of ['/rest/v1/users', '/auth/logout', '/auth/callback'])
        scope.route({
          method,
          path,
          handler() {
            done.push(`${method} ${path}`)
            return { status: 200, headers: {}, body: 'done' }
          },
        })
  })

async function open(t: Test, options: object = {}, config: object = {}) {
  const done: string[] = []
  const tested = await openPlugin(t, csrf, {
    options: { ...options },
    dependencies: [
      { plugin: cors, options: { origins: ['https://app.example.com'], credentials: true } },
      graphql,
      front(done),
    ],
    config: { server: { cors: { origins: ['https://app.example.com'] } }, ...config },
  })
  const send = async (method: string, url: string, headers: Record<string, string> = {}) => {
    done.length = 0
    const reply = await tested.inject({ method, url, headers: { host: HOST, ...headers } })
    t.equal(done.length === 0, reply.status !== 200, `${method} ${url}: refused before it does anything`)
    return reply
  }
  const status = async (...args: Parameters<typeof send>) => (await send(...args)).status
  return { tested, send, status }
}

t.test('a request that a form can send is refused, with or without cookies', async (t) => {
  const { send, status } = await open(t)
  const types = [
    undefined,
    'text/plain',
    'TEXT/PLAIN ; charset=utf-8',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'text/plain; a=application/json',
    'application/json, text/plain',
    'nonsense',
    '',
  ]
  for (const type of types)
    for (const url of ['/graphql', '/rest/v1/users', '/auth/logout', '/nowhere'])
      for (const cookie of [{}, COOKIE]) {
        const headers = { ...(type === undefined ? {} : { 'content-type': type }), ...cookie }
        t.equal(await status('POST', url, headers), 403, `${url} ${type}`)
      }
  const told = await send('POST', '/rest/v1/users')
  t.match(told.json(), {
    error: { code: 'FORBIDDEN', message: /Send "content-type: application\/json", or the header X-CSRF-Protection\./ },
  })
  const ofGraphql = await send('POST', '/graphql', { 'content-type': 'text/plain' })
  t.match(ofGraphql.json(), { errors: [{ extensions: { code: 'FORBIDDEN', statusCode: 403 } }] })
})

t.test('a request that needs a preflight is let through', async (t) => {
  const { status } = await open(t)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const headers of [
    { 'content-type': 'application/json' },
    { 'content-type': 'Application/JSON; charset=utf-8' },
    { 'content-type': 'application/merge-patch+json' },
    { ...form, 'x-csrf-protection': '' },
    { ...form, 'apollo-require-preflight': 'true' },
    { ...form, authorization: 'Bearer abc' },
    { ...form, 'sec-fetch-site': 'same-origin', ...COOKIE },
    { ...form, origin: `https://${HOST}`, ...COOKIE },
    { ...form, origin: 'https://app.example.com', 'sec-fetch-site': 'same-site', ...COOKIE },
  ])
    t.equal(await status('POST', '/rest/v1/users', headers as Record<string, string>), 200, JSON.stringify(headers))
  for (const method of ['GET', 'PUT', 'DELETE']) t.equal(await status(method, '/rest/v1/users'), 200, method)
  const basic = { ...form, authorization: 'Basic YTpi' }
  t.equal(await status('POST', '/rest/v1/users', basic), 403, 'a browser adds this one by itself')
  t.equal(await status('POST', '/auth/callback', form), 200, 'providers answer with forms')
  t.equal(await status('POST', '/auth/callbac%6b', form), 200, 'the same path in other letters')
  t.equal(await status('POST', 'http://elsewhere.example/auth/callback', form), 200, 'and in absolute form')
  t.equal(await status('POST', `http://${HOST}/rest/v1/users`, form), 403)
})

t.test('cookies that come along with a foreign page', async (t) => {
  const { status } = await open(t)
  const json = { 'content-type': 'application/json', 'x-csrf-protection': '1', ...COOKIE }
  for (const from of [
    { origin: EVIL },
    { origin: 'null' },
    { origin: `https://${HOST}.evil.example` },
    { origin: `https://evil.example/${HOST}` },
    { origin: `https://${HOST}:8443` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  ] as Record<string, string>[]) {
    t.equal(await status('POST', '/rest/v1/users', { ...json, ...from }), 403, JSON.stringify(from))
    t.equal(await status('DELETE', '/rest/v1/users', { ...json, ...from }), 403)
    const isLink = from['sec-fetch-mode'] === 'navigate'
    t.equal(await status('GET', '/rest/v1/users', { ...COOKIE, ...from }), isLink ? 200 : 403, 'a read, too')
    t.equal(await status('GET', '/rest/v1/users', from), 200, 'without cookies it is like any other')
  }
  const handshake = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-fetch-mode': 'navigate',
    origin: EVIL,
    ...COOKIE,
  }
  t.equal(await status('GET', '/rest/v1/users', handshake), 403, 'a WebSocket of a foreign page')
  t.equal(await status('POST', '/rest/v1/users', json), 200, 'no page at all')
})

t.test('a route that checks pages itself, and one that does operations alone, say first what is missing', async (t) => {
  const ran: string[] = []
  const reads: unknown[] = []
  const tested = await openPlugin(t, csrf, {
    dependencies: [
      plugin('fronts', (scope) => {
        const operation = testOperation({ kind: 'mutation' })
        for (const crossSite of ['own', 'operation', undefined] as const)
          scope.route({
            method: 'POST',
            path: `/${crossSite}`,
            ...(crossSite === undefined ? {} : { crossSite }),
            async handler(ctx) {
              ran.push(ctx.pathname)
              if (ctx.headers.bad !== undefined) throw new SvcError('BAD_REQUEST', 'bad')
              if (ctx.headers.anonymous !== undefined) throw new SvcError('UNAUTHENTICATED', 'who?')
              if (crossSite === 'operation') await scope.engine.run(ctx, operation)
              return { status: 200, headers: {}, body: '' }
            },
          })
      }),
    ],
    resolve: () => {
      reads.push(1)
      return { data: '{}', errors: null }
    },
  })
  const status = async (url: string, headers: Record<string, string> = {}) =>
    (await tested.inject({ method: 'POST', url, headers: { host: HOST, ...headers } })).status
  for (const from of [{}, { origin: EVIL, 'content-type': 'application/json', ...COOKIE }] as Record<
    string,
    string
  >[]) {
    t.equal(await status('/undefined', from), 403)
    t.strictSame(ran.splice(0), [], 'refused before the handler runs')
    t.equal(await status('/own', from), 200)
    t.equal(await status('/operation', { bad: '1', ...from }), 400)
    t.equal(await status('/operation', { anonymous: '1', ...from }), 401)
    t.equal(await status('/operation', from), 403)
    t.equal(reads.length, 0, 'refused before the operation runs')
    ran.splice(0)
  }
  t.equal(await status('/operation', { 'content-type': 'application/json' }), 200)
  t.equal(reads.length, 1)
  t.equal(await status(`http://${HOST}/operation`), 403, 'in absolute form, too')
})

t.test('a header that a plugin takes credentials from is proof', async (t) => {
  const tested = await openPlugin(t, csrf, {
    dependencies: [
      plugin('keys', (scope) => {
        scope.credentials({ in: 'header', name: 'X-Team-Key', scheme: 'key' })
        scope.credentials({ in: 'header', name: 'Authorization', scheme: 'basic', id: 'basic' })
        scope.credentials({ in: 'cookie', name: 'Session', scheme: 'key', id: 'session' })
      }),
      front([]),
    ],
  })
  const status = async (headers: Record<string, string>) =>
    (await tested.inject({ method: 'POST', url: '/rest/v1/users', headers: { host: HOST, ...headers } })).status
  t.equal(await status({ 'x-team-key': 'k' }), 200)
  t.equal(await status({ 'x-team-ke': 'k' }), 403)
  t.equal(await status({ authorization: 'Basic YTpi' }), 403, 'a browser adds this one by itself')
  t.equal(await status({ session: 'k' }), 403, 'no header is a cookie')
  t.equal(await status({ 'x-team-key': 'k', origin: EVIL, ...COOKIE }), 403, 'cookies of others come along in any case')
})

t.test('options', async (t) => {
  const { status } = await open(t, { headers: ['X-Mine'], trusted_origins: [EVIL], exempt_paths: [] })
  t.equal(await status('POST', '/rest/v1/users', { 'x-csrf-protection': '1' }), 403)
  t.equal(await status('POST', '/rest/v1/users', { 'x-mine': '1' }), 200)
  t.equal(await status('POST', '/rest/v1/users', { origin: EVIL, ...COOKIE }), 200)
  t.equal(await status('POST', '/auth/callback'), 403)
  const star = await open(t, {}, { server: { cors: { origins: ['*'] } } })
  t.equal(await star.status('POST', '/rest/v1/users', { origin: '*', ...COOKIE }), 403, '"*" trusts nobody')
  const boot = (options: object) => testPlugin(csrf, { options: { ...options } })
  await t.rejects(boot({ trusted_origins: ['evil.example'] }), { message: /"evil\.example" is not an origin/ })
  await t.rejects(boot({ headers: [] }), { message: /headers/ })
  await t.rejects(boot({ headers: ['a b c'] }), { message: /headers/ })
  await t.rejects(boot({ exempt_paths: ['auth/callback'] }), { message: /exempt_paths/ }, 'it would exempt nothing')
  await t.resolves(boot({ exempt_paths: ['/auth/callback'] }).then((tested) => tested.close()))
})
