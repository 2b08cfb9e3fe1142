/**
 * `npm run bench:response-size`: lists of 10 to 100,000 rows: time, and memory of the process per byte that it sends. Each
 * size has a process of its own. Then what a client sees of a result over `svc.max_response_bytes`.
 *
 *     npm run bench:response-size -- --rows 1000,100000 --repeat 5
 */
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { RESPONSE_SIZE, type ResponseSizeRow } from './lib/growth-tables.ts'
import { findKit } from './lib/kit.ts'
import { postData, postGraphQL } from './lib/post.ts'
import { print, progress } from './lib/print.ts'
import { describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt, readMemory, resetPeakMemory, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10,100,1000,10000,100000' },
    repeat: { type: 'string', default: '7' },
  },
})
/** The kit's largest table has 100,000 rows. */
const request = (rows: number) => ({
  query: `{ comments(limit: ${rows}, orderBy: [{ createdAt: DESC }]) { id body createdAt } }`,
})

ensureBuilt()
const kit = findKit()
const schema = await readKitSchema()
const database = await createBenchDatabase(kit)
try {
  const rows: ResponseSizeRow[] = []
  for (const count of values.rows.split(',').map(Number)) rows.push(await measureSize(count))
  print(RESPONSE_SIZE.render(rows))
  const refused = await refuseLarge()
  print(`\n${refused.rows} rows with a bound of ${refused.maxBytes} bytes: ${refused.status}, ${refused.message}`)
  const results = { settings: values, rows, refused }
  progress(writeResults('response-size', { ...describeRun({ postgres: database.version }), ...results }))
} finally {
  database.drop()
}

async function measureSize(count: number): Promise<ResponseSizeRow> {
  const project = writeBenchProject(schema, { svc: { max_rows: 1_000_000 } })
  compileProject(project.dir, database.url)
  const server = await startSvc({ project: project.dir, databaseUrl: database.url })
  try {
    // Same code, small response: the memory of the process before a large one.
    for (let i = 0; i < 200; i++) await postData(server.url, request(9))
    const { rss } = readMemory(server.pid)
    resetPeakMemory(server.pid)
    const answers = []
    for (let i = 0; i < Number(values.repeat); i++) {
      const { bytes, ms, body } = await postData(server.url, request(count))
      if (!body.endsWith(']}}')) throw new Error(`the answer of ${count} rows is cut off`)
      answers.push({ bytes, ms })
    }
    const { peak } = readMemory(server.pid)
    const { bytes } = answers[0]!
    return {
      rows: count,
      bytes,
      ms: median(answers.map(({ ms }) => ms)),
      beforeMiB: rss,
      peakMiB: peak,
      // Below, garbage of the process itself is larger than the answer.
      perByte: bytes < 2 ** 20 ? null : ((peak - rss) * 2 ** 20) / bytes,
    }
  } finally {
    await server.stop()
    project.remove()
  }
}

interface Refusal {
  readonly rows: number
  readonly maxBytes: number
  readonly status: number
  readonly message: string
}

async function refuseLarge(): Promise<Refusal> {
  const rows = 100_000
  const maxBytes = 2 ** 20
  const project = writeBenchProject(schema, { svc: { max_rows: 1_000_000, max_response_bytes: maxBytes } })
  compileProject(project.dir, database.url)
  const server = await startSvc({ project: project.dir, databaseUrl: database.url })
  try {
    const { status, body } = await postGraphQL(server.url, request(rows))
    const message = (JSON.parse(body) as { errors?: { message: string }[] }).errors?.[0]?.message
    if (message === undefined) throw new Error('the large result was not refused')
    return { rows, maxBytes, status, message }
  } finally {
    await server.stop()
    project.remove()
  }
}
