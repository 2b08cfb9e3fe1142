import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import WebSocket from 'ws'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { writeProject } from '../helpers/open-project.ts'
import { runService } from '../helpers/service.ts'
import { requireService, skip } from '../helpers/services.ts'
import { read } from '../repo/source-files.ts'

/** The configurations of the page run as they stand there, but for ports, in front of a real service. */
t.setTimeout(300_000)

const PAGE = read('docs/guides/behind-a-proxy.md')

function block(language: string): string {
  const found = new RegExp(`^\`\`\`${language}[^\\n]*\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1]
  if (found === undefined) throw new Error(`docs/guides/behind-a-proxy.md has no block of ${language}.`)
  return found
}

/** @throws Error where the text does not stand in the configuration exactly once */
function replaceOnce(config: string, from: string, to: string): string {
  if (config.split(from).length !== 2) throw new Error(`"${from}" does not stand in the configuration once.`)
  return config.replace(from, to)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

async function listens(port: number): Promise<void> {
  for (let left = 200; left > 0; left--) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isThere) return
    await sleep(50)
  }
  throw new Error(`Nothing listens at port ${port}.`)
}

interface Reply {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}

interface Asked {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Address of this machine that the request comes from. */
  readonly from?: string
}

function ask(port: number, { path = '/graphql', method = 'POST', headers, body, from }: Asked): Promise<Reply> {
  return new Promise((done, fail) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(from === undefined ? {} : { localAddress: from }),
      },
      async (reply) => done({ status: reply.statusCode ?? 0, headers: reply.headers, body: await text(reply) }),
    )
    sent.on('error', fail)
    sent.end(body)
  })
}

const QUERY = JSON.stringify({ query: '{ relations(limit: 1) { name } }' })

async function startService(t: Test, toml: string): Promise<number> {
  const url = await createPostgresDatabase(t)
  const folder = t.testdir({})
  const database = `[database]\nurl = "${url}"\npool_max = 4\n`
  const rest =
    '[plugins]\nenable = ["subscriptions", "sse"]\n[rest]\nenabled = true\n[security]\ndefault_policy = "public"\n'
  writeProject(folder, `${database}${rest}${toml}`)
  const service = await runService(t, folder)
  return Number(new URL(service.url).port)
}

const PROXIES = {
  nginx(folder: string, port: number, to: number): readonly string[] {
    const config = replaceOnce(
      replaceOnce(block('nginx'), 'listen 80;', `listen 127.0.0.1:${port};`),
      '127.0.0.1:8080',
      `127.0.0.1:${to}`,
    )
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, config)
    return ['-p', folder, '-c', file, '-e', 'stderr', '-g', `daemon off; pid ${join(folder, 'pid')};`]
  },
  haproxy(folder: string, port: number, to: number): readonly string[] {
    const config = replaceOnce(
      replaceOnce(block('haproxy'), 'bind :80', `bind 127.0.0.1:${port}`),
      '127.0.0.1:8080',
      `127.0.0.1:${to}`,
    )
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, config)
    return ['-db', '-f', file]
  },
}

for (const name of ['nginx', 'haproxy'] as const) {
  t.test(`behind ${name} requests, sockets and streams arrive, and each client counts for itself`, async (t) => {
    if (spawnSync(name, ['-v']).error !== undefined) return skip(t, name, `${name} is not installed`)
    if (!(await requireService(t, 'postgres'))) return
    const limits = /```toml\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? ''
    const to = await startService(t, `${limits}requests_per_second = 0.01\nburst_size = 12\n`)
    const port = await freePort()
    const proxy = spawn(name, PROXIES[name](t.testdir({}), port, to), { stdio: ['ignore', 'ignore', 'pipe'] })
    let log = ''
    proxy.stderr.on('data', (chunk) => (log += chunk))
    t.teardown(async () => {
      // With SIGTERM nginx takes its workers along; they would keep the pipe open.
      proxy.kill('SIGTERM')
      if (proxy.exitCode === null) await once(proxy, 'exit')
      proxy.stderr.destroy()
    })
    await listens(port)
    // HAProxy sends nothing to a server whose readiness it has not seen.
    for (
      let left = 100;
      left > 0 && (await ask(port, { path: '/health/ready', method: 'GET' })).status !== 200;
      left--
    ) {
      await sleep(100)
    }

    const query = await ask(port, { body: QUERY, from: '127.0.0.10' })
    t.equal(query.status, 200, log)
    t.equal(JSON.parse(query.body).data.relations.length, 1)

    const location = await ask(port, { path: '/rest/v1/nothing', method: 'GET', from: '127.0.0.10' })
    t.equal(location.status, 404)

    for (const path of ['/metrics', '/health/detailed', '/api/v1/admin/config']) {
      const refused = await ask(port, { path, method: 'GET', from: '127.0.0.11' })
      t.equal(refused.status, 404, `${path} is closed at the proxy`)
      t.notMatch(refused.body, /NOT_FOUND/, 'and svc does not see the request')
    }

    const stream = await ask(port, {
      path: '/graphql/stream',
      headers: { accept: 'text/event-stream' },
      body: QUERY,
      from: '127.0.0.12',
    })
    t.match(String(stream.headers['content-type']), /^text\/event-stream/)
    t.match(stream.body, /event: next[\s\S]*event: complete/)

    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
      localAddress: '127.0.0.13',
    })
    await once(socket, 'open')
    socket.send('{"type":"connection_init"}')
    const [message] = await once(socket, 'message')
    t.equal(JSON.parse(String(message)).type, 'connection_ack')
    socket.close()

    const page = { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' }
    const own = await ask(port, { body: QUERY, headers: page, from: '127.0.0.14' })
    t.equal(own.status, 200, 'a page of the service itself, as a browser marks it')

    const spoof = (n: number): Asked => ({
      body: QUERY,
      from: '127.0.0.15',
      headers: { 'x-forwarded-for': `10.1.1.${n}` },
    })
    const statuses: number[] = []
    for (let n = 0; n < 13; n++) statuses.push((await ask(port, spoof(n))).status)
    t.equal(statuses.at(-1), 429, 'an address that the client writes itself opens no other bucket')
    t.equal(
      (await ask(port, { body: QUERY, from: '127.0.0.16' })).status,
      200,
      'another client has a bucket of its own',
    )
  })
}
