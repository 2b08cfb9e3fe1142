/**
 * `npm run chaos:events`: mutations at full speed, with a receiver of webhooks; meanwhile the process that delivers, the whole server, the
 * bus and the database are killed in turn with SIGKILL. Afterwards the receiver has to have heard of every change that was committed,
 * each under one event id, in the order of each row, and of none that was rolled back; and a subscriber with replay, which comes back with
 * what it has seen last, of every change whose row was still there, once and in order. Exit code 1 where it is otherwise.
 *
 *     npm run chaos:events -- --mutations 10000 --backends sqldb,kvstore --servers 2,3 --rounds 2 --failing 0.01
 *
 * Database and bus are processes of its own: the programs of PostgreSQL, Redis, NATS and MariaDB have to be installed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BusKind, ownBus } from './lib/chaos/own-bus.ts'
import { ownPostgres } from './lib/chaos/own-postgres.ts'
import type { OwnService } from './lib/chaos/own-process.ts'
import { type ChaosResult, runChaos, type Victim } from './lib/chaos/run-chaos.ts'
import { CHAOS } from './lib/event-tables.ts'
import { print, progress } from './lib/print.ts'
import { checkResultsName, describeRun, readResults, writeResults } from './lib/results.ts'
import { ensureBuilt } from './lib/svc-process.ts'

const BUS_URL: Readonly<Record<string, string>> = {
  kvstore: 'kvstore_url',
  msgbus: 'msgbus_url',
  mariadb: 'mariadb_url',
}
const BACKENDS = ['sqldb', 'kvstore', 'msgbus', 'mariadb', 'in-memory']

const { values } = parseArgs({
  options: {
    mutations: { type: 'string', default: '100000' },
    backends: { type: 'string', default: BACKENDS.join(',') },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    workers: { type: 'string', default: '2' },
    /** Servers that share the backend; several numbers are several runs. */
    servers: { type: 'string', default: '1' },
    failing: { type: 'string', default: '0.005' },
    /** Targets of the kills in a round; default: all that the backend has. */
    victims: { type: 'string' },
    /** Duration of each call in the receiver, in milliseconds: waiting calls are parked. */
    slow: { type: 'string', default: '0' },
    out: { type: 'string', default: 'chaos-events' },
  },
})
checkResultsName(values.out)
const sizes = values.servers.split(',').map(Number)
if (!sizes.every((size) => size >= 1)) throw new Error(`--servers: ${values.servers} is no list of numbers from 1`)
const backends = values.backends.split(',')
for (const backend of backends) {
  if (!BACKENDS.includes(backend)) throw new Error(`--backends: "${backend}" is none of ${BACKENDS.join(', ')}`)
}

ensureBuilt()
const folder = mkdtempSync(join(tmpdir(), 'svc-chaos-'))
const database = await ownPostgres(folder)
const results: ChaosResult[] = []
try {
  await database.start()
  for (const servers of sizes) for (const backend of backends) results.push(await run(backend, servers))
} finally {
  await database.kill()
  rmSync(folder, { recursive: true, force: true })
}
print(CHAOS.render(results))
for (const { backend, servers, verdict, subscriber } of results)
  for (const line of [...verdict.examples, ...(subscriber?.examples ?? []), ...(subscriber?.errors ?? [])])
    print(`${backend}, ${servers} servers: ${line}`)
// Results that this run did not measure stay in the table from an earlier one.
const before = readResults<{ readonly rows: readonly ChaosResult[] }>(values.out)?.rows ?? []
const isNew = ({ backend, servers }: ChaosResult): boolean => backends.includes(backend) && sizes.includes(servers)
const rows = [...before.filter((row) => !isNew(row)), ...results]
rows.sort((a, b) => BACKENDS.indexOf(a.backend) - BACKENDS.indexOf(b.backend) || a.servers - b.servers)
progress(writeResults(values.out, { ...describeRun(), settings: values, rows }))
const wrong = results.filter(({ ok }) => !ok).map(({ backend, servers }) => `${backend} with ${servers}`)
print(wrong.length === 0 ? 'Every backend kept its promise.' : `BROKEN: ${wrong.join(', ')}`)
if (wrong.length > 0) process.exitCode = 1

async function run(backend: string, servers: number): Promise<ChaosResult> {
  const key = BUS_URL[backend]
  // A run must not see the bus data of an earlier one, whose database has the same name.
  const busFolder = mkdtempSync(join(folder, `${backend}-`))
  const bus: OwnService | null = key === undefined ? null : await ownBus(backend as BusKind, busFolder)
  // Each process delivers its own events: each server is its own relay.
  const isAlone = backend === 'in-memory'
  const all: readonly Victim[] = [
    ...(isAlone ? [] : ['relay' as const]),
    'server',
    ...(bus === null ? [] : ['bus' as const]),
    'database',
  ]
  const wanted = values.victims?.split(',')
  const round = all.filter((victim) => wanted === undefined || wanted.includes(victim))
  try {
    await bus?.start()
    return await runChaos({
      backend,
      mutations: Number(values.mutations),
      victims: Array.from({ length: Number(values.rounds) }, () => round).flat(),
      connections: Number(values.connections),
      workers: isAlone ? 1 : Number(values.workers),
      servers,
      failing: Number(values.failing),
      slowMs: Number(values.slow),
      database,
      bus,
      settings: bus === null ? {} : { [key!]: bus.url },
      atMostOnce: isAlone,
      say: progress,
    })
  } finally {
    await bus?.kill()
  }
}
