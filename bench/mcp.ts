/**
 * `npm run bench:mcp`: the first request of the kit as GraphQL and as a tool call, sent to one server in alternating
 * slices, so that other load on the machine affects both. Reports requests per second and processor time of the
 * server per request.
 *
 *     npm run bench:mcp -- --slices 12 --slice-seconds 1
 */
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { WAYS } from './lib/growth-tables.ts'
import { findKit } from './lib/kit.ts'
import { measureWays, type Way } from './lib/measure-ways.ts'
import { print, progress } from './lib/print.ts'
import { checkResultsName, describeRun, writeResults } from './lib/results.ts'
import { compileProject, ensureBuilt, type SvcProcess, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    slices: { type: 'string', default: '12' },
    'slice-seconds': { type: 'string', default: '1' },
    connections: { type: 'string', default: '32' },
    out: { type: 'string', default: 'mcp' },
  },
})
checkResultsName(values.out)

ensureBuilt()
const kit = findKit()
const [schema, workloads] = await Promise.all([readKitSchema(), kit.workloads()])
const database = await createBenchDatabase(kit)
const project = writeBenchProject(schema, { 'svc.mcp': { enabled: true, require_auth: false } })
let server: SvcProcess | null = null
try {
  compileProject(project.dir, database.url)
  server = await startSvc({ project: project.dir, databaseUrl: database.url })
  const rows = await measureWays(server.pid, waysTo(server.url), {
    connections: Number(values.connections),
    slices: Number(values.slices),
    seconds: Number(values['slice-seconds']),
  })
  print(WAYS.render(rows))
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

function waysTo(url: string): readonly Way[] {
  const { query, variables } = workloads.W1!
  const json = { 'content-type': 'application/json', accept: 'application/json' }
  const fields = ['id', 'username', 'email', 'fullName', 'isActive', 'createdAt']
  const called = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'user', arguments: { ...variables, fields } },
  }
  return [
    {
      way: 'GraphQL',
      request: { url, method: 'POST', headers: json, body: JSON.stringify({ query, variables }) },
      data: ({ data }: { readonly data: unknown }) => data,
    },
    {
      way: 'MCP call',
      request: {
        url: new URL('/mcp', url).href,
        method: 'POST',
        headers: { ...json, 'mcp-protocol-version': '2025-11-25' },
        body: JSON.stringify(called),
      },
      data: ({ result }: { readonly result: { readonly structuredContent: unknown } }) => result.structuredContent,
    },
  ]
}
