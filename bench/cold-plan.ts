/**
 * `npm run bench:cold-plan`: what the first request of a document costs, and how that grows with its size.
 *
 * Three parts: the planner alone (parse, validate, plan, SQL text; in this process, warmed up), the kit's requests over
 * HTTP as new documents and as known ones, and a document beyond the token bound.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { POSTGRES } from '../core/dialects/postgres/dialect.ts'
import { prepareRead } from '../core/engine/execute/read/prepare-read.ts'
import { loadSchema as loadCompiled } from '../core/service/load-schema.ts'
import { createDocumentCache } from '../plugins/graphql/document/document-cache.ts'
import { createSchemaView } from '../plugins/graphql/schema/graphql-schema.ts'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { COLD_REQUEST, type ColdRequestRow, PLAN_TIME, type PlanTimeRow } from './lib/growth-tables.ts'
import { findKit, type Workload } from './lib/kit.ts'
import { postData, postGraphQL } from './lib/post.ts'
import { print, progress } from './lib/print.ts'
import { describeRun, writeResults } from './lib/results.ts'
import { growthExponent, median } from './lib/stats.ts'
import { compileProject, ensureBuilt, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '10,50,100,500,1000,5000' }, repeat: { type: 'string', default: '30' } },
})
const repeat = Number(values.repeat)
/** `svc.max_document_tokens` of the part that measures: beyond the largest document of the list. */
const TOKENS = 1_000_000

ensureBuilt()
const kit = findKit()
const [schema, workloads] = await Promise.all([readKitSchema(), kit.workloads()])
const database = await createBenchDatabase(kit)
const project = writeBenchProject(schema)
try {
  compileProject(project.dir, database.url)
  const planTime = await measurePlanner()
  const exponent = growthExponent(planTime.map(({ fields, totalMs }) => [fields, totalMs]))
  print(PLAN_TIME.render(planTime))
  print(`\ntime ~ fields^${exponent.toFixed(2)}\n`)
  const server = await startSvc({ project: project.dir, databaseUrl: database.url })
  try {
    const cold: ColdRequestRow[] = []
    for (const id of ['W1', 'W2', 'W3', 'W4', 'W7', 'W8']) cold.push(await measureRequests(server.url, workloads[id]!))
    print(COLD_REQUEST.render(cold))
    const refused = await refuseHuge(server.url)
    print(
      `\na document of ${refused.fields} fields: ${refused.status} in ${refused.ms.toFixed(1)} ms: ${refused.message}`,
    )
    const results = { settings: values, planTime, exponent, cold, refused }
    progress(writeResults('cold-plan', { ...describeRun({ postgres: database.version }), ...results }))
  } finally {
    await server.stop()
  }
} finally {
  project.remove()
  database.drop()
}

/** A document with this many leaves, in roots of at most 15: eight of the post, six of its author. @param salt makes it new */
function documentOf(fields: number, salt: string): string {
  const scalars = ['id', 'title', 'slug', 'status', 'viewCount', 'rating', 'createdAt', 'updatedAt']
  const ofAuthor = ['id', 'username', 'email', 'fullName', 'isActive', 'createdAt']
  const roots: string[] = []
  for (let left = fields, n = 0; left > 0; n++) {
    const own = scalars.slice(0, left)
    left -= own.length
    const author = ofAuthor.slice(0, left)
    left -= author.length
    const nested = author.length === 0 ? '' : ` author { ${author.join(' ')} }`
    roots.push(`${salt}${n}: posts(limit: 1, orderBy: [{ createdAt: DESC }]) { ${own.join(' ')}${nested} }`)
  }
  return `query { ${roots.join('\n')} }`
}

/** The planner as the server runs it, without HTTP and database. */
async function measurePlanner(): Promise<PlanTimeRow[]> {
  const model = await loadCompiled(join(project.dir, 'schema.compiled.json'))
  const view = createSchemaView(model, false)
  const limits = { maxTokens: TOKENS, introspection: true, maxBytes: 2 ** 25, maxFailedBytes: 0 }
  const settings = { dialect: POSTGRES, maxRows: 10_000 }
  const once = (query: string, variables = {}) => {
    const started = performance.now()
    const operation = createDocumentCache(() => view, limits)
      .get(query)
      .operation(null)
      .toOperation(variables)
    const read = performance.now()
    const { statement } = prepareRead(operation, model, settings)
    const planned = performance.now()
    return { documentMs: read - started, planMs: planned - read, sqlBytes: Buffer.byteLength(statement?.text ?? '') }
  }
  const measure = (name: string, fields: number, document: (salt: string) => string): PlanTimeRow => {
    const runs = Array.from({ length: repeat }, (_, i) => once(document(`r${i}x`)))
    const of = (read: (run: ReturnType<typeof once>) => number): number => median(runs.map(read))
    const row = {
      documentMs: of((run) => run.documentMs),
      planMs: of((run) => run.planMs),
      sqlBytes: of((r) => r.sqlBytes),
    }
    return { name, fields, ...row, totalMs: row.documentMs + row.planMs }
  }
  // The process has seen documents before: only the document is cold.
  for (let i = 0; i < 300; i++) once(documentOf(50, `w${i}x`))
  return values.sizes.split(',').map((size) => measure(size, Number(size), (salt) => documentOf(Number(size), salt)))
}

/** A request of the kit as a document that the server does not know, and as one that it knows. */
async function measureRequests(url: string, workload: Workload): Promise<ColdRequestRow> {
  const { id, query, variables } = workload
  const cold: number[] = []
  const coldSql: number[] = []
  const warm: number[] = []
  for (let i = 0; i < repeat; i++) {
    // A comment makes a new document of the same statement; an alias a new statement too.
    cold.push((await postData(url, { query: `# ${i}\n${query}`, variables })).ms)
    const alias = query.replace(/\{ (\w+)/, `{ c${i}: $1`)
    coldSql.push((await postData(url, { query: alias, variables })).ms)
    for (let j = 0; j < 3; j++) await postData(url, { query, variables })
    warm.push((await postData(url, { query, variables })).ms)
  }
  // The first few have the process warm up.
  const of = (all: readonly number[]): number => median(all.slice(Math.floor(repeat / 3)))
  return { workload: id, warmMs: of(warm), coldDocumentMs: of(cold), coldStatementMs: of(coldSql) }
}

interface Refusal {
  readonly fields: number
  readonly status: number
  readonly ms: number
  readonly message: string
}

/** Sends a document above the default token limit. */
async function refuseHuge(url: string): Promise<Refusal> {
  const fields = 10_000
  const { status, body, ms } = await postGraphQL(url, { query: documentOf(fields, 'h') })
  const message = (JSON.parse(body) as { errors?: { message: string }[] }).errors?.[0]?.message
  if (message === undefined) throw new Error(`a document of ${fields} fields was not refused`)
  return { fields, status, ms, message }
}
