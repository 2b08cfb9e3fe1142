import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { runOnServer } from '../../helpers/databases.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { runService } from '../../helpers/service.ts'
import { requireService } from '../../helpers/services.ts'
import { createLibrary, SCHEMA } from './world.ts'

t.setTimeout(300_000)

const WHO = `
import { definePlugin } from 'svc'
const manifest = { name: 'who', version: '1.0.0', kernelApi: 1, description: 'Names the process.' }
export default definePlugin(manifest, (scope) => {
  scope.on('onRequest', async (ctx, next) => {
    const reply = await next()
    reply.headers['x-pid'] = String(process.pid)
    return reply
  })
})
`

/** A client with one connection that it keeps, and so one worker. */
function createClient(base: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = async (method: string, headers: object, body?: object): Promise<IncomingMessage> => {
    const all = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-06-18', ...headers }
    const sent = request(`${base}/mcp`, { method, agent, headers: all })
    sent.end(body === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', ...body }))
    const [reply] = await once(sent, 'response')
    return reply
  }
  return { send, end: () => agent.destroy() }
}

t.test('workers share cancellations and sessions', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const folder = t.testdir({ 'who.js': WHO })
  const url = await createLibrary(t)
  const toml = `[database]\nurl = "${url}"\npool_min = 0\npool_max = 4\n[server]\nhost = "127.0.0.1"\nworkers = 2\nrequest_timeout_ms = 0\n[security]\ndefault_policy = "public"\n[plugins]\npreset = "minimal"\nenable = ["scopes"]\n[[plugins.use]]\npath = "./who.js"\n[svc.mcp]\nenabled = true\nrequire_auth = false\n`
  writeFileSync(join(folder, 'svc.toml'), toml)
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(SCHEMA))
  const compiled = await runCommand(folder, 'compile')
  t.equal(compiled.code, 0, compiled.err)
  const service = await runService(t, folder)
  const clients: ReturnType<typeof createClient>[] = []
  t.teardown(() => {
    for (const client of clients) client.end()
  })
  const ping = { id: 1, method: 'ping' }
  const open = async () => {
    const client = createClient(service.url)
    clients.push(client)
    const reply = await client.send('POST', {}, ping)
    await text(reply)
    return { ...client, pid: String(reply.headers['x-pid']) }
  }
  /** Another client of this worker, or of another. */
  const openAt = async (wanted: (pid: string) => boolean) => {
    for (let left = 400; left > 0; left--) {
      // A connection may go to a worker that is killed.
      const client = await open().catch(() => null)
      if (client !== null && wanted(client.pid)) return client
      client?.end()
      await sleep(50)
    }
    throw new Error('no such worker answers')
  }
  const here = await open()
  const there = await openAt((pid) => pid !== here.pid)
  const begin = async (client = here) => {
    const reply = await client.send(
      'POST',
      {},
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } },
    )
    await text(reply)
    return { 'mcp-session-id': String(reply.headers['mcp-session-id']) }
  }
  const sleeping = async () => {
    const sql = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
    return (await runOnServer(new URL(url).pathname.slice(1), sql)).length
  }
  const until = async (check: () => Promise<boolean>) => {
    for (let left = 2400; left > 0; left--) {
      if (await check()) return
      await sleep(25)
    }
    throw new Error('not in time')
  }

  const session = await begin()
  const slow = here.send('POST', session, { id: 9, method: 'tools/call', params: { name: 'slows', arguments: {} } })
  slow.then(text, () => {})
  await until(async () => (await sleeping()) === 1)
  const cancelled = { method: 'notifications/cancelled', params: { requestId: 9 } }
  const told = await there.send('POST', session, cancelled)
  t.equal(told.statusCode, 202)
  told.resume()
  await until(async () => (await sleeping()) === 0)

  const again = await openAt((pid) => pid !== there.pid)
  const stream = await again.send('GET', { ...session, accept: 'text/event-stream' })
  t.equal(stream.statusCode, 200)
  const ended = text(stream)
  const third = await openAt((pid) => pid === again.pid)
  t.equal((await there.send('DELETE', session)).resume().statusCode, 204)
  t.ok((await ended).startsWith(':'), 'its stream ends in the other worker')
  const refused = await third.send('POST', session, ping)
  t.match([refused.statusCode, await text(refused)], [404, /it has ended/])
  const other = await third.send('POST', await begin(), ping)
  t.equal(other.statusCode, 200)
  other.resume()

  await t.test('the end of a session is answered when all have heard of it', async (t) => {
    const [one, two] = [await begin(), await begin()]
    // What says it to the others says nothing now.
    service.child.kill('SIGSTOP')
    t.teardown(() => service.child.kill('SIGCONT'))
    let isAnswered = false
    const ending = there.send('DELETE', one).then((reply) => {
      isAnswered = true
      return reply
    })
    await sleep(300)
    t.equal(isAnswered, false)
    service.child.kill('SIGCONT')
    const reply = await ending
    t.equal(reply.statusCode, 204)
    reply.resume()
    t.equal((await third.send('POST', one, ping)).resume().statusCode, 404)
    t.equal((await third.send('POST', two, ping)).resume().statusCode, 200, 'another one goes on')
  })

  await t.test('a worker that takes the place of another knows what has ended', async (t) => {
    const session = await begin()
    t.equal((await there.send('DELETE', session)).resume().statusCode, 204)
    const pids = [there.pid, third.pid]
    process.kill(Number(third.pid), 'SIGKILL')
    const next = await openAt((pid) => !pids.includes(pid))
    t.equal((await next.send('POST', session, ping)).resume().statusCode, 404)
    t.equal((await next.send('POST', await begin(next), ping)).resume().statusCode, 200)
  })
  t.equal(await service.stop(), 0, service.output())
})
