import t from 'tap'
import { isHost, readTarget } from '../../../../core/service/http/request-target.ts'

t.test('a path and a URL are one target', async (t) => {
  const path = readTarget('/auth/refresh?x=1')
  t.strictSame(path, { url: '/auth/refresh?x=1', pathname: '/auth/refresh', queryString: 'x=1', authority: null })
  for (const url of ['http://shop.example/auth/refresh?x=1', 'HTTPS://shop.example/auth/refresh?x=1'])
    t.strictSame(readTarget(url), { ...path, authority: 'shop.example' }, url)
  t.match(readTarget('http://shop.example'), { url: /^\/$/, pathname: /^\/$/ })
  t.match(readTarget('http://shop.example?x=1'), { url: '/?x=1', pathname: /^\/$/, queryString: 'x=1' })
  t.match(readTarget('http://[::1]:8080/x'), { pathname: /^\/x$/, authority: '[::1]:8080' })
})

t.test('characters that need no percent-encoding are decoded', async (t) => {
  const pathOf = (raw: string) => readTarget(raw)?.pathname
  t.equal(pathOf('/auth/%72efresh'), '/auth/refresh')
  t.equal(pathOf('/%61%75th/refresh%2E'), '/auth/refresh.')
  t.equal(pathOf('http://x/%61uth/refresh'), '/auth/refresh')
  t.equal(pathOf('/a%2fb%3f%c3%bc'), '/a%2Fb%3F%C3%BC', 'what needs it keeps it, in one case')
  t.equal(pathOf('/a%2'), '/a%2')
  t.equal(pathOf('/a%zz'), '/a%zz')
  t.equal(pathOf('/%252F'), '/%252F', 'nothing is decoded twice')
  t.equal(pathOf('/x?q=%61'), '/x')
  t.equal(readTarget('/x?q=%61')?.url, '/x?q=%61', 'the URL stays as it was sent')
})

t.test('anything else is no target', async (t) => {
  const bad = ['*', '', 'auth/refresh', 'x:443', 'ftp://x/y', 'http:/x', 'http://', 'http:///x', '/x#y', 'http://x/y#z']
  for (const raw of [...bad, 'http://user@x/y', 'http://user:pass@x/y', 'http://x y/z', 'http://x\\y/z'])
    t.equal(readTarget(raw), null, JSON.stringify(raw))
})

t.test('a host is a name or an address with a port, and no user', async (t) => {
  for (const host of ['x', 'shop.example', 'shop.example:8080', '127.0.0.1:1', '[::1]', '[::1]:80', 'a_b-c.example'])
    t.ok(isHost(host), host)
  for (const host of [
    '',
    'user@shop.example',
    'a, b',
    'a,b',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    '::1',
    'x:y',
    'x:123456',
    'x\\y',
  ])
    t.notOk(isHost(host), JSON.stringify(host))
})
