/**
 * `npm run bench:schema-size`: cost of schemas of 10 to 5,000 types: compile, boot, memory, and requests. Every
 * schema contains the kit's four types; the servers of all sizes run side by side and are loaded in turn.
 *
 *     npm run bench:schema-size -- --sizes 10,1000 --rounds 3 --seconds 2
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { AuthoredSchema } from '../core/schema/authored.ts'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { fillerSchema, fillerViews } from './lib/filler-types.ts'
import { SCHEMA_SIZE, type SchemaSizeRow } from './lib/growth-tables.ts'
import { findKit } from './lib/kit.ts'
import { openLoad } from './lib/kit-load.ts'
import { postGraphQL } from './lib/post.ts'
import { print, progress } from './lib/print.ts'
import { describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt, readMemory, type SvcProcess, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10,100,1000,5000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    starts: { type: 'string', default: '5' },
  },
})
const sizes = values.sizes.split(',').map(Number)
const WORKLOADS = ['W1', 'W3']

ensureBuilt()
const kit = findKit()
const [kitSchema, workloads, load] = await Promise.all([readKitSchema(), kit.workloads(), openLoad(kit)])
const database = await createBenchDatabase(kit)
const servers: SvcProcess[] = []
const cleanUp: (() => void)[] = []
try {
  const most = Math.max(...sizes) - (kitSchema.types ?? []).length
  progress(`${most} views …`)
  database.run(fillerViews(most))
  const measured = []
  for (const types of sizes) measured.push(await measureSize(types))
  const rates = await measureThroughput(measured.map(({ server }) => server))
  const rows: SchemaSizeRow[] = measured.map(({ server, ...row }, i) => ({
    ...row,
    loadedMiB: readMemory(server.pid).rss,
    w1: rates[i]!.W1!,
    w3: rates[i]!.W3!,
  }))
  print(SCHEMA_SIZE.render(rows))
  const path = writeResults('schema-size', {
    ...describeRun({ postgres: database.version, load: load.name }),
    settings: values,
    rows,
  })
  progress(path)
} finally {
  for (const server of servers) await server.stop()
  for (const remove of cleanUp) remove()
  database.drop()
}

async function measureSize(
  types: number,
): Promise<Omit<SchemaSizeRow, 'loadedMiB' | 'w1' | 'w3'> & { server: SvcProcess }> {
  progress(`${types} types …`)
  const filler = fillerSchema(types - (kitSchema.types ?? []).length)
  const schema: AuthoredSchema = {
    ...kitSchema,
    types: [...(kitSchema.types ?? []), ...(filler.types ?? [])],
    queries: [...(kitSchema.queries ?? []), ...(filler.queries ?? [])],
    mutations: [...(kitSchema.mutations ?? []), ...(filler.mutations ?? [])],
  }
  const project = writeBenchProject(schema)
  cleanUp.push(project.remove)
  const compiles = [1, 2, 3].map(() => compileProject(project.dir, database.url))
  const start = () => startSvc({ project: project.dir, databaseUrl: database.url })
  const starts: number[] = []
  for (let i = 1; i < Number(values.starts); i++) {
    const server = await start()
    starts.push(server.startMs)
    await server.stop()
  }
  const server = await start()
  servers.push(server)
  starts.push(server.startMs)
  await new Promise((done) => setTimeout(done, 500))
  const bootMiB = readMemory(server.pid).rss
  const { ms } = await postGraphQL(server.url, workloads.W1!)
  return {
    types,
    artifactBytes: statSync(join(project.dir, 'schema.compiled.json')).size,
    compileMs: median(compiles),
    bootMs: median(starts),
    bootMiB,
    firstRequestMs: ms,
    server,
  }
}

/** Requests per second by workload, for each server: the median of rounds in which all had their turn. */
async function measureThroughput(all: readonly SvcProcess[]): Promise<readonly Readonly<Record<string, number>>[]> {
  const seconds = Number(values.seconds)
  const rates = all.map(() => Object.fromEntries(WORKLOADS.map((id) => [id, [] as number[]])))
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const id of WORKLOADS) {
      for (const [i, server] of all.entries()) {
        const { rps, errors } = await load.run(server.url, workloads[id]!, 32, seconds)
        if (errors > 0) throw new Error(`${errors} requests of ${id} failed`)
        // The first round warms up.
        if (round > 0) rates[i]![id]!.push(rps)
      }
    }
    progress(`round ${round} of ${values.rounds}`)
  }
  return rates.map((rate) => Object.fromEntries(WORKLOADS.map((id) => [id, median(rate[id]!)])))
}
