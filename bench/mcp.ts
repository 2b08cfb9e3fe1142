/**
 * `npm run bench:mcp`: the first request of the kit as GraphQL and as the call of a tool, sent to one server in slices in turn, so that what else
 * the machine does falls on both; requests per second and processor time of the server per request.
 *
 *     npm run bench:mcp -- --slices 12 --slice-seconds 1
 */
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { findKit } from './lib/kit.ts'
import { print, progress } from './lib/print.ts'
import { cpuSeconds } from './lib/process-tree.ts'
import { checkResultsName, describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt, type SvcProcess, startSvc } from './lib/svc-process.ts'
import { type WrkRequest, wrkLoad } from './lib/wrk-load.ts'

const { values } = parseArgs({
  options: {
    slices: { type: 'string', default: '12' },
    'slice-seconds': { type: 'string', default: '1' },
    connections: { type: 'string', default: '32' },
    out: { type: 'string', default: 'mcp' },
  },
})
checkResultsName(values.out)
const connections = Number(values.connections)

ensureBuilt()
const kit = findKit()
const [schema, workloads] = await Promise.all([readKitSchema(), kit.workloads()])
const database = await createBenchDatabase(kit)
const project = writeBenchProject(schema, { 'svc.mcp': { enabled: true, require_auth: false } })
let server: SvcProcess | null = null
try {
  compileProject(project.dir, database.url)
  server = await startSvc({ project: project.dir, databaseUrl: database.url })
  const rows = await measure(server)
  for (const { way, rps, cpuUs, ratio } of rows)
    print(
      `${way.padEnd(10)} ${rps.toFixed(0).padStart(7)}/s  ${cpuUs.toFixed(0).padStart(5)} µs CPU  ${ratio.toFixed(2)}`,
    )
  progress(
    writeResults(values.out, {
      ...describeRun({ postgres: database.version, load: 'wrk -t1' }),
      settings: values,
      rows,
    }),
  )
} finally {
  await server?.stop()
  project.remove()
  database.drop()
}

async function measure({ url, pid }: SvcProcess) {
  const { query, variables } = workloads.W1!
  const json = { 'content-type': 'application/json', accept: 'application/json' }
  const fields = ['id', 'username', 'email', 'fullName', 'isActive', 'createdAt']
  const called = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'user', arguments: { ...variables, fields } },
  }
  const ways: readonly {
    readonly way: string
    readonly request: WrkRequest
    readonly data: (body: never) => unknown
  }[] = [
    {
      way: 'GraphQL',
      request: { url, method: 'POST', headers: json, body: JSON.stringify({ query, variables }) },
      data: ({ data }) => data,
    },
    {
      way: 'MCP call',
      request: {
        url: new URL('/mcp', url).href,
        method: 'POST',
        headers: { ...json, 'mcp-protocol-version': '2025-11-25' },
        body: JSON.stringify(called),
      },
      data: ({ result }) => (result as { readonly structuredContent: unknown }).structuredContent,
    },
  ]
  const answers = await Promise.all(
    ways.map(async ({ request: { url: to, method, headers, body }, data }) =>
      JSON.stringify(data((await (await fetch(to, { method, headers, body: String(body) })).json()) as never)),
    ),
  )
  if (new Set(answers).size !== 1) throw new Error(`The answers differ: ${answers.join(' ')}`)
  const seen = ways.map(() => ({ rps: [] as number[], cpu: [] as number[] }))
  for (const { request } of ways) await wrkLoad(request, connections, 3)
  for (let slice = 0; slice < Number(values.slices); slice++) {
    for (let turn = 0; turn < ways.length; turn++) {
      const at = (turn + slice) % ways.length
      const before = cpuSeconds(pid)
      const { rps, requests, errors } = await wrkLoad(ways[at]!.request, connections, Number(values['slice-seconds']))
      if (errors > 0) throw new Error(`${ways[at]!.way}: ${errors} requests failed`)
      seen[at]!.rps.push(rps)
      seen[at]!.cpu.push(((cpuSeconds(pid) - before) / requests) * 1e6)
    }
  }
  return ways.map(({ way }, at) => ({
    way,
    rps: median(seen[at]!.rps),
    cpuUs: median(seen[at]!.cpu),
    ratio: median(seen[at]!.rps.map((rps, slice) => rps / seen[0]!.rps[slice]!)),
  }))
}
