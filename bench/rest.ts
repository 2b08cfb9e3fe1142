/**
 * `npm run bench:rest`: requests of the kit as GraphQL and as REST, sent to one server. Short slices in turn, so that what else the
 * machine does falls on both; requests per second and processor time of the server per request. And a million rows as lines of
 * JSON over HTTP, with the memory of the server.
 *
 *     npm run bench:rest -- --workloads W1,W7 --slices 12 --slice-seconds 1
 */
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { REST, type RestRow, STREAM, type StreamRow } from './lib/growth-tables.ts'
import { findKit, type Workload } from './lib/kit.ts'
import { print, progress } from './lib/print.ts'
import { cpuSeconds } from './lib/process-tree.ts'
import { checkResultsName, describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import {
  compileProject,
  ensureBuilt,
  readMemory,
  resetPeakMemory,
  type SvcProcess,
  startSvc,
} from './lib/svc-process.ts'
import { type WrkRequest, wrkLoad } from './lib/wrk-load.ts'

const { values } = parseArgs({
  options: {
    workloads: { type: 'string', default: 'W1,W2,W4,W5,W7' },
    slices: { type: 'string', default: '12' },
    'slice-seconds': { type: 'string', default: '1' },
    connections: { type: 'string', default: '32' },
    /** Rows of the stream; 0: none. */
    rows: { type: 'string', default: '1000000' },
    out: { type: 'string', default: 'rest' },
  },
})
checkResultsName(values.out)
const connections = Number(values.connections)

type Variables = Readonly<Record<string, unknown>>

/** The same requests as paths, of the variables of each. */
const PATHS: Readonly<Record<string, (variables: Variables) => string>> = {
  W1: ({ id }) => `/users/${id}?select=id,username,email,fullName,isActive,createdAt`,
  W2: () => '/posts?select=id,title,status,viewCount,createdAt&sort=-createdAt&limit=20',
  W4: ({ status, min, limit, offset }) =>
    `/posts?select=id,title,status,viewCount,createdAt&status=${status}&viewCount[gte]=${min}&sort=-createdAt&limit=${limit}&offset=${offset}`,
  W5: () => '/posts?select=id,title,slug,status,viewCount,rating,createdAt,updatedAt&sort=-createdAt&limit=1000',
  W7: ({ after }) =>
    `/postsConnection?select=id,title,viewCount,createdAt&first=50&after=${encodeURIComponent(`${after}`)}`,
}

ensureBuilt()
const kit = findKit()
const [schema, workloads] = await Promise.all([readKitSchema(), kit.workloads()])
const database = await createBenchDatabase(kit)
const count = Number(values.rows)
const stored = `CREATE TABLE bench.tb_sale (id int PRIMARY KEY, name text NOT NULL, price numeric(12, 2), amount bigint NOT NULL, sold_at timestamptz NOT NULL);
  CREATE VIEW bench.vf_sale AS SELECT id, name, price, amount, sold_at FROM bench.tb_sale;
  INSERT INTO bench.tb_sale SELECT g, 'Sale number ' || g, g / 100.0, g::bigint * 1000003, timestamptz '2024-01-01 00:00:00+00' + g * interval '1 second'
  FROM generate_series(1, ${count}) g; ANALYZE bench.tb_sale;`
const SALE = {
  name: 'Sale',
  sql_source: 'vf_sale',
  fields: [
    { name: 'id', type: 'Int!' },
    { name: 'name', type: 'String!' },
    { name: 'price', type: 'Decimal' },
    { name: 'amount', type: 'BigInt!' },
    { name: 'sold_at', type: 'DateTime!' },
  ],
}
const withSales = {
  ...schema,
  types: [...(schema.types ?? []), SALE],
  queries: [...(schema.queries ?? []), { name: 'sales', type: '[Sale!]!', sql_source: 'vf_sale' }],
} as typeof schema
const project = writeBenchProject(withSales, { rest: { max_page_size: 1000 } })
let server: SvcProcess | null = null
try {
  database.run(stored)
  compileProject(project.dir, database.url)
  server = await startSvc({ project: project.dir, databaseUrl: database.url })
  const rows: RestRow[] = []
  for (const id of values.workloads.split(',').filter((each) => each !== ''))
    rows.push(await measure(server, workloads[id]!))
  if (rows.length > 0) print(REST.render(rows))
  const stream = count === 0 ? null : await measureStream(server)
  if (stream !== null) print(STREAM.render([stream]))
  const description = describeRun({ postgres: database.version, load: 'wrk -t1' })
  progress(writeResults(values.out, { ...description, settings: values, rows, stream }))
} finally {
  await server?.stop()
  project.remove()
  database.drop()
}

/** Each variant has a turn in each slice; the first one rotates. */
async function measure({ url, pid }: SvcProcess, { id, query, variables }: Workload): Promise<RestRow> {
  progress(id)
  const json = { 'content-type': 'application/json', accept: 'application/json' }
  const path = PATHS[id]
  if (path === undefined) throw new Error(`--workloads: ${id} has no request in REST`)
  const requests: readonly WrkRequest[] = [
    { url, method: 'POST', headers: json, body: JSON.stringify({ query, variables }) },
    {
      url: new URL(`/rest/v1${path(variables)}`, url).href.replaceAll('[', '%5B').replaceAll(']', '%5D'),
      method: 'GET',
      headers: { accept: 'application/json' },
    },
  ]
  await checkEqual(requests)
  const seen = requests.map(() => ({ rps: [] as number[], cpu: [] as number[], errors: 0 }))
  for (const request of requests) await wrkLoad(request, connections, 3)
  for (let slice = 0; slice < Number(values.slices); slice++) {
    for (let turn = 0; turn < requests.length; turn++) {
      const i = (turn + slice) % requests.length
      const before = cpuSeconds(pid)
      const {
        rps,
        requests: answered,
        errors,
      } = await wrkLoad(requests[i]!, connections, Number(values['slice-seconds']))
      const figures = seen[i]!
      figures.cpu.push(((cpuSeconds(pid) - before) / answered) * 1e6)
      figures.rps.push(rps)
      figures.errors += errors
    }
  }
  const [graphql, rest] = seen as [(typeof seen)[number], (typeof seen)[number]]
  // Slice by slice, because other load on the machine changes between them.
  const ratioOf = (a: readonly number[], b: readonly number[]): number =>
    median(a.map((each, slice) => each / b[slice]!))
  return {
    workload: id,
    graphqlRps: median(graphql.rps),
    restRps: median(rest.rps),
    ratio: ratioOf(rest.rps, graphql.rps),
    graphqlCpuUs: median(graphql.cpu),
    restCpuUs: median(rest.cpu),
    cpuRatio: ratioOf(rest.cpu, graphql.cpu),
    failed: graphql.errors + rest.errors,
  }
}

/** Rows of both are the same: something else would be quick, too. */
async function checkEqual(requests: readonly WrkRequest[]): Promise<void> {
  const [graphql, rest] = await Promise.all(
    requests.map(async ({ url, method, headers, body }) => {
      const reply = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
      const { data } = (await reply.json()) as { readonly data?: unknown }
      if (reply.status !== 200 || data === undefined) throw new Error(`${method} ${url}: ${reply.status}`)
      return data
    }),
  )
  const [root] = Object.values(graphql as object) as [{ readonly edges?: readonly { readonly node: unknown }[] }]
  const wanted = root.edges === undefined ? root : root.edges.map(({ node }) => node)
  if (JSON.stringify(wanted) !== JSON.stringify(rest)) throw new Error(`${requests[1]!.url}: other rows than GraphQL's`)
}

/** Reads all rows as NDJSON, and measures the server's memory. */
async function measureStream({ url, pid }: SvcProcess): Promise<StreamRow> {
  progress('stream')
  await takeLines(url, 20_000)
  const beforeMiB = readMemory(pid).rss
  resetPeakMemory(pid)
  const taken = await takeLines(url, count)
  if (taken.rows !== count) throw new Error(`${taken.rows} rows came instead of ${count}`)
  return { driver: 'postgres', form: 'lines over HTTP', ...taken, beforeMiB, peakMiB: readMemory(pid).peak }
}

async function takeLines(url: string, limit: number) {
  const started = performance.now()
  const reply = await fetch(new URL(`/rest/v1/sales?sort=id&limit=${limit}`, url), {
    headers: { accept: 'application/x-ndjson' },
  })
  let [rows, bytes, firstMs] = [0, 0, 0]
  for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
    if (bytes === 0) firstMs = performance.now() - started
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows++
  }
  return { rows, bytes, firstMs, ms: performance.now() - started }
}
