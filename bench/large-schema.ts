/**
 * `npm run bench:large-schema`: cost of compile, start, first introspection and first OpenAPI document for a schema
 * of the size of MusicBrainz: 371 types with a list, a look-up and a REST mutation each.
 *
 *     npm run bench:large-schema -- --types 1000 --rounds 5
 *     npm run bench:large-schema -- --rounds 1 --cpu-prof /tmp/profiles
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { getIntrospectionQuery } from 'graphql'
import type { AuthoredSchema } from '../core/schema/authored.ts'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { fillerSchema, fillerViews } from './lib/filler-types.ts'
import { findKit } from './lib/kit.ts'
import { LARGE_SCHEMA, type LargeSchemaRow } from './lib/large-schema-table.ts'
import { print, progress } from './lib/print.ts'
import { describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    types: { type: 'string', default: '371' },
    rounds: { type: 'string', default: '5' },
    'cpu-prof': { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const QUERY = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
})

ensureBuilt()
const kit = findKit()
const kitSchema = await readKitSchema()
const database = await createBenchDatabase(kit)
const count = Number(values.types) - (kitSchema.types ?? []).length
database.run(fillerViews(count))
const filler = fillerSchema(count)
const schema: AuthoredSchema = {
  ...kitSchema,
  types: [...(kitSchema.types ?? []), ...(filler.types ?? [])],
  queries: [...(kitSchema.queries ?? []), ...(filler.queries ?? [])],
  mutations: [
    ...(kitSchema.mutations ?? []),
    ...(filler.mutations ?? []).map((mutation, i) => ({
      ...mutation,
      rest_path: `/touch/filler${i + 1}/{id}`,
      rest_method: 'PUT' as const,
    })),
  ],
}
const project = writeBenchProject(schema, { rest: { openapi_enabled: true } })
try {
  const compiles = Array.from({ length: rounds }, () => compileProject(project.dir, database.url))
  const cells: (readonly Cell[])[] = []
  for (let round = 1; round <= rounds; round++) {
    cells.push(await measureStart())
    progress(`round ${round} of ${rounds}`)
  }
  const steps = ['start', 'introspection', 'introspection again', 'OpenAPI', 'OpenAPI again'] as const
  const rows: LargeSchemaRow[] = [
    { step: 'compile', ms: median(compiles), cpuMs: null, bytes: null },
    ...steps.map((step, i) => ({
      step,
      ms: median(cells.map((cell) => cell[i]!.ms)),
      cpuMs: median(cells.map((cell) => cell[i]!.cpuMs)),
      bytes: cells[0]![i]!.bytes,
    })),
  ]
  print(LARGE_SCHEMA.render(rows))
  progress(writeResults('large-schema', { ...describeRun({ postgres: database.version }), settings: values, rows }))
} finally {
  project.remove()
  database.drop()
}

interface Cell {
  readonly ms: number
  /** Processor time of the server. */
  readonly cpuMs: number
  /** Size of the answer. */
  readonly bytes: number | null
}

/** One start, and the first and second request of each kind. */
async function measureStart(): Promise<readonly Cell[]> {
  const profile = values['cpu-prof']
  const nodeArgs = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const server = await startSvc({ project: project.dir, databaseUrl: database.url, nodeArgs })
  try {
    const cells: Cell[] = [{ ms: server.startMs, cpuMs: processorMs(server.pid), bytes: null }]
    const body = JSON.stringify({ query: QUERY })
    const introspect = () =>
      fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const describe = () => fetch(new URL('/rest/v1/openapi.json', server.url))
    for (const ask of [introspect, introspect, describe, describe]) {
      // The start may still do work that is not part of the request.
      await new Promise((done) => setTimeout(done, 500))
      const before = processorMs(server.pid)
      const began = performance.now()
      const response = await ask()
      const text = await response.text()
      if (!response.ok || text.includes('"errors"')) throw new Error(`${response.status} ${text.slice(0, 300)}`)
      cells.push({
        ms: performance.now() - began,
        cpuMs: processorMs(server.pid) - before,
        bytes: Buffer.byteLength(text),
      })
    }
    return cells
  } finally {
    await server.stop()
  }
}

/** Processor time of a process since its start, to 10 ms. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
