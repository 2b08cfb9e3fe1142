import t from 'tap'
import type { HttpExchange } from '../../../../core/contract/http-exchange.ts'
import { isOrigin, originSet, pageSource } from '../../../../core/service/http/page-source.ts'
import { testPlugin } from '../../../../core/testing/testing.ts'
import cors from '../../../../plugins/cors/index.ts'
import { createRequestCheck } from '../../../../plugins/csrf-prevention/request-check.ts'
import { checkOrigin, originRules } from '../../../../plugins/mcp/http/check-origin.ts'
import { createOwnPages } from '../../../../plugins/oauth/own-pages.ts'
import { handshakeHeaders } from '../../../../plugins/subscriptions/connection/credentials.ts'
import { plugin } from '../../../helpers/kernel.ts'
import { lookAlikeHosts, lookAlikes } from '../../../helpers/look-alikes.ts'

/** Every place that compares an origin: does it take this one for the trusted one, or for that of the host? */
interface Place {
  readonly trusts: (origin: string) => boolean | Promise<boolean>
  /** The host of the request, where the place believes it. */
  readonly byHost?: (origin: string, host: string) => boolean
}

const APP = 'https://app.example.com:8443'
const HOST = 'api.example.com:8443'
const COOKIE = { cookie: 'a=b' }
const ask = (origin: string, host = HOST, more: object = {}): HttpExchange =>
  ({
    method: 'POST',
    headers: { origin, host, 'content-type': 'application/json', ...COOKIE, ...more },
    route: null,
    pathname: '/x',
  }) as never
const passes = (check: () => void): boolean => {
  try {
    check()
    return true
  } catch {
    return false
  }
}

const pages = await testPlugin(cors, {
  options: { origins: [APP], credentials: true },
  dependencies: [
    plugin('page', (scope) =>
      scope.route({ method: 'GET', path: '/x', handler: () => ({ status: 200, headers: {}, body: '' }) }),
    ),
  ],
})
const csrf = createRequestCheck({ headers: ['X-Mine'], trusted_origins: [APP], exempt_paths: [] }, [])
const own = createOwnPages(`${APP}/auth/callback`, [])
const mcp = originRules({ host: '0.0.0.0' }, { allowed_origins: [APP] })
const trusted = originSet([APP, '*'])

const PLACES: Readonly<Record<string, Place>> = {
  'pageSource, by host': {
    trusts: (origin) => pageSource(ask(origin), { trusted }) === 'own',
    byHost: (origin, host) => pageSource(ask(origin, host), { trusted: new Set() }) === 'own',
  },
  'pageSource, by site': { trusts: (origin) => pageSource(ask(origin), { trusted, by: 'site' }) === 'own' },
  'pageSource, by list': { trusts: (origin) => pageSource(ask(origin), { trusted, by: 'list' }) === 'own' },
  'csrf-prevention': {
    trusts: (origin) => csrf(ask(origin)) === null,
    byHost: (origin, host) => csrf(ask(origin, host)) === null,
  },
  'the cookie of a login': { trusts: (origin) => own.sent(ask(origin)) },
  'cookies of a WebSocket': {
    trusts: (origin) => handshakeHeaders(ask(origin).headers, trusted).cookie !== undefined,
    byHost: (origin, host) => handshakeHeaders(ask(origin, host).headers, new Set()).cookie !== undefined,
  },
  MCP: { trusts: (origin) => passes(() => checkOrigin(ask(origin), mcp)) },
  cors: {
    async trusts(origin) {
      const { headers } = await pages.inject({ url: '/x', headers: { origin } })
      const given = headers['access-control-allow-origin'] !== undefined
      t.equal(headers['access-control-allow-credentials'] !== undefined, given, `${origin}: both or none`)
      return given
    },
  },
  'a preflight of cors': {
    async trusts(origin) {
      const headers = { origin, 'access-control-request-method': 'POST' }
      return (await pages.inject({ method: 'OPTIONS', url: '/x', headers })).status === 204
    },
  },
}

for (const [name, { trusts, byHost }] of Object.entries(PLACES)) {
  t.test(`${name}: an origin that looks like a trusted one is not trusted`, async (t) => {
    t.equal(await trusts(APP), true, 'the twin that passes')
    for (const origin of lookAlikes(APP)) t.equal(await trusts(origin), false, JSON.stringify(origin))
    t.equal(await trusts('https://APP.example.com:8443'), false, 'browsers write origins in lower case')
  })
  if (byHost === undefined) continue
  t.test(`${name}: a host that looks like the one that was called is not it`, async (t) => {
    const at = `https://${HOST}`
    t.equal(byHost(at, HOST), true, 'the twin that passes')
    t.equal(byHost(at, HOST.toUpperCase()), true, 'hosts have no case')
    for (const origin of lookAlikeHosts(at)) t.equal(byHost(origin, HOST), false, JSON.stringify(origin))
    for (const origin of lookAlikeHosts(at)) {
      if (!isOrigin(origin)) continue
      t.equal(byHost(at, new URL(origin).host), false, `called at ${origin}`)
    }
    t.equal(byHost(`ftp://${HOST}`, HOST), false)
  })
}

t.test('Sec-Fetch-Site decides where it is trusted', async (t) => {
  const source = (site: string, by: 'host' | 'site' | 'list', origin?: string) =>
    pageSource(
      { headers: { 'sec-fetch-site': site, host: HOST, ...(origin === undefined ? {} : { origin }) } },
      { trusted, by },
    )
  for (const by of ['host', 'site'] as const) {
    t.equal(source('same-origin', by), 'own')
    t.equal(source('none', by), 'own')
    for (const site of ['same-site', 'cross-site', 'SAME-ORIGIN', 'x']) t.equal(source(site, by), 'foreign', site)
    for (const site of ['same-site', 'cross-site', 'none'])
      t.equal(source(site, by, 'https://evil.net'), 'foreign', site)
    t.equal(source('same-site', by, APP), 'own', 'a trusted origin of the same site')
  }
  t.equal(
    source('same-origin', 'list'),
    'foreign',
    'a page that leads here by a name of its own is of one origin with it',
  )
  t.equal(source('same-origin', 'list', `https://${HOST}`), 'foreign')
  t.equal(source('same-origin', 'list', APP), 'own')
  t.equal(source('same-origin', 'host', `https://${HOST}`), 'own')
  t.equal(source('same-origin', 'site', 'https://evil.net'), 'foreign', 'of two words the one that says more counts')
  t.equal(source('same-site', 'site', `https://${HOST}`), 'foreign', 'the host alone says nothing of the scheme')
  t.equal(pageSource({ headers: { host: HOST } }, { trusted }), 'none', 'no page says nothing')
  t.equal(pageSource({ headers: { host: HOST, origin: [APP, APP] } }, { trusted }), 'foreign')
})

t.test('an origin is scheme, host and port, and nothing else', async (t) => {
  for (const origin of [APP, 'http://localhost:3000', 'https://[::1]:1']) t.equal(isOrigin(origin), true, origin)
  for (const text of [
    'app.example.com',
    `${APP}/`,
    'https://*.example.com',
    'https://a@b.example',
    'https://b.example:443',
    'https://B.example',
    '',
    '*',
  ])
    t.equal(isOrigin(text), false, text)
  t.strictSame([...originSet([APP, '*'], undefined, ['*', 'https://b.example'])], [APP, 'https://b.example'])
})

t.teardown(() => pages.close())
