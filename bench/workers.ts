/**
 * `npm run bench:workers`: every workload with one worker and with two, in turn; the distribution of the load; and
 * the cost of a worker that is killed under load.
 *
 *     npm run bench:workers -- --workers 4 --rounds 5 --seconds 2
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { type BenchProject, readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { KILLED_WORKER, type KilledWorkerRow, WORKERS, type WorkersRow } from './lib/growth-tables.ts'
import { findKit, type Workload } from './lib/kit.ts'
import { openLoad } from './lib/kit-load.ts'
import { print, progress } from './lib/print.ts'
import { childrenOf, cpuSeconds } from './lib/process-tree.ts'
import { describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt, type SvcProcess, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    workloads: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '32' },
  },
})
const connections = Number(values.connections)
const seconds = Number(values.seconds)

ensureBuilt()
const kit = findKit()
const [schema, workloads, load] = await Promise.all([readKitSchema(), kit.workloads(), openLoad(kit)])
const ids = values.workloads?.split(',') ?? Object.keys(workloads)
const database = await createBenchDatabase(kit)
const projects = [1, Number(values.workers)].map((workers) => writeBenchProject(schema, { server: { workers } }))
try {
  const [one, many] = (await Promise.all(projects.map(start))) as [SvcProcess, SvcProcess]
  try {
    const rows: WorkersRow[] = []
    for (const id of ids) rows.push(await measure(one, many, workloads[id]!))
    print(WORKERS.render(rows))
    const killed = await killUnderLoad(many, workloads.W1!)
    print(KILLED_WORKER.render([killed]))
    const results = { settings: values, rows, killed: [killed] }
    const description = describeRun({ postgres: database.version, load: load.name })
    progress(writeResults('workers', { ...description, ...results }))
  } finally {
    await Promise.all([one.stop(), many.stop()])
  }
} finally {
  for (const project of projects) project.remove()
  database.drop()
}

function start({ dir }: BenchProject): Promise<SvcProcess> {
  compileProject(dir, database.url)
  return startSvc({ project: dir, databaseUrl: database.url })
}

async function measure(one: SvcProcess, many: SvcProcess, workload: Workload): Promise<WorkersRow> {
  progress(workload.id)
  const rates = { one: [] as number[], many: [] as number[] }
  let failed = 0
  for (const { url } of [one, many]) await load.run(url, workload, connections, 1)
  const before = childrenOf(many.pid).map(cpuSeconds)
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, { url }] of [['one', one] as const, ['many', many] as const]) {
      const { rps, errors } = await load.run(url, workload, connections, seconds)
      rates[name].push(rps)
      failed += errors
    }
  }
  const spent = childrenOf(many.pid).map((pid, i) => cpuSeconds(pid) - (before[i] ?? 0))
  const total = spent.reduce((sum, each) => sum + each, 0)
  return {
    workload: workload.id,
    one: median(rates.one),
    many: median(rates.many),
    busiest: Math.max(...spent) / total,
    failed,
  }
}

/** One worker of several is killed in the middle of a load. */
async function killUnderLoad(server: SvcProcess, workload: Workload): Promise<KilledWorkerRow> {
  const before = childrenOf(server.pid)
  const running = load.run(server.url, workload, connections, 4)
  await sleep(1000)
  process.kill(before[0]!, 'SIGKILL')
  const killedAt = performance.now()
  while (childrenOf(server.pid).filter((pid) => pid !== before[0]).length < before.length) await sleep(5)
  const replacedMs = performance.now() - killedAt
  const { requests, errors } = await running
  return { workers: before.length, connections, requests, failed: errors, replacedMs }
}
