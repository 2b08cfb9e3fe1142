import t from 'tap'
import {
  type CacheabilityParts,
  createCacheability,
  type RequestFacts,
} from '../../../../core/service/http/cacheability.ts'

const ROUTE = { method: 'GET', path: '/rows' }
const asked = (more: Partial<RequestFacts> = {}): RequestFacts => ({
  method: 'GET',
  headers: {},
  auth: null,
  route: ROUTE,
  isPrivate: false,
  ...more,
})
const make = (more: Partial<CacheabilityParts> = {}) =>
  createCacheability({
    credentials: [
      { in: 'header', name: 'Authorization' },
      { in: 'header', name: 'X-Team-Key' },
    ],
    variesBy: [],
    hasUnknown: false,
    ...more,
  })
const SHARED = 'public, max-age=60, s-maxage=120'
const AUTH = { subject: 'ann', claims: {}, scopes: [], roles: [], method: 'test' }

t.test('an answer that says nothing is kept by no cache', async (t) => {
  t.equal(make().control(asked(), 200, false, undefined), 'no-store')
  t.equal(make().control(asked({ route: null }), 404, false, undefined), 'no-store')
  t.equal(make().control(asked({ route: { ...ROUTE, anonymous: true } }), 200, false, undefined), 'no-store')
})

t.test('errors and cookies are kept by no cache, whatever the front says', async (t) => {
  for (const status of [400, 401, 404, 429, 500, 503])
    t.equal(make().control(asked(), status, false, SHARED), 'no-store')
  t.equal(make().control(asked(), 399, false, SHARED), SHARED)
  t.equal(make().control(asked(), 200, true, SHARED), 'no-store')
  const open = asked({ route: { ...ROUTE, anonymous: true } })
  t.equal(make().control(open, 500, false, SHARED), 'no-store', 'of an anonymous route, too')
  t.equal(make().control(open, 200, true, SHARED), 'no-store')
})

t.test('an answer to a request with a credential is for that caller alone', async (t) => {
  const own = 'private, max-age=60'
  const { control } = make()
  t.equal(control(asked(), 200, false, SHARED), SHARED, 'without one it may be shared')
  for (const name of ['authorization', 'x-team-key', 'cookie'])
    t.equal(control(asked({ headers: { [name]: 'x' } }), 200, false, SHARED), own, name)
  t.equal(control(asked({ headers: { 'x-other': 'x' } }), 200, false, SHARED), SHARED)
  t.equal(control(asked({ auth: AUTH }), 200, false, SHARED), own)
  t.equal(control(asked({ isPrivate: true }), 200, false, SHARED), own)
  t.equal(control(asked({ auth: AUTH }), 200, false, 'no-cache'), 'private, no-cache')
  t.equal(control(asked({ auth: AUTH }), 200, false, 'private, no-cache'), 'private, no-cache')
  t.equal(control(asked({ auth: AUTH }), 200, false, 'No-Store'), 'No-Store')
  const page = asked({ headers: { cookie: 'a=b' }, route: { ...ROUTE, anonymous: true } })
  t.equal(control(page, 200, false, SHARED), SHARED, 'a file that looks at no credential is the same for all')
})

t.test('rows that depend on headers, or on undeclared credentials, are not shared', async (t) => {
  t.equal(make({ variesBy: ['X-Tenant'] }).control(asked(), 200, false, SHARED), 'private, max-age=60')
  t.equal(make({ hasUnknown: true }).control(asked(), 200, false, SHARED), 'private, max-age=60')
})

t.test('Vary names what every authenticator reads, and what the front says', async (t) => {
  const { vary } = make()
  t.equal(vary(asked(), undefined), 'Authorization, X-Team-Key')
  t.equal(vary(asked({ method: 'HEAD' }), 'Accept'), 'Authorization, X-Team-Key, Accept')
  t.equal(vary(asked({ headers: { cookie: 'a=b' } }), 'Accept'), 'Authorization, X-Team-Key, Cookie, Accept')
  t.equal(make({ variesBy: ['X-Tenant'] }).vary(asked(), undefined), 'Authorization, X-Team-Key, X-Tenant')
  const session = make({ credentials: [{ in: 'cookie', name: '__Host-access_token' }] })
  t.equal(session.vary(asked(), 'Accept'), 'Authorization, Cookie, Accept')
  const none = make({ credentials: [] })
  t.equal(none.vary(asked(), undefined), undefined, 'where nobody is known, no answer depends on who asks')
  t.equal(none.vary(asked(), 'Accept'), 'Accept')
  t.equal(none.vary(asked({ headers: { cookie: 'a=b' } }), undefined), 'Cookie')
  t.equal(make({ credentials: [], hasUnknown: true }).vary(asked(), undefined), 'Authorization')
  t.equal(vary(asked({ method: 'POST' }), 'Accept'), 'Accept', 'no cache keeps the answer to a POST')
  t.equal(vary(asked({ route: { ...ROUTE, anonymous: true } }), 'Host'), 'Host')
  t.equal(vary(asked({ route: null }), undefined), undefined)
})
