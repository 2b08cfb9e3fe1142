/**
 * `npm run bench:tracing`: cost of tracing per request: servers without the plugin, and with it sampling nothing, one
 * request in twenty, and all, to a receiver of spans. The requests of the kit in short alternating slices, so that
 * other load on the machine affects all. Reports requests per second and processor time of the server per request.
 *
 *     npm run bench:tracing -- --workloads W1,W3 --slices 12 --slice-seconds 1
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { findKit, type Workload } from './lib/kit.ts'
import { print, progress } from './lib/print.ts'
import { cpuSeconds } from './lib/process-tree.ts'
import { checkResultsName, describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt, type SvcProcess, startSvc } from './lib/svc-process.ts'
import { TRACING, type TracingRow } from './lib/tracing-table.ts'
import { wrkLoad } from './lib/wrk-load.ts'

const { values } = parseArgs({
  options: {
    workloads: { type: 'string', default: 'W1,W3' },
    slices: { type: 'string', default: '12' },
    'slice-seconds': { type: 'string', default: '1' },
    connections: { type: 'string', default: '32' },
    out: { type: 'string', default: 'tracing' },
  },
})
checkResultsName(values.out)
const connections = Number(values.connections)
const seconds = Number(values['slice-seconds'])

/** Sampled share; `null`: without the plugin, the baseline. */
const STEPS = [null, 0, 0.05, 1] as const

ensureBuilt()
const kit = findKit()
const [schema, workloads] = await Promise.all([readKitSchema(), kit.workloads()])
const database = await createBenchDatabase(kit)
/** Takes spans, and does nothing with them. */
let received = 0
const receiver = createServer((request, reply) => {
  request.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  request.on('end', () => reply.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
})
await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
process.env.OTEL_TRACES_SAMPLER = 'parentbased_traceidratio'
const projects = [writeBenchProject(schema), writeBenchProject(schema, { tracing: { enabled: true } })] as const
const servers: SvcProcess[] = []
try {
  for (const { dir } of projects) compileProject(dir, database.url)
  for (const share of STEPS) {
    process.env.OTEL_TRACES_SAMPLER_ARG = String(share ?? 0)
    const [without, traced] = projects
    servers.push(await startSvc({ project: (share === null ? without : traced).dir, databaseUrl: database.url }))
  }
  const rows: TracingRow[] = []
  for (const id of values.workloads.split(',')) rows.push(...(await measure(workloads[id]!)))
  if (received === 0) throw new Error('No span came.')
  print(TRACING.render(rows))
  const description = describeRun({ postgres: database.version, load: 'wrk -t1' })
  progress(writeResults(values.out, { ...description, settings: values, rows }))
} finally {
  await Promise.all(servers.map((server) => server.stop()))
  receiver.closeAllConnections()
  receiver.close()
  for (const project of projects) project.remove()
  database.drop()
}

/** Each server has a turn in each slice; the first one rotates. */
async function measure({ id, query, variables }: Workload): Promise<readonly TracingRow[]> {
  progress(id)
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const body = JSON.stringify({ query, variables })
  const sides = servers.map(({ url, pid }) => ({ url, pid, rps: [] as number[], cpu: [] as number[], errors: 0 }))
  const load = ({ url }: { readonly url: string }, time: number) =>
    wrkLoad({ url, method: 'POST', headers, body }, connections, time)
  for (const side of sides) await load(side, 2)
  for (let slice = 0; slice < Number(values.slices); slice++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const side = sides[(turn + slice) % sides.length]!
      const used = cpuSeconds(side.pid)
      const { rps, requests, errors } = await load(side, seconds)
      side.cpu.push(((cpuSeconds(side.pid) - used) / requests) * 1e6)
      side.rps.push(rps)
      side.errors += errors
    }
  }
  const [plain] = sides
  const ratioOf = (a: readonly number[], b: readonly number[]): number =>
    median(a.map((each, slice) => each / b[slice]!))
  return sides.map(({ rps, cpu, errors }, i) => ({
    workload: id,
    sampled: STEPS[i] === null ? 'without' : `${STEPS[i]! * 100} %`,
    rps: median(rps),
    ratio: ratioOf(rps, plain!.rps),
    cpuUs: median(cpu),
    cpuRatio: ratioOf(cpu, plain!.cpu),
    failed: errors,
  }))
}
