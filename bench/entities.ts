/**
 * `npm run bench:entities`: the first request of the kit as the query of a client and as the `_entities` of a router,
 * sent to one server in alternating slices. Reports requests per second and processor time of the server per request.
 *
 *     npm run bench:entities -- --slices 12 --slice-seconds 1
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
    out: { type: 'string', default: 'entities' },
  },
})
checkResultsName(values.out)

ensureBuilt()
const kit = findKit()
const [schema, workloads] = await Promise.all([readKitSchema(), kit.workloads()])
const database = await createBenchDatabase(kit)
const keyed = {
  ...schema,
  types: schema.types?.map((type) => (type.name === 'User' ? { ...type, key_fields: ['id'] } : type)) ?? [],
}
const project = writeBenchProject(keyed, { federation: { enabled: true } })
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
  const circumstances = describeRun({ postgres: database.version, load: 'wrk -t1' })
  progress(writeResults(values.out, { ...circumstances, settings: values, rows }))
} finally {
  await server?.stop()
  project.remove()
  database.drop()
}

function waysTo(url: string): readonly Way[] {
  const { query, variables } = workloads.W1!
  const fields = /\{[^{]*(\{[^}]*\})/.exec(query)?.[1]
  if (fields === undefined) throw new Error(`No selection is found in W1: ${query}`)
  const asked = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on User ${fields} } }`
  const representations = [{ __typename: 'User', ...variables }]
  const post = (body: object): Way['request'] => ({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return [
    {
      way: 'a query',
      request: post({ query, variables }),
      data: ({ data }: { readonly data: { readonly user: unknown } }) => data.user,
    },
    {
      way: '`_entities`',
      request: post({ query: asked, variables: { representations } }),
      data: ({ data }: { readonly data: { readonly _entities: readonly unknown[] } }) => data._entities[0],
    },
  ]
}
