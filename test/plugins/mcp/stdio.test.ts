import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import t from 'tap'
import { digestOf, sha256Hash } from '../../../plugins/api-keys/key-format.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { svc } from '../../helpers/service.ts'
import { requireService } from '../../helpers/services.ts'
import { as } from '../../helpers/test-credential.ts'
import { NOTES } from '../../schemas/notes.ts'
import { openWorld } from './world.ts'

t.setTimeout(180_000)

const CLI = fileURLToPath(new URL('../../../bin/svc.js', import.meta.url))
const PAGE = readFileSync(new URL('../../../docs/guides/connect-an-agent.md', import.meta.url), 'utf8')

/** The configuration of an agent, as the page for agents shows it. */
function exampleOf(file: string) {
  const text = new RegExp(`\`\`\`json file=${file}\\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? ''
  return JSON.parse(text).mcpServers.shop
}

const NOISY = `console.log('noise of the author')
export const query = {}`

t.test('an agent starts svc by the configuration of the page', async (t) => {
  const folder = t.testdir({
    db: {
      '1.sql': NOTES.sql,
    },
  })
  const schema = {
    ...NOTES.schema,
    queries: [{ name: 'notes', type: '[Note!]!', authenticated: true }],
    mutations: [],
  }
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema))
  writeFileSync(join(folder, 'noise.mjs'), NOISY)
  const key = 'svc_0123456789abcdef.a-key-of-the-test-that-is-long-enough-to-be-one'
  writeFileSync(
    join(folder, 'svc.toml'),
    `[database]\nurl = "pglite:data"\n[security.api_keys]\nenabled = true\nstorage = "env"\nstatic = [{ name = "agent", key_hash = "${sha256Hash(digestOf(key))}", scopes = [] }]\n`,
  )
  const compiled = await runCommand(folder, 'compile')
  t.equal(compiled.code, 0, compiled.err)

  const { command, args, env } = exampleOf('stdio.json')
  t.same([command, args[0], args.at(-1), Object.keys(env)], ['npx', 'svc', '--mcp-stdio', ['SVC_MCP_API_KEY']])
  const own = args.slice(1).map((each: string) => (each.endsWith('svc.toml') ? join(folder, 'svc.toml') : each))
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, ...own],
    cwd: folder,
    env: {
      ...(process.env as Record<string, string>),
      SVC_MCP_API_KEY: key,
      NODE_OPTIONS: `--import=${join(folder, 'noise.mjs')}`,
    },
    stderr: 'pipe',
  })
  let log = ''
  transport.stderr?.on('data', (chunk) => (log += chunk))
  const client = new Client({ name: 'test', version: '1' })
  const faults: Error[] = []
  client.onerror = (error) => faults.push(error)
  await client.connect(transport).catch((error) => t.fail(`${error}: ${log}`))
  t.same(
    (await client.listTools()).tools.map(({ name }) => name),
    ['notes'],
  )
  const { structuredContent } = await client.callTool({ name: 'notes', arguments: {} })
  t.same(structuredContent, {
    notes: [
      { id: '1', body: 'first' },
      { id: '2', body: 'second' },
    ],
  })
  await client.close()
  t.match(log, /serves an agent over standard input and output/)
  t.notMatch(log, /listening on/, 'nothing over HTTP')
  t.notMatch(log, key)

  const without = await svc(['run', '--mcp-stdio'], folder)
  t.equal(without.stdout, '')
  t.match(without.stderr, /set SVC_MCP_TOKEN to a token or SVC_MCP_API_KEY to a key/)
})

t.test('over two streams', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const app = await openWorld(t)
  const open = (headers = {}, served = app) => {
    const input = new PassThrough()
    const said: string[] = []
    let heard = () => {}
    let hasEnded = false
    const end = served.kernel.provided('mcp')!.serve({
      input,
      headers,
      write(line) {
        said.push(line)
        heard()
      },
      ended: () => (hasEnded = true),
    })
    const wait = async (count: number) => {
      while (said.length < count) await new Promise<void>((resolve) => (heard = resolve))
      return said.map((line) => JSON.parse(line))
    }
    const send = (message: unknown) =>
      input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
    const request = (id: unknown, method: string, params: object = {}) => send({ jsonrpc: '2.0', id, method, params })
    t.teardown(end)
    return { input, said, wait, send, request, end, isOver: () => hasEnded }
  }

  await t.test('a malformed message is answered with an error, and the next one is read', async (t) => {
    const { send, request, wait, said } = open()
    send('{"jsonrpc":')
    send('[]')
    send({ jsonrpc: '1.0', id: 1, method: 'ping' })
    send({ jsonrpc: '2.0', id: {}, method: 'ping' })
    send('')
    send({ jsonrpc: '2.0', id: 5, result: {} })
    send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    send(`"${'x'.repeat(2_000_000)}"`)
    request('é', 'ping')
    const answers = await wait(6)
    t.same(
      answers.map(({ error }) => error?.code),
      [-32700, -32600, -32600, -32600, -32600, undefined],
    )
    t.same(answers.at(-1), { jsonrpc: '2.0', id: 'é', result: {} })
    t.ok(said.every((line) => !line.includes('\n')))
  })

  await t.test('a call that is taken back stops its statement and has no answer', async (t) => {
    const { send, request, wait, said } = open()
    request(1, 'tools/call', { name: 'slows', arguments: {} })
    while (app.database.pool.active === 0) await new Promise((resolve) => setImmediate(resolve))
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    while (app.database.pool.active > 0) await new Promise((resolve) => setImmediate(resolve))
    request(2, 'ping')
    await wait(1)
    t.same(
      said.map((line) => JSON.parse(line).id),
      [2],
    )
  })

  await t.test('the revision of `initialize` holds for what follows', async (t) => {
    const members = async (protocolVersion: string | null) => {
      const { request, wait } = open()
      if (protocolVersion !== null) {
        request(1, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } })
        await wait(1)
      }
      const answers: string[][] = []
      for (const id of [2, 3]) {
        request(id, 'tools/call', { name: 'book', arguments: { id: '1' } })
        answers.push(Object.keys((await wait(protocolVersion === null ? id - 1 : id)).at(-1).result))
      }
      t.strictSame(answers[0], answers[1], 'each time')
      return answers[0]
    }
    const old = ['content', 'isError']
    const newer = ['content', 'structuredContent', 'isError']
    t.strictSame(await members('2024-11-05'), old)
    t.strictSame(await members('2025-03-26'), old)
    t.strictSame(await members('2025-06-18'), newer)
    t.strictSame(await members('2025-11-25'), newer)
    t.strictSame(await members(null), old, 'of a client that says none')
  })

  await t.test('a client that waits for changes gets them', async (t) => {
    const old = open()
    old.request(1, 'initialize', {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    })
    t.match(await old.wait(1), [
      { result: { protocolVersion: '2024-11-05', serverInfo: {}, capabilities: { tools: {} } } },
    ])
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const recent = open()
    recent.request('s', 'subscriptions/listen', { _meta: meta, notifications: { toolsListChanged: true } })
    await recent.wait(1)
    app.kernel.provided('mcp')!.changed('prompts')
    app.kernel.provided('mcp')!.changed('tools')
    const tag = { 'io.modelcontextprotocol/subscriptionId': 's' }
    t.match(await recent.wait(2), [
      {
        method: 'notifications/subscriptions/acknowledged',
        params: { _meta: tag, notifications: { toolsListChanged: true } },
      },
      { method: 'notifications/tools/list_changed', params: { _meta: tag } },
    ])
    t.same(
      (await old.wait(3)).slice(1).map(({ method }) => method),
      ['notifications/prompts/list_changed', 'notifications/tools/list_changed'],
    )
    recent.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 's' } })
    recent.request(9, 'server/discover', { _meta: meta })
    await recent.wait(3)
    app.kernel.provided('mcp')!.changed('tools')
    t.equal(recent.said.length, 3)
  })

  await t.test('requests that wait for changes are bounded, and authenticated', async (t) => {
    const guarded = await openWorld(t, { mcp: { require_auth: true, transport: 'stdio', max_streams_per_caller: 2 } })
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const waits = { _meta: meta, notifications: { toolsListChanged: true } }
    const nobody = open({}, guarded)
    nobody.request(1, 'subscriptions/listen', waits)
    t.match(await nobody.wait(1), [{ id: 1, error: { data: { code: 'UNAUTHENTICATED' } } }])
    const { request, send, wait } = open(as({}), guarded)
    for (const id of [1, 2, 3]) request(id, 'subscriptions/listen', waits)
    const acknowledged = { method: 'notifications/subscriptions/acknowledged' }
    const refused = { id: 3, error: { code: -32600, message: /^2 requests wait for changes already/ } }
    t.match(await wait(3), [acknowledged, acknowledged, refused])
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    request(4, 'subscriptions/listen', waits)
    t.match((await wait(4)).at(-1), acknowledged)
    guarded.kernel.provided('mcp')!.changed('tools')
    const told = (await wait(6)).slice(4).map(({ params }) => params._meta['io.modelcontextprotocol/subscriptionId'])
    t.same(told, [2, 4])
  })

  await t.test('the caller is verified for each message', async (t) => {
    const { request, wait } = open(as({ roles: ['editor'] }))
    request(1, 'tools/call', { name: 'retitle', arguments: { id: 7, title: 'Seven' } })
    t.match(await wait(1), [{ result: { isError: false } }])
    const bad = open({ 'x-caller': 'nobody' })
    bad.request(1, 'tools/list')
    t.match(await bad.wait(1), [{ error: { data: { code: 'UNAUTHENTICATED' } } }])
  })

  await t.test('require_auth', async (t) => {
    const guarded = await openWorld(t, { mcp: { require_auth: true, transport: 'stdio' } })
    t.equal((await guarded.inject({ method: 'POST', url: '/mcp', body: {} })).status, 404, 'nothing over HTTP')
    const answersOf = (headers: Readonly<Record<string, string>>) =>
      new Promise((resolve) => {
        const input = new PassThrough()
        const end = guarded.kernel
          .provided('mcp')!
          .serve({ input, headers, write: (line) => resolve(JSON.parse(line)), ended: () => {} })
        t.teardown(end)
        input.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n')
      })
    t.match(await answersOf({}), { id: 1, error: { data: { code: 'UNAUTHENTICATED' } } })
    t.match(await answersOf(as({})), { id: 1, result: { protocolVersion: '2025-11-25' } })
  })

  await t.test('it ends when its input does, and finishes what is asked', async (t) => {
    const { input, request, wait, end, isOver } = open()
    request(1, 'tools/call', { name: 'books', arguments: { limit: 1 } })
    input.end()
    while (!isOver()) await new Promise((resolve) => setImmediate(resolve))
    await end()
    t.match(await wait(1), [{ id: 1, result: { isError: false } }])
  })
})
