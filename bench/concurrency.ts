/**
 * `npm run bench:concurrency`: one server under 1 to 1,000 connections: throughput, latency, failures, memory. Then what
 * a client sees when the pool is exhausted.
 *
 *     npm run bench:concurrency -- --connections 32,1000 --seconds 5 --workload W3
 */
import { parseArgs } from 'node:util'
import { startBarePipeline } from './lib/bare-server.ts'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { CONCURRENCY, type ConcurrencyRow, EXHAUSTION, type ExhaustionRow } from './lib/growth-tables.ts'
import { findKit, type LoadResult } from './lib/kit.ts'
import { openLoad } from './lib/kit-load.ts'
import { NAP, napView, withNapType } from './lib/nap-type.ts'
import { postGraphQL } from './lib/post.ts'
import { print, progress } from './lib/print.ts'
import { describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt, readMemory, resetPeakMemory, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1,4,16,32,64,128,256,512,1000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    workload: { type: 'string', default: 'W1' },
  },
})

/** Settings of the second part. */
const NAP_MS = 1000
const POOL_MAX = 4
const DEADLINE_MS = 500

ensureBuilt()
const kit = findKit()
const [schema, workloads, load] = await Promise.all([readKitSchema(), kit.workloads(), openLoad(kit)])
const workload = workloads[values.workload]
if (workload === undefined) throw new Error(`the kit has no workload ${values.workload}`)
const database = await createBenchDatabase(kit)
try {
  database.run(napView(NAP_MS))
  const rows = await measureConnections()
  print(CONCURRENCY.render(rows))
  const exhausted = await exhaustPool()
  print(`\nStatements of ${NAP_MS} ms at once, a pool of ${POOL_MAX}, a deadline of ${DEADLINE_MS} ms\n`)
  print(EXHAUSTION.render(exhausted))
  const results = {
    settings: { ...values, napMs: NAP_MS, poolMax: POOL_MAX, deadlineMs: DEADLINE_MS },
    rows,
    exhausted,
  }
  progress(writeResults('concurrency', { ...describeRun({ postgres: database.version, load: load.name }), ...results }))
} finally {
  database.drop()
}

/** Median over rounds; in each, every number of connections has its turn, svc and the bare server one after the other. */
async function measureConnections(): Promise<ConcurrencyRow[]> {
  const project = writeBenchProject(schema)
  compileProject(project.dir, database.url)
  const server = await startSvc({ project: project.dir, databaseUrl: database.url })
  const bare = await startBarePipeline(kit, database.url)
  const seconds = Number(values.seconds)
  const steps = values.connections.split(',').map((text) => {
    return { connections: Number(text), own: [] as LoadResult[], bare: [] as number[], peakMiB: 0 }
  })
  try {
    for (const { url } of [server, bare]) await load.run(url, workload!, 32, 3)
    for (let round = 1; round <= Number(values.rounds); round++) {
      for (const step of steps) {
        resetPeakMemory(server.pid)
        step.own.push(await load.run(server.url, workload!, step.connections, seconds))
        step.peakMiB = Math.max(step.peakMiB, readMemory(server.pid).peak)
        step.bare.push((await load.run(bare.url, workload!, step.connections, seconds)).rps)
      }
      progress(`round ${round} of ${values.rounds}`)
    }
  } finally {
    await server.stop()
    bare.stop()
    project.remove()
  }
  return steps.map(({ connections, own, bare, peakMiB }) => ({
    connections,
    rps: median(own.map(({ rps }) => rps)),
    bareRps: median(bare),
    p50: median(own.map(({ p50 }) => p50)),
    p99: median(own.map(({ p99 }) => p99)),
    failed: own.reduce((sum, { errors }) => sum + errors, 0),
    peakMiB,
  }))
}

/** More slow statements than connections: the rest has to be refused in time. */
async function exhaustPool(): Promise<readonly ExhaustionRow[]> {
  const project = writeBenchProject(withNapType(schema), {
    database: { pool_max: POOL_MAX, connect_timeout_ms: DEADLINE_MS },
  })
  compileProject(project.dir, database.url)
  const server = await startSvc({ project: project.dir, databaseUrl: database.url })
  try {
    const burst = async (name: string): Promise<ExhaustionRow> => {
      const answers = await Promise.all(Array.from({ length: 24 }, () => postGraphQL(server.url, NAP)))
      const refused = answers.filter(({ status }) => status === 503)
      return {
        name,
        asked: answers.length,
        served: answers.filter(({ status, body }) => status === 200 && !body.startsWith('{"errors"')).length,
        refused: refused.length,
        retryAfter: refused[0]?.headers['retry-after'] ?? null,
        refusedAfterMs: refused.length === 0 ? null : Math.max(...refused.map(({ ms }) => ms)),
        slowestMs: Math.max(...answers.map(({ ms }) => ms)),
      }
    }
    return [await burst('a statement seen for the first time'), await burst('a statement known to be slow')]
  } finally {
    await server.stop()
    project.remove()
  }
}
