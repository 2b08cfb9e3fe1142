import t from 'tap'
import type { HttpExchange, Reply } from '../../../core/doors/plugin.ts'
import { type TestedPlugin, testPlugin } from '../../../core/testing/testing.ts'
import cors from '../../../plugins/cors/index.ts'
import { plugin } from '../../helpers/kernel.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'

/** The CORS protocol of the Fetch standard (docs/plugins/cors.md). */
const APP = 'https://app.example.com'
const OTHER = 'https://other.example.com:8443'
const EXPOSED =
  'X-Request-Id, Retry-After, ETag, Location, Allow, Preference-Applied, X-Preference-Fallback, ' +
  'Deprecation, Idempotency-Replayed, X-Rows-Affected, ' +
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'

const SHARED: Reply = { status: 200, headers: { vary: 'Accept' }, body: 'shared' }
const routes = plugin('routes', (scope) => {
  const mount = (path: string, handler: (ctx: HttpExchange) => Reply | Promise<Reply>) =>
    scope.route({ method: 'GET', path, handler })
  mount('/sync', () => ({ status: 200, headers: {}, body: 'sync' }))
  mount('/async', async () => ({ status: 200, headers: {}, body: 'async' }))
  mount('/shared', () => SHARED)
  mount('/fails', async () => {
    throw new Error('no')
  })
})

/** The headers of CORS that an answer has. */
const corsOf = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'))

t.test('all origins: the default', async (t) => {
  const app = await openPlugin(t, cors, { dependencies: [routes] })
  for (const url of ['/sync', '/async']) {
    const reply = await app.inject({ url, headers: { origin: APP } })
    t.equal(reply.text, url.slice(1))
    t.strictSame(corsOf(reply.headers), {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED,
    })
    t.strictSame(corsOf((await app.inject({ url })).headers), {}, 'not a request of another origin')
  }
  const star = await openPlugin(t, cors, { options: { origins: ['*'] }, dependencies: [routes] })
  t.equal(
    (await star.inject({ url: '/sync', headers: { origin: 'null' } })).headers['access-control-allow-origin'],
    '*',
  )
})

t.test('listed origins', async (t) => {
  const app = await openPlugin(t, cors, { options: { origins: [APP, OTHER] }, dependencies: [routes] })
  for (const origin of [APP, OTHER]) {
    for (const url of ['/sync', '/async']) {
      t.strictSame(corsOf((await app.inject({ url, headers: { origin } })).headers), {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': EXPOSED,
        vary: 'Origin',
      })
    }
  }
  for (const origin of ['https://evil.example.com', 'http://app.example.com', `${APP}.evil.com`, 'null']) {
    const reply = await app.inject({ url: '/sync', headers: { origin } })
    t.equal(reply.status, 200, 'the browser keeps the answer from the page')
    t.strictSame(corsOf(reply.headers), { vary: 'Origin' }, origin)
  }
  t.strictSame(corsOf((await app.inject({ url: '/sync' })).headers), { vary: 'Origin' }, 'caches must know')
})

t.test('errors are marked, too', async (t) => {
  const app = await openPlugin(t, cors, { options: { origins: [APP] }, dependencies: [routes] })
  for (const [url, status] of [
    ['/fails', 500],
    ['/nowhere', 404],
  ] as const) {
    const reply = await app.inject({ url, headers: { origin: APP } })
    t.equal(reply.status, status)
    t.equal(reply.headers['access-control-allow-origin'], APP)
    t.equal(reply.headers['cache-control'], 'no-store', 'the other headers stay')
  }
  t.match(app.takeReported(), [{ type: 'request-failed' }])
})

t.test('credentials', async (t) => {
  const app = await openPlugin(t, cors, { options: { origins: [APP], credentials: true }, dependencies: [routes] })
  t.match((await app.inject({ url: '/sync', headers: { origin: APP } })).headers, {
    'access-control-allow-origin': APP,
    'access-control-allow-credentials': 'true',
  })
  const other = await app.inject({ url: '/sync', headers: { origin: OTHER } })
  t.strictSame(corsOf(other.headers), { vary: 'Origin' })
})

t.test('preflights', async (t) => {
  const ask = (app: TestedPlugin, headers: Record<string, string>, url = '/sync') =>
    app.inject({ method: 'OPTIONS', url, headers })
  const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

  const listed = await openPlugin(t, cors, { options: { origins: [APP], credentials: true }, dependencies: [routes] })
  const allowed = await ask(listed, {
    origin: APP,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  })
  t.strictSame([allowed.status, allowed.text], [204, ''])
  t.strictSame(corsOf(allowed.headers), {
    'access-control-allow-origin': APP,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': 'authorization,content-type',
    'access-control-max-age': '7200',
    vary: 'Origin, Access-Control-Request-Headers',
  })
  const refused = await ask(listed, { origin: OTHER, 'access-control-request-method': 'POST' })
  t.strictSame([refused.status, corsOf(refused.headers)], [403, { vary: 'Origin' }])

  for (const asked of ['x-a\r\nset-cookie: a=b', 'x-ü', `x-${'a'.repeat(3000)}`, 'x-a;b']) {
    const reply = await ask(listed, {
      origin: APP,
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    })
    t.equal(reply.headers['access-control-allow-headers'], undefined, 'what is no list of names is not repeated')
  }

  const all = await openPlugin(t, cors, { dependencies: [routes] })
  const bare = await ask(all, { origin: OTHER, 'access-control-request-method': 'DELETE' }, '/nowhere')
  t.strictSame(
    [bare.status, corsOf(bare.headers)],
    [
      204,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': METHODS,
        'access-control-max-age': '7200',
        vary: 'Access-Control-Request-Headers',
      },
    ],
    'no headers asked for; the path does not matter',
  )
  for (const headers of [{ origin: APP }, { 'access-control-request-method': 'POST' }, {}]) {
    t.equal((await ask(all, headers as Record<string, string>)).status, 405, 'an OPTIONS that is no preflight')
  }
})

t.test('a reply that is given to many requests is not written into', async (t) => {
  const app = await openPlugin(t, cors, { options: { origins: [APP, OTHER] }, dependencies: [routes] })
  for (const origin of [APP, OTHER, 'https://evil.example.com']) {
    const { headers } = await app.inject({ url: '/shared', headers: { origin } })
    t.equal(headers.vary, 'Accept, Origin')
    t.equal(headers['access-control-allow-origin'], origin === 'https://evil.example.com' ? undefined : origin)
  }
  t.strictSame(SHARED.headers, { vary: 'Accept' })
})

t.test('options that cannot be meant', async (t) => {
  const boot = (options: object) => testPlugin(cors, { options: { ...options } })
  for (const origins of [[], ['*'], [APP, '*']]) {
    await t.rejects(boot({ origins, credentials: true }), {
      code: 'SVC_BOOT_FAILED',
      message: /server\.cors\.credentials = true needs server\.cors\.origins to list the origins/,
    })
  }
  for (const origin of [`${APP}/`, `${APP}/path`, 'app.example.com', 'HTTPS://APP.EXAMPLE.COM', '']) {
    await t.rejects(boot({ origins: [origin] }), {
      message: new RegExp(
        `server\\.cors\\.origins: "${origin.replaceAll(/[./]/g, '\\$&')}" is not an origin\\..*like "https://app\\.example\\.com"`,
      ),
    })
  }
  await t.rejects(boot({ origins: ['https://*.example.com'] }), {
    message: /"https:\/\/\*\.example\.com" is a pattern\. List each origin, or write "\*" alone for all of them/,
  })
  await t.rejects(boot({ origin: [APP] }), { message: /origin/ }, 'an unknown key')
  await t.rejects(boot({ origins: APP }), { message: /origins/ }, 'no list')
})
