import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import type { BenchDatabase } from '../bench-database.ts'
import { type BenchProject, writeBenchProject } from '../bench-project.ts'
import type { Workload } from '../kit.ts'
import type { Load } from '../kit-load.ts'
import { cpuSeconds } from '../process-tree.ts'
import { median } from '../stats.ts'
import { compileProject, type SvcProcess, startSvc } from '../svc-process.ts'

export interface OutboxCostRow {
  readonly step: string
  readonly rps: number
  /** Relative to the unobserved mutation: the median of the slices, each against its neighbour. */
  readonly ratio: number
  /** Processor time of the server per mutation, in microseconds. */
  readonly cpuUs: number
  readonly cpuRatio: number
  readonly failed: number
}

/** No receiver is called: it measures the row in the outbox, and the relay that reads it. */
const OBSERVER = {
  name: 'never',
  entity: 'Post',
  event: 'INSERT',
  condition: "title == 'a title that no post has'",
  actions: [{ type: 'webhook', url: 'https://example.com/never' }],
}

export interface OutboxCostOptions {
  readonly database: BenchDatabase
  readonly schema: AuthoredSchema
  readonly workload: Workload
  readonly load: Load
  readonly slices: number
  readonly seconds: number
  readonly connections: number
}

/** The kit's mutation without observers, and with one that it does not concern, in slices in turn. */
export async function measureOutboxCost(options: OutboxCostOptions): Promise<readonly OutboxCostRow[]> {
  const { database, schema, workload, load, connections, seconds } = options
  const observers = { enabled: true, backend: 'sqldb' }
  const steps = [
    { step: 'nobody observes', project: writeBenchProject(schema) },
    { step: 'outbox', project: writeBenchProject({ ...schema, observers: [OBSERVER] }, { observers }) },
  ]
  const servers: SvcProcess[] = []
  try {
    for (const { project } of steps) servers.push(await start(project, database.url))
    const seen = steps.map(() => ({ rps: [] as number[], cpu: 0, requests: 0, failed: 0 }))
    for (const { url } of servers) await load.run(url, workload, connections, 2)
    for (let slice = 0; slice < options.slices; slice++) {
      for (let turn = 0; turn < steps.length; turn++) {
        const index = (turn + slice) % steps.length
        const { pid, url } = servers[index]!
        const before = cpuSeconds(pid)
        const { rps, requests, errors } = await load.run(url, workload, connections, seconds)
        const figures = seen[index]!
        figures.cpu += cpuSeconds(pid) - before
        figures.rps.push(rps)
        figures.requests += requests
        figures.failed += errors
      }
    }
    const [plain] = seen
    const cpuOf = ({ cpu, requests }: (typeof seen)[number]): number => (cpu / requests) * 1e6
    return steps.map(({ step }, index) => {
      const figures = seen[index]!
      return {
        step,
        rps: median(figures.rps),
        ratio: median(figures.rps.map((each, slice) => each / plain!.rps[slice]!)),
        cpuUs: cpuOf(figures),
        cpuRatio: cpuOf(figures) / cpuOf(plain!),
        failed: figures.failed,
      }
    })
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    for (const { project } of steps) project.remove()
  }
}

function start({ dir }: BenchProject, databaseUrl: string): Promise<SvcProcess> {
  compileProject(dir, databaseUrl)
  return startSvc({ project: dir, databaseUrl })
}
