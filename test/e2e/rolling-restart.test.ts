import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { writeProject } from '../helpers/open-project.ts'
import { runService, type Service } from '../helpers/service.ts'
import { requireService } from '../helpers/services.ts'

// Several processes start one after the other, on a machine that does other things too.
t.setTimeout(600_000)

const CLIENTS = 8
/** How often the proxy asks whether a server takes work. */
const ASKS_EVERY_MS = 100

interface Backend {
  url: string
  isReady: boolean
  served: number
}

/** What a load balancer does: asks for readiness, takes those that are ready in turn, and never sends anything twice. */
async function startProxy(t: Test, backends: readonly Backend[]): Promise<string> {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer((from, to) => {
    const ready = backends.filter(({ isReady }) => isReady)
    const backend = ready[turn++ % ready.length]
    if (backend === undefined) return void to.writeHead(502).end('no server is ready')
    const { method, headers } = from
    const onward = request(`${backend.url}${from.url}`, { method, agent, headers: { ...headers, host: 'svc' } })
    onward.on('response', (reply: IncomingMessage) => {
      backend.served++
      const { connection: _, ...rest } = reply.headers
      to.writeHead(reply.statusCode ?? 502, rest)
      reply.pipe(to)
    })
    onward.on('error', (error) => to.writeHead(502).end(String(error)))
    from.pipe(onward)
  })
  const asking = setInterval(() => {
    for (const backend of backends) {
      const { url } = backend
      if (url === '') continue
      fetch(`${url}/health/ready`).then(
        ({ status }) => {
          if (backend.url === url) backend.isReady = status === 200
        },
        () => {
          if (backend.url === url) backend.isReady = false
        },
      )
    }
  }, ASKS_EVERY_MS)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    clearInterval(asking)
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('two servers behind a proxy are replaced one after the other, and no request fails', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const folder = t.testdir({})
  const url = await createPostgresDatabase(t)
  // Long after the proxy has asked: on a busy machine it asks late.
  const grace = '[server]\nhost = "127.0.0.1"\nshutdown_grace_ms = 3000\n'
  writeProject(folder, `[database]\nurl = "${url}"\npool_max = 4\n[security]\ndefault_policy = "public"\n${grace}`)
  const start = () => runService(t, folder)
  const services: Service[] = await Promise.all([start(), start()])
  const backends: Backend[] = services.map(({ url }) => ({ url, isReady: false, served: 0 }))
  const proxy = await startProxy(t, backends)
  const ready = async (count: number) => {
    for (let left = 3000; backends.filter(({ isReady }) => isReady).length !== count; left--) {
      if (left === 0) throw new Error(`Nobody saw that ${count} servers are ready`)
      await sleep(20)
    }
  }
  await ready(2)

  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const failures: string[] = []
  let answered = 0
  let isOver = false
  const ask = (): Promise<string | null> =>
    new Promise((resolve) => {
      const sent = request(`${proxy}/graphql`, {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json' },
      })
      sent.on('error', (error) => resolve(String(error)))
      sent.on('response', (reply: IncomingMessage) => {
        text(reply).then(
          (body) => resolve(reply.statusCode === 200 && body.includes('"name"') ? null : `${reply.statusCode} ${body}`),
          (error) => resolve(String(error)),
        )
      })
      sent.end(JSON.stringify({ query: '{ relations(limit: 3) { name } }' }))
    })
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const failure = await ask()
      if (failure === null) answered++
      else failures.push(failure)
      await sleep(5)
    }
  })

  for (const [i, backend] of backends.entries()) {
    const before = answered
    const stopping = services[i]!.stop()
    await ready(1)
    t.equal(await stopping, 0, `server ${i + 1} ends well`)
    t.ok(answered > before, 'the other one serves meanwhile')
    const next = await start()
    services[i] = next
    Object.assign(backend, { url: next.url, served: 0 })
    await ready(2)
    for (let left = 500; backend.served === 0 && left > 0; left--) await sleep(20)
    t.ok(backend.served > 0, `the new server ${i + 1} has its share`)
  }
  isOver = true
  await Promise.all(clients)
  t.same(failures.slice(0, 5), [], `${failures.length} of ${answered + failures.length} requests`)
  t.ok(answered > CLIENTS * 10, `${answered} requests were answered`)
})
