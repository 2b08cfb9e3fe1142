/**
 * `npm run bench:cache`: what the response cache costs a request that it has no answer for, and gives one that it has. Two
 * servers, one with the plugin and one without, are sent the same requests in short slices in turn, so that what else the machine does
 * falls on both; requests per second and processor time of the server per request.
 *
 *     npm run bench:cache -- --slices 16 --slice-seconds 1
 */
import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { CACHE, type CacheRow } from './lib/growth-tables.ts'
import { findKit } from './lib/kit.ts'
import { print, progress } from './lib/print.ts'
import { cpuSeconds } from './lib/process-tree.ts'
import { checkResultsName, describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt, type SvcProcess, startSvc } from './lib/svc-process.ts'
import { type WrkRequest, wrkLoad } from './lib/wrk-load.ts'

const { values } = parseArgs({
  options: {
    slices: { type: 'string', default: '16' },
    'slice-seconds': { type: 'string', default: '1' },
    connections: { type: 'string', default: '32' },
    out: { type: 'string', default: 'cache' },
  },
})
checkResultsName(values.out)
const connections = Number(values.connections)
const seconds = Number(values['slice-seconds'])

/** Requests that are ready to be sent, in turn. None comes twice before all have come. */
const DIFFERENT = 20_000
/** Capacity of the cache: so small that no response, and no memory of a request, is left when its request recurs. */
const KEPT = 50
/** Users of the kit. */
const USERS = 1000

interface Case {
  readonly id: string
  readonly wanted: 'hit' | 'miss'
  readonly query: string
  /** Variables of the requests, in turn. */
  readonly variables: readonly object[]
}

ensureBuilt()
const kit = findKit()
const [schema, workloads] = await Promise.all([readKitSchema(), kit.workloads()])
const { W1, W3, W4 } = workloads as Required<typeof workloads>
const numbers = Array.from({ length: DIFFERENT }, (_, i) => i)
// No row has so few views: all of these answers are equal, and are kept one by one.
const nested = W3!.query
  .replace('query W3 {', 'query W3($min: Int!) {')
  .replace('posts(', 'posts(where: { viewCount: { _gte: $min } }, ')
const CASES: readonly Case[] = [
  { id: 'W1, a miss', wanted: 'miss', query: W1!.query, variables: numbers.map((i) => ({ id: userId(i) })) },
  {
    id: 'W4, a miss',
    wanted: 'miss',
    query: W4!.query,
    variables: numbers.map((i) => ({ ...W4!.variables, min: -i })),
  },
  { id: 'W3, a miss', wanted: 'miss', query: nested, variables: numbers.map((i) => ({ min: -i })) },
  { id: 'W1, a hit', wanted: 'hit', query: W1!.query, variables: [W1!.variables] },
  { id: 'W3, a hit', wanted: 'hit', query: W3!.query, variables: [W3!.variables] },
]

const database = await createBenchDatabase(kit)
const cached = {
  ...schema,
  queries: schema.queries?.map((query) => ({ ...query, cache_ttl: 3600 })),
} as typeof schema
const projects = [
  writeBenchProject(schema),
  writeBenchProject(cached, { 'svc.caching': { enabled: true, max_memory_entries: KEPT } }),
]
const servers: SvcProcess[] = []
try {
  for (const { dir } of projects) {
    compileProject(dir, database.url)
    servers.push(await startSvc({ project: dir, databaseUrl: database.url }))
  }
  const [without, withCache] = servers as [SvcProcess, SvcProcess]
  const rows: CacheRow[] = []
  for (const each of CASES) rows.push(await measure(each, without, withCache))
  print(CACHE.render(rows))
  const description = describeRun({ postgres: database.version, load: 'wrk -t1' })
  progress(writeResults(values.out, { ...description, settings: values, rows }))
} finally {
  await Promise.all(servers.map((server) => server.stop()))
  for (const project of projects) project.remove()
  database.drop()
}

/** Ids as the kit's seed makes them. A `uuid` is equal in capitals: there are more spellings than users. */
function userId(request: number): string {
  const h = createHash('md5')
    .update(`user:${(request % USERS) + 1}`)
    .digest('hex')
  const parts = [h.slice(0, 8), h.slice(8, 12), h.slice(12, 16), h.slice(16, 20), h.slice(20)]
  const round = Math.floor(request / USERS)
  return parts.map((part, i) => ((round >> i) & 1 ? part.toUpperCase() : part)).join('-')
}

/** Each server has a turn in each slice; the first one rotates. */
async function measure(
  { id, wanted, query, variables }: Case,
  without: SvcProcess,
  withCache: SvcProcess,
): Promise<CacheRow> {
  progress(id)
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const bodies = variables.map((each) => JSON.stringify({ query, variables: each }))
  const sides = [without, withCache].map(({ url, pid }) => ({
    pid,
    request: { url, method: 'POST', headers, bodies } satisfies WrkRequest,
    rps: [] as number[],
    cpu: [] as number[],
    errors: 0,
    sent: 0,
  }))
  /** Continues after the last slice, whose responses are cached. */
  async function load(side: (typeof sides)[number], seconds: number) {
    const result = await wrkLoad({ ...side.request, first: side.sent % bodies.length }, connections, seconds)
    side.sent += result.requests + connections
    return result
  }
  await checkEqual(without.url, withCache.url, headers, bodies)
  for (const side of sides) await load(side, 3)
  const before = await readUses(withCache)
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
  const after = await readUses(withCache)
  const hits = after.hits - before.hits
  const share = hits / (hits + after.misses - before.misses)
  if (wanted === 'hit' ? share < 0.99 : share > 0.01) throw new Error(`${id}: ${(share * 100).toFixed(1)} % were hits`)
  const [plain, kept] = sides as [(typeof sides)[number], (typeof sides)[number]]
  // Slice by slice, because other load on the machine changes between them.
  const ratioOf = (a: readonly number[], b: readonly number[]): number =>
    median(a.map((each, slice) => each / b[slice]!))
  return {
    request: id,
    plainRps: median(plain.rps),
    cachedRps: median(kept.rps),
    ratio: ratioOf(kept.rps, plain.rps),
    plainCpuUs: median(plain.cpu),
    cachedCpuUs: median(kept.cpu),
    cpuRatio: ratioOf(kept.cpu, plain.cpu),
    failed: plain.errors + kept.errors,
  }
}

/** Checks that both servers return the same rows, because an empty response would be fast too. */
async function checkEqual(
  plain: string,
  cached: string,
  headers: Readonly<Record<string, string>>,
  [body = '']: readonly string[],
): Promise<void> {
  const ask = async (url: string) => (await fetch(url, { method: 'POST', headers, body })).text()
  const [a, b, again] = [await ask(plain), await ask(cached), await ask(cached)]
  if (a !== b || b !== again || a.includes('"errors"') || !a.includes('"id"'))
    throw new Error(`answers differ: ${a.slice(0, 200)}`)
}

async function readUses({ url }: SvcProcess): Promise<{ readonly hits: number; readonly misses: number }> {
  const text = await (await fetch(new URL('/metrics', url))).text()
  const read = (name: string) =>
    Number(new RegExp(`^svc_cache_${name}_total (\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  return { hits: read('hits'), misses: read('misses') }
}
