import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t from 'tap'
import cors from '../../../plugins/cors/index.ts'
import { entry } from '../../helpers/kernel.ts'
import { requireService } from '../../helpers/services.ts'
import { as } from '../../helpers/test-credential.ts'
import { ask, call, errorOf, openWorld } from './world.ts'

const NEWEST = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
}

t.test('the protocol over HTTP', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  // Nothing but its client ends a call.
  const server = { request_timeout_ms: 0 }
  const app = await openWorld(t, { server, mcp: { allowed_origins: ['https://agents.example.com'] } })
  const url = await app.listen()
  const raw = (body: string, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: '/mcp', headers: { 'content-type': 'application/json', ...headers }, body })
  const modern = (method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
    const name = params.name ?? params.uri
    const named: Record<string, string> = typeof name === 'string' ? { 'mcp-name': name } : {}
    const all = { 'mcp-protocol-version': NEWEST, 'mcp-method': method, ...named, ...headers }
    return ask(app, method, { _meta: META, ...params }, all)
  }
  const init = (protocolVersion: unknown, headers: Record<string, string> = {}) =>
    ask(app, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } }, headers)

  await t.test('revisions', async (t) => {
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      t.match(await init(version), { result: { protocolVersion: version, serverInfo: { name: String } } })
    }
    for (const version of ['1999-01-01', NEWEST, 5, undefined]) {
      t.match(await init(version), { result: { protocolVersion: '2025-11-25' } }, String(version))
    }
    const session = async (version: string) => String((await init(version)).headers['mcp-session-id'])
    const first = async (version: string) => {
      const headers = { 'mcp-session-id': await session(version) }
      const list = await app.inject({
        method: 'POST',
        url: '/mcp',
        headers,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      })
      const called = await app.inject({
        method: 'POST',
        url: '/mcp',
        headers,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'book', arguments: { id: '1' } } },
      })
      return [...Object.keys(list.json<never>()['result']['tools'][0]), ...Object.keys(called.json<never>()['result'])]
    }
    const old = ['name', 'description', 'inputSchema']
    t.same(await first('2024-11-05'), [...old, 'content', 'isError'], 'nothing that it does not know')
    t.same(await first('2025-03-26'), [...old, 'annotations', 'content', 'isError'])
    t.same(await first('2025-06-18'), [
      'name',
      'title',
      ...old.slice(1),
      'outputSchema',
      'annotations',
      'content',
      'structuredContent',
      'isError',
    ])
    t.match(await ask(app, 'tools/list', {}, { 'mcp-protocol-version': '2020-01-01' }), {
      status: 400,
      error: { code: -32022, data: { requested: '2020-01-01', supported: [NEWEST, '2025-11-25'] } },
    })
    t.match(await ask(app, 'server/discover'), { error: { code: -32601 } })
    t.match(await ask(app, 'ping'), { status: 200, result: {} })
  })

  await t.test('the newest says everything in each message', async (t) => {
    t.match(await modern('server/discover'), {
      status: 200,
      result: {
        resultType: 'complete',
        supportedVersions: [NEWEST, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: String } },
        cacheScope: 'public',
      },
    })
    const list = await modern('tools/list')
    t.match(list.result, { resultType: 'complete', cacheScope: 'private', ttlMs: Number })
    t.match(await modern('tools/call', { name: 'book', arguments: { id: '1' } }), {
      result: { resultType: 'complete', structuredContent: { book: { id: /^1$/ } }, isError: false },
    })
    t.equal((await modern('tools/list')).headers['mcp-session-id'], undefined)
    const name = `=?base64?${Buffer.from('book').toString('base64')}?=`
    t.match(await modern('tools/call', { name: 'book', arguments: { id: '1' } }, { 'mcp-name': name }), { status: 200 })
    const refused: [string, Promise<{ status: number; error: { code: number } }>, number, number][] = [
      ['method', modern('tools/list', {}, { 'mcp-method': 'prompts/list' }), 400, -32020],
      ['case', modern('tools/list', {}, { 'mcp-method': 'TOOLS/LIST' }), 400, -32020],
      ['name', modern('tools/call', { name: 'book' }, { 'mcp-name': 'books' }), 400, -32020],
      ['revision', modern('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }), 400, -32020],
      ['coding', modern('tools/call', { name: 'book' }, { 'mcp-name': '=?base64?Ym9vaw?=' }), 400, -32020],
      ['no method', ask(app, 'tools/list', { _meta: META }, { 'mcp-protocol-version': NEWEST }), 400, -32020],
      ['no _meta', modern('tools/list', { _meta: {} }), 400, -32602],
      [
        'unknown',
        modern(
          'tools/list',
          { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } },
          { 'mcp-protocol-version': '2030-01-01' },
        ),
        400,
        -32022,
      ],
      [
        'old in new',
        modern(
          'tools/list',
          { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2025-06-18' } },
          { 'mcp-protocol-version': '2025-06-18' },
        ),
        400,
        -32022,
      ],
      ...['initialize', 'ping', 'logging/setLevel', 'nothing'].map(
        (method) => [method, modern(method), 404, -32601] as [string, ReturnType<typeof modern>, number, number],
      ),
    ]
    for (const [what, answer, status, code] of refused) t.match(await answer, { status, error: { code } }, what)
  })

  await t.test('malformed messages', async (t) => {
    const cases: [string, number, number][] = [
      ['{', 400, -32700],
      ['"x"', 400, -32600],
      ['null', 400, -32600],
      ['[]', 400, -32600],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
      ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32600],
      [`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(300)}"}`, 400, -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"__proto__"}', 200, -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"constructor"}', 200, -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__"}}', 200, -32602],
      [`{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(599)}${']'.repeat(599)}}`, 400, -32600],
      [`{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(600)}${']'.repeat(600)}}`, 400, -32700],
      [`{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400, -32700],
    ]
    for (const [body, status, code] of cases) {
      const reply = await raw(body)
      t.match(
        [reply.status, reply.json()],
        [status, { jsonrpc: '2.0', error: { code } }],
        `${body.slice(0, 60)}: ${reply.text.slice(0, 200)}`,
      )
    }
    t.equal(
      (await app.inject({ method: 'POST', url: '/mcp', headers: { 'content-type': 'text/plain' }, body: '{}' })).status,
      415,
    )
    t.equal((await raw(`"${'x'.repeat(1_100_000)}"`)).status, 413)
    t.equal((await raw('{"jsonrpc":"2.0","method":"notifications/initialized"}')).status, 202)
    t.equal((await raw('{"jsonrpc":"2.0","id":3,"result":{}}')).status, 202)
    const deep = { where: JSON.parse(`${'{"_not":'.repeat(500)}{}${'}'.repeat(500)}`) }
    t.match(errorOf(await call(app, 'books', deep)), { code: String })
    t.same((await call(app, 'books', JSON.parse('{"__proto__":{"limit":1}}'))).result.isError, true)
  })

  await t.test('lists of messages', async (t) => {
    const batch = (messages: object[], version = '2025-03-26') =>
      raw(JSON.stringify(messages), { 'mcp-protocol-version': version })
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    const reply = await batch([
      ping(1),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2 },
    ])
    t.match(reply.json(), [
      { id: 1, result: {} },
      { id: 2, error: { code: -32600 } },
    ])
    t.equal((await batch([{ jsonrpc: '2.0', method: 'x' }])).status, 202)
    t.equal((await batch(Array.from({ length: 21 }, (_, id) => ping(id)))).status, 400)
    t.equal((await batch([])).status, 400)
    t.equal((await batch([ping(1)], '2025-06-18')).status, 400)
    const told = { name: 'books', arguments: { limit: 1 }, _meta: { progressToken: 1 } }
    const messages = [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: told }, ping(2)]
    const accept = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-03-26' }
    t.match(
      (await raw(JSON.stringify(messages), accept)).json(),
      [
        { id: 1, result: { isError: false, content: [{ text: /Book 1/ }] } },
        { id: 2, result: {} },
      ],
      'a call that would be a stream of its own is answered in the list',
    )
    t.match(
      (await batch([{ ...ping(3), method: 'initialize' }])).json(),
      [{ id: 3, error: { code: -32600, message: /send it alone/ } }],
      'a session cannot begin in a list',
    )
  })

  await t.test('sessions', async (t) => {
    const ann = as({ subject: 'ann' })
    const { headers } = await init('2025-06-18', ann)
    const id = String(headers['mcp-session-id'])
    t.match(id, /^[\x21-\x7e]+$/)
    const list = (more: object) =>
      ask(app, 'tools/list', {}, { 'mcp-session-id': id, 'mcp-protocol-version': '2025-06-18', ...more })
    t.equal((await list(ann)).status, 200)
    t.equal((await list(as({ subject: 'eve' }))).status, 404, "somebody else's")
    t.equal((await list({})).status, 404)
    t.equal((await list(as({ subject: 'ann', claims: { iss: 'https://other.example' } }))).status, 404, 'another Ann')
    t.equal((await list({ ...ann, 'mcp-session-id': `${id}0` })).status, 404)
    t.equal((await list({ ...ann, 'mcp-session-id': id.replace('2025-06-18', '2025-11-25') })).status, 404)
    const end = (more: object) => app.inject({ method: 'DELETE', url: '/mcp', headers: { ...ann, ...more } })
    t.equal((await end({})).status, 400)
    t.equal((await end({ 'mcp-session-id': id })).status, 204)
    t.equal((await list(ann)).status, 404, 'it has ended')
    t.equal((await end({ 'mcp-session-id': id })).status, 404)
  })

  await t.test('web pages', async (t) => {
    const from = async (headers: Record<string, string>) => (await ask(app, 'ping', {}, headers)).status
    t.equal(await from({ host: 'evil.example.com', origin: 'http://evil.example.com' }), 403, 'a name that leads here')
    t.equal(await from({ origin: 'https://evil.example.com' }), 403)
    t.equal(await from({ origin: 'null' }), 403)
    t.equal(await from({ host: 'localhost:1', origin: 'http://localhost.evil.example:1' }), 403)
    t.equal(await from({ origin: 'https://agents.example.com' }), 200)
    t.equal(await from({ host: 'localhost:8080', origin: 'http://localhost:3000' }), 200)
    t.equal(await from({ host: '127.0.0.1:8080', origin: 'http://[::1]:3000' }), 200)
    t.equal(
      (await app.inject({ method: 'DELETE', url: '/mcp', headers: { origin: 'https://evil.example.com' } })).status,
      403,
    )
  })

  await t.test('a cancelled call ends its statement, even if others wait', async (t) => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
    t.teardown(() => client.close())
    const stop = new AbortController()
    const slow = client.callTool({ name: 'slows', arguments: {} }, undefined, { signal: stop.signal })
    slow.catch(() => {})
    while (app.database.pool.active === 0) await new Promise((resolve) => setImmediate(resolve))
    // Another session has a request of the same number.
    const other = String((await init('2025-06-18')).headers['mcp-session-id'])
    for (const requestId of [0, 1, 2]) {
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }
      const headers = { 'mcp-session-id': other, 'mcp-protocol-version': '2025-06-18' }
      t.equal((await raw(JSON.stringify(cancelled), headers)).status, 202)
    }
    await sleep(500)
    t.equal(app.database.pool.active, 1)
    stop.abort()
    await t.rejects(slow)
    while (app.database.pool.active > 0) await new Promise((resolve) => setImmediate(resolve))
    t.match((await client.callTool({ name: 'book', arguments: { id: '1' } })).structuredContent, {
      book: { id: /^1$/ },
    })
  })

  await t.test('progress of a list', async (t) => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
    t.teardown(() => client.close())
    const told: object[] = []
    const onprogress = (progress: object) => told.push(progress)
    const args = { limit: 90, offset: 50, orderBy: [{ id: 'ASC' }], fields: ['id'] }
    const answer = await client.callTool({ name: 'books', arguments: args }, undefined, { onprogress })
    t.match(told.at(-1), { progress: 90, total: 90 })
    t.same(answer.structuredContent, (await call(app, 'books', args)).result.structuredContent, 'the same answer')
    const failed = await client.callTool({ name: 'books', arguments: { limit: 'x' } }, undefined, { onprogress })
    t.match(failed, { isError: true })
  })

  await t.test('a client that waits for changes gets them', async (t) => {
    const stop = new AbortController()
    const meta = { ...META }
    const reply = await fetch(`${url}/mcp`, {
      method: 'POST',
      signal: stop.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': NEWEST,
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'subscriptions/listen',
        params: { _meta: meta, notifications: { promptsListChanged: true } },
      }),
    })
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader()
    t.match((await reader.read()).value, /subscriptions\/acknowledged.*"promptsListChanged":true/)
    app.kernel.provided('mcp')!.changed('tools')
    app.kernel.provided('mcp')!.changed('prompts')
    const next = (await reader.read()).value
    t.match(next, /notifications\/prompts\/list_changed/)
    t.notMatch(next, /tools/)
    stop.abort()
    t.equal((await app.inject({ url: '/mcp', headers: { accept: 'application/json' } })).status, 406)
  })
})

t.test('pages of a browser', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const [app, agents, other] = ['https://app.example.com', 'https://agents.example.com', 'https://evil.example.com']
  const opened = await openWorld(t, {
    mcp: { allowed_origins: [agents] },
    plugins: [entry(cors, { origins: [app], credentials: true })],
  })
  const preflight = (origin: string, path = '/mcp') => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-session-id' }
    return opened.inject({ method: 'OPTIONS', url: path, headers: { origin, ...asked } })
  }
  for (const origin of [app, agents]) {
    const { status, headers } = await preflight(origin)
    t.match([status, headers['access-control-allow-origin']], [204, origin])
    t.match(headers, { 'access-control-allow-headers': 'mcp-session-id', vary: /Origin/ })
  }
  t.equal((await preflight(agents)).headers['access-control-allow-credentials'], undefined, 'no cookies')
  t.equal((await preflight(app)).headers['access-control-allow-credentials'], 'true')
  t.equal((await preflight(other)).status, 403)
  t.equal((await preflight(agents, '/graphql')).status, 403, 'no other path')
  const metadata = '/.well-known/oauth-protected-resource/mcp'
  t.equal((await preflight(agents, metadata)).status, 204, 'whoever may call may find out where to get a credential')
  t.equal((await preflight(other, metadata)).status, 403)
  const { headers } = await ask(opened, 'initialize', {}, { origin: agents })
  t.equal(headers['access-control-allow-origin'], agents)
  t.match(headers['access-control-expose-headers'], /X-Request-Id.*Mcp-Session-Id, WWW-Authenticate/)
  const everywhere = await openWorld(t, { mcp: { allowed_origins: [agents] }, plugins: [entry(cors)] })
  const begun = await ask(everywhere, 'initialize', {}, { origin: agents })
  t.match(begun.headers['access-control-expose-headers'], /Mcp-Session-Id/, 'all origins, too')
  for (const wrong of ['*', 'https://*.example.com', 'https://app.example.com/', 'app.example.com'])
    await t.rejects(
      openWorld(t, { mcp: { allowed_origins: [wrong] } }),
      { message: /svc\.mcp\.allowed_origins: "/ },
      wrong,
    )
})

t.test('a stream of changes begins at once', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await (await openWorld(t)).listen()
  // The first sign of life would come after 30 seconds.
  const signal = AbortSignal.timeout(15_000)
  const reply = await fetch(`${url}/mcp`, { headers: { accept: 'text/event-stream' }, signal })
  t.match([reply.status, reply.headers.get('content-type')], [200, /text\/event-stream/])
  await reply.body?.cancel()
})

t.test('require_auth', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const app = await openWorld(t, {
    server: { host: '0.0.0.0' },
    mcp: { require_auth: true, authorization_servers: ['https://login.example.com'], max_streams: 0 },
  })
  const host = { host: 'api.example.com' }
  const refused = await ask(app, 'tools/list', {}, host)
  t.match(refused, { status: 401, error: { data: { code: 'UNAUTHENTICATED' } } })
  const url = 'http://api.example.com/.well-known/oauth-protected-resource/mcp'
  t.equal(refused.headers['www-authenticate'], `Bearer resource_metadata="${url}"`)
  t.equal((await ask(app, 'initialize', {}, host)).status, 401)
  t.equal((await app.inject({ method: 'DELETE', url: '/mcp' })).status, 401)
  t.equal((await ask(app, 'tools/list', {}, { ...host, 'x-caller': 'bad' })).status, 401)
  const described = await app.inject({ url: new URL(url).pathname, headers: host })
  t.match(described.json(), {
    resource: 'http://api.example.com/mcp',
    authorization_servers: ['https://login.example.com'],
    bearer_methods_supported: ['header'],
  })
  const odd = await app.inject({ url: new URL(url).pathname, headers: { host: 'a.example/"><script>' } })
  t.equal(odd.status, 400, 'what is no host stands in no URL')
  const user = await app.inject({ url: new URL(url).pathname, headers: { host: 'user@api.example.com' } })
  t.equal(user.status, 400)
  t.equal((await ask(app, 'tools/list', {}, as({}))).status, 200)
  const waits = await app.inject({ url: '/mcp', headers: { ...as({}), accept: 'text/event-stream' } })
  t.match([waits.status, waits.headers['retry-after']], [503, /^30$/], 'streams are bounded')
})

t.test('behind a proxy of the same machine', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const app = await openWorld(t, {
    mcp: {
      require_auth: true,
      public_url: 'https://api.example.com/shop/mcp',
      authorization_servers: ['https://login.example.com'],
    },
  })
  const { status, headers } = await ask(app, 'ping', {}, { host: 'api.example.com' })
  t.equal(status, 401)
  const place = 'https://api.example.com/.well-known/oauth-protected-resource/shop/mcp'
  t.equal(headers['www-authenticate'], `Bearer resource_metadata="${place}"`)
  t.equal((await ask(app, 'ping', {}, { host: 'evil.example.com' })).status, 403)
  const named = await app.inject({ url: new URL(place).pathname, headers: { host: 'api.example.com' } })
  t.match(named.json(), { resource: 'https://api.example.com/shop/mcp' }, 'it is where svc says')
  const described = await app.inject({
    url: '/.well-known/oauth-protected-resource/mcp',
    headers: { host: 'api.example.com' },
  })
  t.equal(described.json<{ resource: string }>().resource, 'https://api.example.com/shop/mcp')
})
