import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { HttpExchange } from '../../../../core/contract/http-exchange.ts'
import type { Reply } from '../../../../core/contract/reply.ts'
import type { Route } from '../../../../core/contract/route.ts'
import { echo, serve } from './http-fixture.ts'

const say = (ctx: HttpExchange): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    url: ctx.url,
    pathname: ctx.pathname,
    queryString: ctx.queryString,
    params: ctx.params,
    route: ctx.route?.path ?? null,
    host: ctx.headers.host ?? null,
  }),
})
const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/auth/refresh', handler: say },
  { method: 'GET', path: '/rows/:id', handler: say },
  { method: 'POST', path: '/auth/refresh', handler: say },
  echo,
]

/** Sends the lines as they are. @returns the whole answer */
async function send(url: string, ...lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`)
  return text(socket)
}

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

t.test('an absolute target is the same request, at the host that it names', async (t) => {
  const { url } = await serve(t, ROUTES)
  const plain = bodyOf(await send(url, 'GET /auth/refresh?a=1 HTTP/1.1', 'host: shop.example'))
  t.strictSame(plain, {
    url: '/auth/refresh?a=1',
    pathname: '/auth/refresh',
    queryString: 'a=1',
    params: {},
    route: '/auth/refresh',
    host: 'shop.example',
  })
  t.strictSame(
    bodyOf(await send(url, 'GET http://shop.example/auth/refresh?a=1 HTTP/1.1', 'host: shop.example')),
    plain,
  )
  t.strictSame(bodyOf(await send(url, 'GET http://shop.example/auth/%72efresh?a=1 HTTP/1.1', 'host: x')), {
    ...plain,
    url: '/auth/%72efresh?a=1',
  })
})

t.test('hooks of onRequest know the route, and the route of none', async (t) => {
  const seen: unknown[] = []
  const { url } = await serve(t, ROUTES, {}, (ctx, next) => {
    seen.push([ctx.method, ctx.route === null ? null : `${ctx.route.method} ${ctx.route.path}`, ctx.params.id])
    return next()
  })
  const asked = [
    ['GET', '/rows/7', 'GET /rows/:id', '7'],
    ['HEAD', '/rows/7', 'GET /rows/:id', '7'],
    ['POST', '/auth/%72efresh', 'POST /auth/refresh', undefined],
    ['POST', 'http://x/auth/refresh', 'POST /auth/refresh', undefined],
    ['POST', '/rows/7', null, undefined],
    ['GET', '/nowhere', null, undefined],
    ['GET', '/auth/refresh/', null, undefined],
    ['GET', '/AUTH/refresh', null, undefined],
    ['GET', '//auth/refresh', null, undefined],
    ['GET', '/auth%2Frefresh', null, undefined],
    ['GET', '/rows/../auth/refresh', null, undefined],
    ['GET', '/rows/%2e%2e/auth/refresh', null, undefined],
  ] as const
  for (const [method, path] of asked) await send(url, `${method} ${path} HTTP/1.1`, 'host: x')
  for (const [index, [method, path, route, id]] of asked.entries()) t.strictSame(seen[index], [method, route, id], path)
})

t.test('any other target is 400, before any hook', async (t) => {
  let hooked = 0
  const { url } = await serve(t, ROUTES, {}, (_ctx, next) => {
    hooked++
    return next()
  })
  for (const target of ['*', 'ftp://x/y', 'http://user@x/auth/refresh', 'http://', '/auth/refresh#a', 'http://x y/z'])
    t.equal(statusOf(await send(url, `OPTIONS ${target} HTTP/1.1`, 'host: x')), 400, target)
  t.equal(hooked, 0)
  t.equal(statusOf(await send(url, 'GET /auth/refresh HTTP/1.1', 'host: x')), 200)
  t.equal(hooked, 1)
})

t.test('a request has one host, which is a host', async (t) => {
  const { url } = await serve(t, ROUTES)
  const status = async (...hosts: readonly string[]) =>
    statusOf(await send(url, 'GET /auth/refresh HTTP/1.1', ...hosts.map((host) => `host: ${host}`)))
  t.equal(await status('shop.example'), 200)
  t.equal(await status('shop.example:8080'), 200)
  t.equal(await status('[::1]:80'), 200)
  t.equal(await status('shop.example', 'evil.example'), 400)
  t.equal(await status('shop.example', 'shop.example'), 400, 'twice the same is two')
  for (const host of ['user@shop.example', 'shop.example, evil.example', 'shop.example/x', 'a b', 'shop.example:x'])
    t.equal(await status(host), 400, host)
  t.match(await send(url, 'GET /auth/refresh HTTP/1.1', 'host: a', 'host: b'), /one host/)
  const absolute = ['GET http://shop.example/auth/refresh HTTP/1.1', 'host: a', 'host: b']
  t.equal(statusOf(await send(url, ...absolute)), 400, 'also where the target says which')
})

t.test('the second of two credentials is not dropped in silence', async (t) => {
  const seen: unknown[] = []
  const { url } = await serve(t, ROUTES, {}, (ctx, next) => {
    seen.push(ctx.headers.authorization)
    return next()
  })
  await send(url, 'GET /auth/refresh HTTP/1.1', 'host: x', 'authorization: Bearer a', 'authorization: Bearer b')
  t.strictSame(seen, ['Bearer a, Bearer b'])
})

t.test('a compressed body is 415, and the answer says what is taken', async (t) => {
  const { url } = await serve(t, ROUTES)
  const post = (encoding: string | null) =>
    send(
      url,
      'POST /echo HTTP/1.1',
      'host: x',
      'content-length: 0',
      ...(encoding === null ? [] : [`content-encoding: ${encoding}`]),
    )
  for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'x']) {
    const answer = await post(encoding)
    t.equal(statusOf(answer), 415, encoding)
    t.match(answer, /\r\naccept-encoding: identity\r\n/i)
    t.match(answer, /UNSUPPORTED_MEDIA_TYPE/)
  }
  for (const encoding of [null, 'identity', 'Identity']) t.equal(statusOf(await post(encoding)), 200, String(encoding))
})

t.test('an answer says who may keep it, also one that no route gives', async (t) => {
  const { url } = await serve(t, ROUTES)
  const control = async (line: string) => /\r\ncache-control: ([^\r]*)/i.exec(await send(url, line, 'host: x'))?.[1]
  for (const line of [
    'GET /auth/refresh',
    'GET /nowhere',
    'PUT /auth/refresh',
    'OPTIONS *',
    `GET /${'x'.repeat(9000)}`,
  ])
    t.equal(await control(`${line} HTTP/1.1`), 'no-store', line.slice(0, 40))
  t.equal(await control('GET /x HTTP/9.9'), 'no-store', 'and what is not HTTP')
})

t.test('a parameter is as long as a URL may be', async (t) => {
  const { url } = await serve(t, ROUTES)
  const id = 'x'.repeat(2000)
  t.equal(bodyOf(await send(url, `GET /rows/${id} HTTP/1.1`, 'host: x')).params.id, id)
  t.equal(bodyOf(await send(url, 'GET /rows/a%2Fb%3Fc%25d HTTP/1.1', 'host: x')).params.id, 'a/b?c%d')
})
