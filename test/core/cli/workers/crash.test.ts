import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { svc } from '../../../helpers/service.ts'
import { requireService } from '../../../helpers/services.ts'
import { COUNT, createClient, createProject, runWorkers, until } from './world.ts'

// Several processes start one after the other, on a machine that does other things too.
t.setTimeout(600_000)

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

t.test('workers that die', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const workers = await runWorkers(t)
  const full = () => until(async () => (await workers.pids()).size === COUNT, workers.output)

  await t.test('kill -9 costs the requests in flight on that worker, and nothing else', async (t) => {
    const [victim] = await workers.pids()
    let running = true
    const failures: number[] = []
    let served = 0
    const talking = new Set<unknown>()
    const clients = Array.from({ length: 9 }, async () => {
      let client = createClient(workers.url)
      let pid = 0
      while (running) {
        try {
          const answer = await client.ask('{ books { title } }')
          if (answer.status !== 200 || !answer.body.includes('Ulysses')) t.fail(answer.body)
          pid = answer.pid
          served++
          talking.add(client)
        } catch {
          failures.push(pid)
          client.end()
          client = createClient(workers.url)
        }
      }
      client.end()
    })
    await until(() => talking.size === 9, workers.output)
    process.kill(victim!, 'SIGKILL')
    await workers.says(
      /"signal":"SIGKILL","restart_in_ms":100,"message":"worker died, and its requests in flight with it"/,
    )
    const before = served
    await until(() => served > before + 100, workers.output)
    running = false
    await Promise.all(clients)
    for (const was of failures) t.equal(was, victim, 'it had been talking to the one that died')
    t.ok(failures.length <= 9, 'one each at most')
    await full()
    t.notOk((await workers.pids()).has(victim!), 'another one has taken its place')
  })

  await t.test('the connection that was being handed to a dying worker is closed, not forgotten', async (t) => {
    const [victim] = await workers.pids()
    process.kill(victim!, 'SIGSTOP')
    const asked = Array.from({ length: 9 }, async () => {
      const req = request(`${workers.url}/health`, { agent: false, timeout: 20_000 })
      req.end()
      try {
        const [reply] = await once(req, 'response')
        reply.resume()
        return reply.statusCode as number
      } catch (error) {
        return (error as { code?: string }).code
      }
    })
    await sleep(300)
    process.kill(victim!, 'SIGKILL')
    const answers = await Promise.all(asked)
    t.equal(answers.filter((answer) => answer === 200).length, 8, 'those that went elsewhere are served')
    t.match(
      answers.filter((answer) => answer !== 200),
      ['ECONNRESET'],
      'it hears of it at once',
    )
    await full()
  })

  await t.test('a fault of its own ends one worker, which says so and answers what it has begun', async (t) => {
    const before = await workers.pids()
    t.equal((await fetch(`${workers.url}/die`)).status, 404)
    await workers.says(/"level":"error".*died of a fault.*"stack":".*an error that no code handled/)
    await workers.says(/"exit_code":1,"restart_in_ms":\d+,"message":"worker died/)
    await full()
    t.equal([...(await workers.pids())].filter((pid) => before.has(pid)).length, COUNT - 1)
  })

  await t.test('a worker that is stopped by itself drains and is replaced', async (t) => {
    const [one] = await workers.pids()
    process.kill(one!, 'SIGTERM')
    await workers.says(/"exit_code":0,"restart_in_ms":0,"message":"worker was stopped; another takes its place"/)
    await full()
    t.notOk((await workers.pids()).has(one!))
  })

  await t.test('SIGUSR1 to a worker changes nothing', async (t) => {
    const before = [...(await workers.pids())].sort()
    process.kill(before[0]!, 'SIGUSR1')
    await sleep(300)
    t.strictSame([...(await workers.pids())].sort(), before)
  })

  await t.test('all at once: they come back on the same port', async () => {
    for (const pid of await workers.pids()) process.kill(pid, 'SIGKILL')
    await until(async () => {
      const reply = await fetch(`${workers.url}/health/live`).catch(() => null)
      return reply?.status === 200
    }, workers.output)
    await full()
  })

  await t.test('an artifact that does not load keeps those that serve', async (t) => {
    const [victim] = await workers.pids()
    writeFileSync(`${workers.dir}/schema.compiled.json`, '{}')
    process.kill(victim!, 'SIGKILL')
    const delays = () =>
      [...workers.output().matchAll(/"restart_in_ms":(\d+),"message":"worker did not start"/g)].map(([, ms]) =>
        Number(ms),
      )
    await until(() => delays().length >= 3, workers.output)
    // From what the deaths before have made it: the victim may have died in other tests.
    for (const [i, ms] of delays().entries()) if (i > 0) t.equal(ms, delays()[i - 1]! * 2, 'later each time')
    t.match(await (await fetch(`${workers.url}/health`)).json(), {
      status: /^ok$/,
      workers: { configured: COUNT, listening: COUNT - 1 },
    })
  })

  await t.test('the supervisor dies: no worker stays behind', async () => {
    const pids = [...(await workers.pids())]
    workers.child.kill('SIGKILL')
    await until(
      () => !pids.some(isAlive),
      () => `alive: ${pids.filter(isAlive)}`,
    )
  })
})

t.test('a service that cannot start ends with one error and its exit code', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { dir, url } = await createProject(t)
  const env = { DATABASE_URL: url }

  const embedded = await svc(['run', '--database', 'pglite:memory'], dir)
  t.equal(embedded.code, 2)
  t.match(
    embedded.stderr,
    /^error: server\.workers = 3 needs a database server: an embedded database lives in one process/,
  )

  const few = await svc(['run'], dir, { ...env, SVC_DATABASE__POOL_MAX: '2' })
  t.equal(few.code, 2)
  t.match(few.stderr, /error: database\.pool_max = 2 connections do not suffice for server\.workers = 3/)

  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  const taken = await svc(['run', '--port', String(port)], dir, env)
  t.equal(taken.code, 2)
  t.equal(taken.stderr.split('error: ').length, 2, 'told once')
  t.match(taken.stderr, new RegExp(`error: The server cannot listen on 127\\.0\\.0\\.1:${port}`))

  writeFileSync(`${dir}/schema.compiled.json`, '{}')
  const broken = await svc(['run'], dir, env)
  t.equal(broken.code, 1)
  t.match(broken.stderr, /^error: .*schema_format_version/)
})

t.test('a second signal does not wait', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const workers = await runWorkers(t, [])
  const pids = [...(await workers.pids())]
  process.kill(pids[0]!, 'SIGSTOP')
  workers.child.kill('SIGTERM')
  await workers.says(/"message":"stopped"/)
  t.equal(await workers.stop('SIGTERM'), 143)
  await until(
    () => !pids.some(isAlive),
    () => `alive: ${pids.filter(isAlive)}`,
  )
})
