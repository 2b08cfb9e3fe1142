import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { runService, svc } from '../helpers/service.ts'

// Several processes start one after the other, on a machine that does other things too.
t.setTimeout(600_000)

t.test('SIGTERM: ready turns 503, requests in flight finish, nothing is reset, exit code 0', async (t) => {
  const dir = t.testdir()
  await svc(['init', 'shop'], dir)
  const shop = join(dir, 'shop')
  await svc(['compile'], shop)
  const service = await runService(t, shop, { env: { SVC_SERVER__SHUTDOWN_GRACE_MS: '3000' } })
  t.equal((await fetch(`${service.url}/health/ready`)).status, 200)

  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  t.teardown(() => agent.destroy())
  const failures: string[] = []
  let closed = 0
  let running = true
  const clients = Array.from({ length: 4 }, async () => {
    while (running) {
      const req = request(`${service.url}/graphql`, {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json' },
      })
      req.end(JSON.stringify({ query: '{ posts { id } }' }))
      try {
        const [reply] = await once(req, 'response')
        if (reply.statusCode !== 200) failures.push(`status ${reply.statusCode}`)
        if (reply.headers.connection === 'close') closed += 1
        await text(reply)
      } catch (error) {
        // A new connection may find the listener gone, or stand in its backlog when it goes; one in use must not.
        if (!req.reusedSocket) return
        failures.push(String(error))
      }
    }
  })
  await sleep(200)
  service.child.kill('SIGTERM')
  // The signal arrives when the process gets to it; from then on, for the whole of the grace, ready says 503.
  for (let tries = 0; tries < 200 && !service.output().includes('stopping'); tries++) await sleep(10)
  t.equal((await fetch(`${service.url}/health/ready`)).status, 503, 'ready turns 503 at once')
  t.equal((await fetch(`${service.url}/health/live`)).status, 200)
  const code = await service.stop('SIGCONT')
  running = false
  await Promise.all(clients)
  t.equal(code, 0)
  t.same(failures, [], 'no request was refused under its feet')
  t.ok(closed > 0, 'kept-alive connections were told to close')
})
