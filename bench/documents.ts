/**
 * `npm run bench:documents`: a stream of documents that the server has never seen, then a mix of documents that come
 * again. Neither may make the process grow beyond one and a half times the caches' budgets, nor slow it down: processor
 * time per request is compared, which a busy machine does not change as it changes the rate. Exits with 1 where it does.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { findKit } from './lib/kit.ts'
import { postData } from './lib/post.ts'
import { print } from './lib/print.ts'
import { compileProject, ensureBuilt, readMemory, type SvcProcess, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    new: { type: 'string', default: '60000' },
    mixed: { type: 'string', default: '60000' },
    clients: { type: 'string', default: '8' },
  },
})
/** `graphql.document_cache_bytes` and `graphql.failed_document_cache_bytes`, by default. */
const BUDGET_MIB = (33_554_432 + 2_097_152) / 2 ** 20
const MOST_GROWTH = 1.5
const MOST_SLOWDOWN = 1.15
const PARTS = 10
/** Different documents of the mix: more than the cache holds. */
const MIXED = 6000

ensureBuilt()
const kit = findKit()
const database = await createBenchDatabase(kit)
const project = writeBenchProject(await readKitSchema())
let failed = false
try {
  compileProject(project.dir, database.url)
  const server = await startSvc({ project: project.dir, databaseUrl: database.url })
  try {
    const known = '{ posts(limit: 5) { id title } }'
    await run(server, 4000, () => known)
    const start = readMemory(server.pid).rss
    print(`at start ${start.toFixed(0)} MiB`)
    await measure(server, 'new', start, Number(values.new), newDocument)
    // Older documents recur more often: squares of a uniform number.
    let state = 1
    const random = (): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return state / 0x7fffffff
    }
    await measure(server, 'mixed', start, Number(values.mixed), () => newDocument(-Math.floor(MIXED * random() ** 2)))
  } finally {
    await server.stop()
  }
} finally {
  project.remove()
  database.drop()
}
if (failed) process.exitCode = 1

function newDocument(i: number): string {
  return `{ ${i < 0 ? 'm' : 'n'}${Math.abs(i)}: posts(limit: 5) { id title slug author { id username } } }`
}

async function measure(
  server: SvcProcess,
  name: string,
  start: number,
  count: number,
  textOf: (i: number) => string,
): Promise<void> {
  const perPart = Math.floor(count / PARTS)
  const cpu: number[] = []
  for (let part = 0; part < PARTS; part++) {
    const before = cpuMs(server.pid)
    const started = performance.now()
    await run(server, perPart, (i) => textOf(part * perPart + i))
    const each = (cpuMs(server.pid) - before) / perPart
    cpu.push(each)
    const rate = (perPart / (performance.now() - started)) * 1000
    const { rss } = readMemory(server.pid)
    print(
      `${name} ${(part + 1) * perPart}: ${each.toFixed(3)} ms of processor each, ${rate.toFixed(0)}/s, ${rss.toFixed(0)} MiB`,
    )
  }
  const { rss, peak } = readMemory(server.pid)
  const growth = (peak - start) / BUDGET_MIB
  // The first part has the process warm up.
  const slowdown = cpu.at(-1)! / cpu[1]!
  print(
    `${name}: ends at ${rss.toFixed(0)} MiB, grew by ${growth.toFixed(2)} budgets, took ${slowdown.toFixed(2)} times as long`,
  )
  if (growth > MOST_GROWTH || slowdown > MOST_SLOWDOWN) failed = true
}

async function run(server: SvcProcess, count: number, textOf: (i: number) => string): Promise<void> {
  let next = 0
  const client = async (): Promise<void> => {
    while (next < count) await postData(server.url, { query: textOf(next++) })
  }
  await Promise.all(Array.from({ length: Number(values.clients) }, client))
}

/** User and system time, in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
