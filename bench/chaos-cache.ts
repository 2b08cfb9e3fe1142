/**
 * `npm run chaos:cache`: two servers with one Redis and one database. One client writes through both, and many read and check that
 * they are never told less than what had been answered to the writer before they asked. Meanwhile each server is drained, killed and
 * started again in turn, and reloads its schema. Exit code 1: somebody was told something old.
 *
 *     npm run chaos:cache -- --seconds 60 --readers 32
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { writeBenchProject } from './lib/bench-project.ts'
import { COUNTER_SCHEMA, COUNTER_SQL, observe } from './lib/counter-project.ts'
import { print, progress } from './lib/print.ts'
import { compileProject, ensureBuilt, type SvcProcess, startSvc } from './lib/svc-process.ts'
import { watchStale } from './lib/watch-stale.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    readers: { type: 'string', default: '32' },
    /** Between one disturbance and the next; 0: none. */
    every: { type: 'string', default: '4' },
    redis: { type: 'string', default: 'redis://127.0.0.1:6379' },
  },
})
const ms = Number(values.seconds) * 1000
const every = Number(values.every) * 1000

ensureBuilt()
const base = new URL(process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres')
const name = `svc_chaos_${process.pid}`
const admin = new pg.Client(base.href)
await admin.connect()
await admin.query(`CREATE DATABASE ${name}`)
const databaseUrl = Object.assign(new URL(base), { pathname: `/${name}` }).href
const project = writeBenchProject(COUNTER_SCHEMA, {
  // A new name each time, so that no response of another run is used.
  project: { name: `chaos-${randomUUID()}` },
  'svc.caching': { enabled: true, backend: 'kvstore', kvstore_url: values.redis, response_header: true },
})
const servers: (SvcProcess | null)[] = []
let disturbed = 0
try {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(COUNTER_SQL)
  await client.end()
  compileProject(project.dir, databaseUrl)
  const start = () => startSvc({ project: project.dir, databaseUrl })
  servers.push(await start(), await start())
  progress(`${values.readers} readers for ${values.seconds} s`)
  const ends = Date.now() + ms
  const disturbing = every === 0 ? Promise.resolve() : disturb(ends, start)
  const seen = await watchStale(
    servers.map((_, i) => observe(() => servers[i]?.url ?? null)),
    { ms, readers: Number(values.readers) },
  )
  await disturbing
  const { stale, ...counts } = seen
  print(JSON.stringify({ ...counts, disturbed, stale: stale.length }))
  for (const each of stale.slice(0, 10)) print(`stale: ${each}`)
  if (stale.length > 0) process.exitCode = 1
  if (seen.writes === 0 || seen.hits === 0) throw new Error('nothing was written, or nothing came from the cache')
} finally {
  await Promise.all(servers.map((each) => each?.stop()))
  project.remove()
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await admin.end()
}

/** One server after the other is drained, killed, or reloaded, while the other serves. */
async function disturb(ends: number, start: () => Promise<SvcProcess>): Promise<void> {
  for (let turn = 0; Date.now() + every < ends; turn++) {
    await sleep(every)
    const at = turn % 2
    const server = servers[at]
    if (server === null || server === undefined) continue
    const how = (['SIGTERM', 'SIGUSR1', 'SIGKILL'] as const)[Math.floor(turn / 2) % 3]!
    progress(`${how} to server ${at + 1}`)
    process.kill(server.pid, how)
    disturbed++
    if (how === 'SIGUSR1') continue
    while (server.isAlive()) await sleep(20)
    servers[at] = null
    servers[at] = await start()
  }
}
