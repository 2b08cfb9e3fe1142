import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import apiKeys from '../../plugins/api-keys/index.ts'
import { digestOf, sha256Hash } from '../../plugins/api-keys/key-format.ts'
import auditLog from '../../plugins/audit-log/index.ts'
import cors from '../../plugins/cors/index.ts'
import csrfPrevention from '../../plugins/csrf-prevention/index.ts'
import errorSanitization from '../../plugins/error-sanitization/index.ts'
import jwt from '../../plugins/jwt/index.ts'
import queryLimits from '../../plugins/query-limits/index.ts'
import rateLimiting from '../../plugins/rate-limiting/index.ts'
import scopes from '../../plugins/scopes/index.ts'
import securityHeaders from '../../plugins/security-headers/index.ts'
import type { TestLike } from '../helpers/services.ts'
import { openBareShop } from '../plugins/graphql/open-bare-shop.ts'
import { b64, claims, forge, hmac, hs256, plugin, SECRET } from '../plugins/jwt/who.ts'

/** Everything that guards, in one service, against requests that mean it ill. */
function openGuarded(t: TestLike, limits: object = {}) {
  const file = `${t.testdir({})}/audit.jsonl`
  return openBareShop(
    t,
    [
      plugin(cors, { origins: ['https://app.example.com'], credentials: true }),
      plugin(securityHeaders),
      plugin(csrfPrevention),
      plugin(rateLimiting, {
        enabled: true,
        trust_proxy_headers: true,
        requests_per_second: 100_000,
        burst_size: 100_000,
        failed_login_max_attempts: 100_000,
        ...limits,
      }),
      plugin(errorSanitization, { enabled: true }),
      plugin(auditLog, { enabled: true, level: 'debug', sink: 'file', file }),
      plugin(jwt, { jwt_secret: SECRET }),
      plugin(apiKeys, {
        enabled: true,
        storage: 'env',
        static: [{ name: 'job', key_hash: sha256Hash(digestOf(KEY)), scopes: [] }],
      }),
      plugin(scopes),
      plugin(queryLimits),
    ],
    { defaultPolicy: 'public' },
  )
}
const KEY = 'svc_0123456789abcdef.a-key-of-this-test-that-is-long-enough-to-be-one'
const POLLUTED = 'polluted'
const EVIL = [
  `{"__proto__":{"${POLLUTED}":1}}`,
  `{"constructor":{"prototype":{"${POLLUTED}":1}}}`,
  `{"a":{"__proto__":{"${POLLUTED}":1}}}`,
  `[{"__proto__":{"${POLLUTED}":1}}]`,
  `{"__proto__":null}`,
  `{"toString":1,"hasOwnProperty":1,"then":1}`,
]

t.test('no JSON that comes in reaches a prototype', async (t) => {
  const app = await openGuarded(t)
  const before = [Object.prototype, Array.prototype, Function.prototype].map((one) => Reflect.ownKeys(one))
  const json = { 'content-type': 'application/json' }
  const post = (body: string, headers: Record<string, string> = {}, url = '/graphql') =>
    app.inject({ method: 'POST', url, headers: { ...json, ...headers }, body })
  const query = '{"query":"{ users { id } }"'
  for (const evil of EVIL) {
    const told = [
      await post(evil),
      await post(`${query},"variables":${evil}}`),
      await post(`${query},"extensions":${evil}}`),
      await post(`${query},"__proto__":${evil}}`),
      await post(
        `{"query":"query ($where: UserWhereInput) { users(where: $where) { id } }","variables":{"where":${evil}}}`,
      ),
      await app.inject({ url: `/graphql?query=%7Busers%7Bid%7D%7D&variables=${encodeURIComponent(evil)}` }),
      await app.inject({
        url: `/graphql?query=%7Busers%7Bid%7D%7D&__proto__=${encodeURIComponent(evil)}&constructor=1`,
      }),
      await post(`${query}}`, { authorization: `Bearer ${hs256({ ...claims(), ...JSON.parse(evil) })}` }),
      // The claims as text, so that `__proto__` is a key of theirs.
      await post(`${query}}`, {
        authorization: `Bearer ${forge({ alg: 'HS256' }, `${JSON.stringify(claims()).slice(0, -1)},"scope":${evil},"__proto__":${evil},"iss":${evil}}`, hmac(SECRET))}`,
      }),
      await post(`${query}}`, { authorization: `Bearer ${b64(evil)}.${b64(claims())}.x` }),
      await post(`${query}}`, { 'x-api-key': evil, __proto__: evil }),
    ]
    for (const { status, text } of told) {
      t.ok(status < 500, `${status} ${text}`)
      t.notOk(text.includes(`"${POLLUTED}":1`), 'nor does it come back')
    }
  }
  t.equal(({} as Record<string, unknown>)[POLLUTED], undefined)
  t.same(
    [Object.prototype, Array.prototype, Function.prototype].map((one) => Reflect.ownKeys(one)),
    before,
  )
})

/** Sends bytes as they are. */
async function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.end(bytes, 'latin1')
  return text(socket).catch(() => '')
}

t.test('no header of a client begins another one in the answer', async (t) => {
  const app = await openGuarded(t)
  const url = await app.listen()
  const body = '{"query":"{ users { id } }"}'
  const headers = [
    'X-Request-Id',
    'Origin',
    'Access-Control-Request-Headers',
    'Accept',
    'Authorization',
    'X-Forwarded-For',
    'X-Real-IP',
    'Host',
    'Cookie',
    'X-API-Key',
    'Sec-Fetch-Site',
  ]
  for (const name of headers)
    for (const evil of [
      'a\rX-Evil: 1',
      'a\nX-Evil: 1',
      'a\0X-Evil: 1',
      'a\r\n X-Evil: 1',
      'a%0d%0aX-Evil: 1',
      '\u560a\u560dX-Evil: 1',
      `${'a'.repeat(9000)}\tX-Evil: 1`,
    ])
      for (const method of ['POST', 'OPTIONS']) {
        const more =
          method === 'OPTIONS' ? 'Origin: https://app.example.com\r\nAccess-Control-Request-Method: POST\r\n' : ''
        const sent = `${method} /graphql HTTP/1.1\r\nHost: x\r\n${more}${name}: ${evil}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
        const answer = await raw(url, sent)
        const [head = ''] = answer.split('\r\n\r\n')
        t.notMatch(head, /^x-evil:/im, `${method} ${name}`)
      }
  const answer = await raw(
    url,
    'GET /graphql%0d%0aX-Evil:%201?a=%0d%0a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  )
  t.match(answer, /^HTTP\/1\.1 404 /)
  t.notMatch(answer.split('\r\n\r\n')[0], /^x-evil:/im)
})

t.test('texts that patterns choke on are answered at once', async (t) => {
  const app = await openGuarded(t)
  const long = 16_000
  const texts = [
    'a'.repeat(long),
    ' '.repeat(long),
    ','.repeat(long),
    ';'.repeat(long),
    '/'.repeat(long),
    '='.repeat(long),
    '['.repeat(long),
    '1.'.repeat(long / 2),
    ':'.repeat(long),
    `${'::1,'.repeat(long / 4)}x`,
    'a/b;q=0.1,'.repeat(long / 10),
    `text/${' '.repeat(long)}plain`,
    `Bearer ${' '.repeat(long)}x`,
    `Bearer ${'a.'.repeat(long / 2)}`,
    `https://${'a.'.repeat(long / 2)}`,
    `"${'\\'.repeat(long)}`,
  ]
  const names = [
    'accept',
    'authorization',
    'content-type',
    'cookie',
    'origin',
    'host',
    'x-forwarded-for',
    'x-real-ip',
    'x-request-id',
    'x-api-key',
    'access-control-request-headers',
    'sec-fetch-site',
  ]
  let slowest = 0
  for (const name of names)
    for (const value of texts) {
      const headers = {
        'content-type': 'application/json',
        [name]: value,
        ...(name.startsWith('access')
          ? { origin: 'https://app.example.com', 'access-control-request-method': 'POST' }
          : {}),
      }
      const started = performance.now()
      const { status } = await app.inject({
        method: name.startsWith('access') ? 'OPTIONS' : 'POST',
        url: '/graphql',
        headers,
        body: '{"query":"{ users { id } }"}',
      })
      slowest = Math.max(slowest, performance.now() - started)
      t.ok(status < 500, `${name}: ${status}`)
    }
  t.ok(slowest < 2000, `the slowest took ${Math.round(slowest)} ms`)
})

t.test('guessing on every way in ends in the same lock', async (t) => {
  const app = await openGuarded(t, { failed_login_max_attempts: 6, trust_proxy_headers: false })
  const query = '/graphql?query=%7Busers%7Bid%7D%7D'
  const forged = { authorization: `Bearer ${hs256(claims(), 'another secret of thirty-two bytes!')}` }
  const good = { authorization: `Bearer ${hs256()}` }
  for (const [guess, right] of [
    [{ 'x-api-key': 'guess' }, { 'x-api-key': KEY }],
    [forged, forged],
  ] as const) {
    const json = { ...guess, 'content-type': 'application/json' }
    const tries = [
      { url: query, headers: guess },
      { url: '/graphql', method: 'POST', headers: json, body: '{"query":"{users{id}}"}' },
      { url: '/graphql', method: 'POST', headers: json, body: '{' },
      { url: '/nowhere', headers: guess },
      { url: query, headers: { ...guess, 'x-forwarded-for': '192.0.2.99', 'x-real-ip': '192.0.2.98' } },
    ]
    for (const one of tries) t.not((await app.inject(one)).status, 429)
    t.equal((await app.inject(tries[0]!)).status, 429, 'the sixth')
    for (const one of [
      ...tries,
      { url: query, headers: right },
      { url: query, headers: { ...right, 'x-forwarded-for': '192.0.2.1' } },
    ])
      t.match(await app.inject(one), { status: 429, headers: { 'retry-after': /^\d+$/ } })
    t.equal((await app.inject({ url: query })).status, 200, 'who brings none goes on')
    t.equal((await app.inject({ url: query, headers: good })).status, 200, 'and who brings a verified token')
  }
})
