import { PassThrough } from 'node:stream'
import t from 'tap'
import { InputErrors } from '../../../core/base/errors/input-errors.ts'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { Exchange, Reply, ToPublicError } from '../../../core/doors/plugin.ts'
import { CAPABILITIES_KEY, readMeta, VERSION_KEY } from '../../../plugins/mcp/http/check-headers.ts'
import { metadataPaths, protectedResource } from '../../../plugins/mcp/http/protected-resource.ts'
import { Offers } from '../../../plugins/mcp/offers/offers.ts'
import type { Client } from '../../../plugins/mcp/protocol/client.ts'
import { completeFor } from '../../../plugins/mcp/resources/complete.ts'
import { readLines } from '../../../plugins/mcp/stdio/serve-stdio.ts'
import { errorResult, ToolErrors } from '../../../plugins/mcp/tools/tool-errors.ts'
import { configWith } from '../../helpers/config.ts'
import { failure } from '../../helpers/kernel.ts'

const exchange = {} as Exchange

function listen(most: number) {
  const input = new PassThrough()
  const seen: string[] = []
  const stop = readLines(input, most, {
    line: (text) => void seen.push(`line ${text}`),
    tooLong: () => void seen.push('too long'),
    end: () => void seen.push('end'),
  })
  /** In chunks as they are given. */
  const send = async (...chunks: readonly (string | Buffer)[]) => {
    for (const chunk of chunks) {
      input.write(chunk)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const end = async () => {
    input.end()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { input, seen, send, end, stop }
}

t.test('lines of a stream, however it is cut', async (t) => {
  const { seen, send, end } = listen(10)
  const umlaut = Buffer.from('ü')
  await send('one\ntw', 'o\r\n\n  \n', umlaut.subarray(0, 1), umlaut.subarray(1), '\nlast')
  t.strictSame(seen, ['line one', 'line two', 'line ü'])
  await end()
  t.strictSame(seen, ['line one', 'line two', 'line ü', 'line last', 'end'])
})

t.test('a line that is too long is said once, and the next one is read', async (t) => {
  const { seen, send, end } = listen(5)
  await send('12345\n123456\nok\n', '1234', '56', '789', '0\nok\n', '12345678')
  await end()
  t.strictSame(seen, ['line 12345', 'too long', 'line ok', 'too long', 'line ok', 'too long', 'end'])
})

t.test('a client that has stopped reading gets nothing more, not even the end', async (t) => {
  const { input, seen, send, end, stop } = listen(10)
  await send('one\n')
  stop()
  t.equal(input.isPaused(), true)
  // Another reader of the stream lets it flow to its end.
  input.resume()
  await send('two\n')
  await end()
  t.strictSame(seen, ['line one'])
})

t.test('failures of a call as a result', async (t) => {
  const show: ToPublicError = (error) => {
    const { code, message, status, details = {}, retryAfter } = error as SvcError
    return { code, message, status, details, retryAfter }
  }
  const result = (error: unknown) => {
    const { content, isError } = JSON.parse(errorResult(error, show, exchange))
    t.equal(isError, true)
    t.equal(content.length, 1)
    return JSON.parse(content[0].text)
  }
  const refusal = (n: number) => new SvcError('FORBIDDEN', `no ${n}`, { path: ['a', n] })
  t.strictSame(result(refusal(1)), { error: { code: 'FORBIDDEN', message: 'no 1', path: ['a', 1] } })
  const late = new SvcError('SERVICE_UNAVAILABLE', 'later', { retryAfter: 3, details: { store: 'x' } })
  t.strictSame(result(late), {
    error: { code: 'SERVICE_UNAVAILABLE', message: 'later', details: { store: 'x' }, retryAfter: 3 },
  })
  const many = (count: number) => Array.from({ length: count }, (_, n) => refusal(n))
  t.strictSame(result(new ToolErrors(many(1))), { error: { code: 'FORBIDDEN', message: 'no 0', path: ['a', 0] } })
  const ten = result(new ToolErrors(many(10)))
  t.strictSame([ten.errors.length, ten.more], [10, undefined])
  const twelve = result(new ToolErrors(many(12)))
  t.strictSame([twelve.errors.length, twelve.more], [10, 2], 'it says how many it leaves out')
  const problem = (n: number) => ({
    message: `m ${n}`,
    context: {},
    path: ['f', n],
    field: `f${n}`,
    locations: undefined,
  })
  const inputs = result(new ToolErrors([refusal(0), new InputErrors([problem(1), problem(2)])]))
  t.strictSame(
    inputs.errors.map(({ code, path }: { code: string; path: unknown }) => [code, path]),
    [
      ['FORBIDDEN', ['a', 0]],
      ['VALIDATION_ERROR', ['f', 1]],
      ['VALIDATION_ERROR', ['f', 2]],
    ],
    'each problem of an input is one of them',
  )
})

t.test('completion has a hundred values at most, and says how many there are', async (t) => {
  const offers = new Offers({ of: () => ({ tools: new Map(), prompts: [] }) } as never)
  const get = async () => ({ messages: [] })
  for (const count of [0, 99, 100, 101]) {
    const values = Array.from({ length: count }, (_, n) => `v${n}`)
    offers.addPrompt({
      name: `of ${count}`,
      description: '',
      arguments: [{ name: 'a', description: '', required: false }],
      get,
      complete: () => values,
    } as never)
    const ref = { type: 'ref/prompt', name: `of ${count}` }
    const completed = await completeFor(offers, { ref, argument: { name: 'a', value: '' } }, { exchange } as Client)
    t.strictSame(completed, {
      completion: { values: values.slice(0, 100), total: count, hasMore: count > 100 },
    })
  }
  const prompt = { type: 'ref/prompt', name: 'of 99' }
  const value = { name: 'a', value: '' }
  for (const [what, params] of Object.entries({
    'no ref': { argument: value },
    'no argument': { ref: prompt },
    'an argument that is a text': { ref: prompt, argument: 'a' },
    'no name': { ref: prompt, argument: { value: '' } },
    'no value': { ref: prompt, argument: { name: 'a' } },
    'another argument': { ref: prompt, argument: { ...value, name: 'b' } },
    'another prompt': { ref: { ...prompt, name: 'of 98' }, argument: value },
    'another kind': { ref: { ...prompt, type: 'ref/tool' }, argument: value },
    'no template': { ref: { type: 'ref/resource', uri: 'x' }, argument: value },
  })) {
    const refused = await failure(() => completeFor(offers, params, { exchange } as Client))
    t.match(refused, { code: -32602 }, what)
  }
})

t.test('a message of the newest revision says which it is, and what its client can do', async (t) => {
  const meta = (of: object) => ({ params: { _meta: of } })
  const capabilities = { sampling: {} }
  t.strictSame(readMeta(meta({ [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: capabilities })), capabilities)
  const old = await failure(async () => readMeta(meta({ [VERSION_KEY]: '2025-11-25', [CAPABILITIES_KEY]: {} })))
  t.match(old, { code: -32022, status: 400 })
  t.strictSame((old as unknown as { data: object }).data, { supported: ['2026-07-28'], requested: '2025-11-25' })
  const unknown = await failure(async () => readMeta(meta({ [VERSION_KEY]: 'x'.repeat(60), [CAPABILITIES_KEY]: {} })))
  t.match(unknown, { code: -32022, status: 400 })
  t.strictSame((unknown as unknown as { data: object }).data, {
    supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
    requested: 'x'.repeat(50),
  })
  for (const [of, key] of [
    [{ [CAPABILITIES_KEY]: {} }, VERSION_KEY],
    [{ [VERSION_KEY]: 5, [CAPABILITIES_KEY]: {} }, VERSION_KEY],
    [{ [VERSION_KEY]: '2026-07-28' }, CAPABILITIES_KEY],
    [{ [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: [] }, CAPABILITIES_KEY],
  ] as const) {
    const refused = await failure(async () => readMeta(meta(of)))
    t.match(refused, { code: -32602, status: 400, message: `"_meta" of the params has to have "${key}".` })
  }
})

t.test('where clients find out how to get a token', async (t) => {
  const options = { path: '/mcp', public_url: undefined, authorization_servers: ['https://login.example.com'] }
  const urlFor = (host: string | undefined, more: object = {}, scheme = 'https') =>
    protectedResource({ ...options, ...more } as never, configWith(), () => scheme)?.urlFor({
      headers: { host },
    } as never)
  const place = '/.well-known/oauth-protected-resource/mcp'
  t.equal(urlFor('api.example.com'), `https://api.example.com${place}`)
  t.equal(urlFor('api.example.com:8443', {}, 'http'), `http://api.example.com:8443${place}`)
  for (const host of [undefined, '', 'a b', 'user@example.com', 'a.example/x', 'a.example:99999']) {
    t.equal(urlFor(host), `https://localhost${place}`, String(host))
  }
  const shop = { public_url: 'https://api.example.com/shop/mcp/' }
  t.equal(urlFor('evil.example.com', shop), `https://api.example.com/.well-known/oauth-protected-resource/shop/mcp`)
  t.strictSame(metadataPaths({ path: '/mcp', ...shop }), [
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-protected-resource/shop/mcp',
  ])
  t.strictSame(metadataPaths({ path: '/mcp' }), [place])
  const odd = { path: '/mcp', public_url: 'https://api.example.com/a(b)' }
  t.match(await failure(async () => metadataPaths(odd)), { code: 'SVC_CONFIG_INVALID' })
})

t.test('authorization servers are those of the option, or else the token issuers with a URL', async (t) => {
  const servers = (own: readonly string[], security: object | undefined) => {
    const options = { path: '/mcp', public_url: undefined, authorization_servers: own }
    const resource = protectedResource(options as never, configWith({ security: security ?? {} }), () => 'https')
    if (resource === null) return null
    const reply = resource.routes[0]!.handler({ headers: { host: 'a.example' }, params: {} } as never) as Reply
    t.strictSame([reply.status, resource.routes[0]!.anonymous], [200, true])
    t.strictSame(reply.headers, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'max-age=300',
      vary: 'Host',
    })
    return JSON.parse(String(reply.body)).authorization_servers
  }
  const issuer = 'https://login.example.com'
  t.equal(servers([], undefined), null)
  t.equal(servers([], {}), null)
  t.strictSame(servers([], { jwt_issuer: issuer }), [issuer])
  t.equal(servers([], { jwt_issuer: issuer, jwt_secret: 's' }), null, 'a secret of ours')
  t.equal(servers([], { jwt_issuer: 'login' }), null, 'no address')
  t.strictSame(servers([], { jwt_issuers: [{ issuer }, { issuer: 'x' }, { issuer: 'http://b' }] }), [
    issuer,
    'http://b',
  ])
  t.strictSame(servers([], { jwt_issuer: 'https://a', jwt_issuers: [{ issuer }] }), ['https://a', issuer])
  t.strictSame(servers(['https://own'], { jwt_issuer: issuer }), ['https://own'])
})
