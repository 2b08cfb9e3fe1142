import t from 'tap'
import { testPlugin } from '../../../core/testing/testing.ts'
import cors from '../../../plugins/cors/index.ts'
import graphiql from '../../../plugins/graphiql/index.ts'
import graphql from '../../../plugins/graphql/index.ts'
import securityHeaders from '../../../plugins/security-headers/index.ts'
import { plugin } from '../../helpers/kernel.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'

const DEFAULTS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}
const routes = plugin('routes', (scope) => {
  const mount = (path: string, headers: Record<string, string>) =>
    scope.route({ method: 'GET', path, handler: () => ({ status: 200, headers, body: 'x' }) })
  mount('/plain', {})
  mount('/own', { 'content-security-policy': "default-src 'self'", 'x-frame-options': 'SAMEORIGIN' })
  scope.route({
    method: 'GET',
    path: '/fails',
    handler: async () => {
      throw new Error('no')
    },
  })
})
const securityOf = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name in DEFAULTS || /^(strict-|x-own|permissions)/.test(name)),
  )

t.test('every answer has them, errors, refusals and preflights included', async (t) => {
  const app = await openPlugin(t, securityHeaders, {
    dependencies: [routes, { plugin: cors, options: { origins: ['https://a.example'] } }],
  })
  for (const [url, status] of [
    ['/plain', 200],
    ['/fails', 500],
    ['/nowhere', 404],
  ] as const) {
    const reply = await app.inject({ url, headers: { origin: 'https://a.example' } })
    t.same([reply.status, securityOf(reply.headers)], [status, DEFAULTS], url)
    t.equal(reply.headers['access-control-allow-origin'], 'https://a.example', 'beside those of others')
  }
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/x',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
  })
  t.same([preflight.status, securityOf(preflight.headers)], [204, DEFAULTS])
  app.takeReported()
})

t.test('a page that says its own keeps it', async (t) => {
  const app = await openPlugin(t, securityHeaders, { dependencies: [routes, graphql, graphiql] })
  for (let i = 0; i < 2; i++) {
    t.same(securityOf((await app.inject({ url: '/own' })).headers), {
      ...DEFAULTS,
      'content-security-policy': "default-src 'self'",
      'x-frame-options': 'SAMEORIGIN',
    })
    t.same(securityOf((await app.inject({ url: '/plain' })).headers), DEFAULTS, 'and the next request has ours')
  }
  const page = await app.inject({ url: '/graphql', headers: { accept: 'text/html' } })
  t.match(page.headers, {
    'content-type': /html/,
    'content-security-policy': /script-src/,
    'referrer-policy': 'no-referrer',
  })
})

t.test('options', async (t) => {
  const secure = await openPlugin(t, securityHeaders, {
    dependencies: [routes],
    config: { server: { tls: { enabled: true } } },
  })
  t.equal((await secure.inject({ url: '/plain' })).headers['strict-transport-security'], 'max-age=15552000')
  const off = await openPlugin(t, securityHeaders, {
    options: { hsts_max_age_secs: 0 },
    dependencies: [routes],
    config: { server: { tls: { enabled: true } } },
  })
  t.equal((await off.inject({ url: '/plain' })).headers['strict-transport-security'], undefined)
  const own = await openPlugin(t, securityHeaders, {
    options: {
      content_security_policy: '',
      frame_options: '',
      referrer_policy: 'origin',
      cross_origin_resource_policy: 'cross-origin',
      hsts_max_age_secs: 60,
      hsts_include_subdomains: true,
      extra: { 'Permissions-Policy': 'camera=()' },
    },
    dependencies: [routes],
  })
  t.same(securityOf((await own.inject({ url: '/plain' })).headers), {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'origin',
    'cross-origin-resource-policy': 'cross-origin',
    'strict-transport-security': 'max-age=60; includeSubDomains',
    'permissions-policy': 'camera=()',
  })
})

t.test('options that cannot be meant', async (t) => {
  const boot = (options: object) => testPlugin(securityHeaders, { options: { ...options } })
  for (const [options, message] of [
    [{ content_security_policy: 'x\r\nset-cookie: a=b' }, /content-security-policy: its value has characters/],
    [{ extra: { 'X-Own': 'a\nb' } }, /X-Own: its value has characters/],
    [{ extra: { 'X-Own': 'ü' } }, /its value has characters/],
    [{ extra: { 'X Own': 'a' } }, /"X Own" is no name of a header/],
    [JSON.parse('{"extra":{"__proto__":"a"}}'), /is no name of a header/],
    [{ extra: { 'Content-Length': '1' } }, /"Content-Length" is not yours to set/],
    [{ hsts_include_subdomains: true }, /counts with hsts_max_age_secs above 0/],
    [{ frame_options: 'ALLOW' }, /frame_options/],
  ] as const)
    await t.rejects(boot(options), { code: 'SVC_BOOT_FAILED', message })
})
