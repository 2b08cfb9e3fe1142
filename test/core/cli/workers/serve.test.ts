import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { runOnServer } from '../../../helpers/databases.ts'
import { svc } from '../../../helpers/service.ts'
import { requireService } from '../../../helpers/services.ts'
import { metricsIn } from '../../../plugins/metrics/read-metrics.ts'
import { COUNT, createClient, hashIn, runWorkers, schemaOf, until } from './world.ts'

// Several processes start one after the other, on a machine that does other things too.
t.setTimeout(600_000)

const CLOSE = { headers: { connection: 'close' } }

t.test('workers serve, reload and stop together', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const workers = await runWorkers(t)

  await t.test('one banner, and the load spreads', async (t) => {
    t.equal(workers.output().split('"message":"serving"').length, 2)
    t.match(workers.output(), new RegExp(`"workers":${COUNT}`))
    const clients = Array.from({ length: 12 }, () => createClient(workers.url))
    const served = new Map<number, number>()
    await Promise.all(
      clients.map(async (client) => {
        for (let i = 0; i < 20; i++) {
          const { pid, status } = await client.ask('{ books { title } }')
          if (status !== 200) t.fail(`status ${status}`)
          served.set(pid, (served.get(pid) ?? 0) + 1)
        }
        client.end()
      }),
    )
    t.equal(served.size, COUNT)
    t.notOk(served.has(workers.child.pid!), 'the supervisor serves nothing')
    for (const count of served.values()) t.ok(count >= 20, `${count} of 240`)
  })

  await t.test('a document that one worker stored is found by all', async (t) => {
    const query = '{ books { id title } }'
    const sha256Hash = createHash('sha256').update(query).digest('hex')
    const extensions = { persistedQuery: { version: 1, sha256Hash } }
    const ask = async (body: object) => {
      const headers = { 'content-type': 'application/json', ...CLOSE.headers }
      const reply = await fetch(`${workers.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) })
      return { pid: reply.headers.get('x-pid'), known: !(await reply.text()).includes('PERSISTED_QUERY_NOT_FOUND') }
    }
    t.notOk((await ask({ extensions })).known)
    const stored = await ask({ query, extensions })
    const others = new Set<string | null>()
    await until(
      async () => {
        const { pid, known } = await ask({ extensions })
        if (known && pid !== stored.pid) others.add(pid)
        return others.size === COUNT - 1
      },
      () => `known to ${others.size} others`,
    )
  })

  await t.test('/health tells how many there are', async (t) => {
    const health = await (await fetch(`${workers.url}/health`)).json()
    t.match(health, { status: /^ok$/, workers: { configured: COUNT, listening: COUNT } })
  })

  await t.test('metrics of all workers, from any worker', async (t) => {
    const scrape = async () => metricsIn(await (await fetch(`${workers.url}/metrics`, CLOSE)).text())
    const before = await scrape()
    await Promise.all(Array.from({ length: 30 }, () => fetch(`${workers.url}/health/live`, CLOSE)))
    for (let i = 0; i < COUNT * 2; i++) {
      const samples = await scrape()
      const of = (from: ReadonlyMap<string, number>, worker: number) =>
        from.get(`svc_http_requests_total{method="GET",status="200",worker="${worker}"}`) ?? 0
      const risen = Array.from({ length: COUNT }, (_, n) => of(samples, n + 1) - of(before, n + 1))
      t.ok(
        risen.every((count) => count >= 1),
        `${risen}`,
      )
      // The one that is asked does not count what it is about to answer, nor did the one that was asked before.
      t.equal(
        risen.reduce((sum, count) => sum + count, 0),
        30 + 1 + i,
      )
      for (let n = 1; n <= COUNT; n++) t.ok(samples.get(`process_resident_memory_bytes{worker="${n}"}`)! > 1e7)
    }
  })

  await t.test('a reload reaches all workers, and each result is reported', async (t) => {
    const artifact = `${workers.dir}/schema.compiled.json`
    const before = hashIn(artifact)
    t.strictSame([...(await workers.hashes())], [before])
    writeFileSync(`${workers.dir}/schema.ts`, schemaOf('volumes'))
    const env = { DATABASE_URL: workers.databaseUrl }
    t.equal((await svc(['compile'], workers.dir, env)).code, 0)
    workers.child.kill('SIGUSR1')
    await workers.says(
      /"workers":\{"1":"swapped","2":"swapped","3":"swapped"\},"hash":"\w+","message":"reloaded in all workers"/,
    )
    t.strictSame([...(await workers.hashes())], [hashIn(artifact)])
    t.not(hashIn(artifact), before)
    const client = createClient(workers.url)
    t.match(await client.ask('{ volumes { title } }'), { status: 200, body: /Ulysses/ })
    client.end()

    writeFileSync(artifact, '{}')
    workers.child.kill('SIGUSR1')
    await workers.says(/"1":"failed: .*"2":"failed: .*"3":"failed: .*"message":"reload failed in workers"/)
    t.equal((await workers.hashes()).size, 1, 'all serve on')
  })

  await t.test('the connections of all keep to pool_max', async (t) => {
    const name = new URL(workers.databaseUrl).pathname.slice(1)
    const clients = Array.from({ length: 60 }, () => createClient(workers.url))
    await Promise.all(clients.map((client) => client.ask('{ volumes { title } }')))
    const sql = `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = '${name}' AND application_name = 'svc'`
    const [row] = await runOnServer(name, sql)
    t.ok(Number(row?.n) <= 7, `${row?.n} connections`)
    t.ok(Number(row?.n) >= COUNT, `${row?.n} connections`)
    for (const client of clients) client.end()
  })

  await t.test('SIGTERM: all drain, requests in flight finish, exit code 0', async (t) => {
    const pids = [...(await workers.pids())]
    const failures: string[] = []
    let running = true
    const clients = Array.from({ length: 6 }, async () => {
      const client = createClient(workers.url)
      let hadAnswer = false
      while (running) {
        try {
          const { status, headers } = await client.ask('{ volumes { title } }')
          if (status !== 200) failures.push(`status ${status}`)
          hadAnswer = headers.connection !== 'close'
        } catch (error) {
          // A new connection may find the listener gone; one in use must not be reset.
          if (hadAnswer) failures.push(String(error))
          return
        }
      }
      client.end()
    })
    await sleep(200)
    const code = await workers.stop('SIGTERM')
    running = false
    await Promise.all(clients)
    t.equal(code, 0)
    t.strictSame(failures, [])
    for (const pid of pids) t.throws(() => process.kill(pid, 0), `worker ${pid} is gone`)
    t.equal(workers.output().split('"message":"stopped"').length, COUNT + 1)
  })
})

t.test('--watch: the supervisor compiles and all reload', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const workers = await runWorkers(t, ['--watch'])
  writeFileSync(`${workers.dir}/schema.ts`, schemaOf('tomes'))
  await workers.says(/"message":"reloaded in all workers"/)
  const client = createClient(workers.url)
  await until(async () => (await client.ask('{ tomes { title } }')).body.includes('Ulysses'), workers.output)
  client.end()
  t.equal(await workers.stop('SIGINT'), 0)
})
