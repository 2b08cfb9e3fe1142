/**
 * One measurement of `bench/stream.ts` in a process of its own: all rows of a view through one form, into a sink that only counts.
 * Prints JSON.
 */
import { readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { streamBody } from '../../core/base/util/stream-body.ts'
import { catalogNames } from '../../core/compiler/catalog-names.ts'
import { compileSchema } from '../../core/compiler/compile.ts'
import type { Database, DatabaseConfig } from '../../core/contract/database.ts'
import { createExecutor } from '../../core/engine/execute/resolve.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { linkSchema } from '../../core/schema/link/link.ts'
import type { QueryModel } from '../../core/schema/model.ts'
import { PlainExchange } from '../../core/service/lifecycle/plain-exchange.ts'
import { createSignals } from '../../core/service/signals/create-signals.ts'
import { ArrowWriter } from '../../plugins/arrow/arrow-writer.ts'
import { columnForms } from '../../plugins/arrow/column-form.ts'
import { loadArrow } from '../../plugins/arrow/load-arrow.ts'
import { PreparedDocument } from '../../plugins/graphql/document/prepared-document.ts'
import { createSchemaView } from '../../plugins/graphql/schema/graphql-schema.ts'
import { childrenOf } from './process-tree.ts'
import { readMemory, resetPeakMemory } from './svc-process.ts'

export interface StreamJob {
  readonly driver: 'postgres' | 'pglite' | 'sqlite'
  readonly url: string
  readonly baseDir: string
  readonly form: 'rows' | 'columns' | 'arrow' | 'by hand'
  readonly rows: number
}

export interface StreamFigures {
  readonly ms: number
  readonly bytes: number
  readonly rows: number
  /** Time to the first bytes. */
  readonly firstMs: number
  readonly beforeMiB: number
  /** Memory of the process and its child processes. */
  readonly peakMiB: number
}

const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Sale',
      sql_source: 'v_sale',
      fields: [
        { name: 'id', type: 'Int!' },
        { name: 'name', type: 'String!' },
        { name: 'price', type: 'Decimal' },
        { name: 'amount', type: 'BigInt!' },
        { name: 'sold_at', type: 'DateTime!' },
      ],
    },
  ],
  queries: [{ name: 'sales', type: '[Sale!]!', sql_source: 'v_sale' }],
}
/** The defaults of [arrow]. */
const BATCHES = { max_batch_rows: 16_384, max_batch_bytes: 4_194_304 }
/** Rows passed to the writer of columns. */
let sent = 0
const FIELDS = 'id name price amount soldAt'

async function openDatabase({ driver, url, baseDir }: StreamJob): Promise<Database> {
  const signals = createSignals()
  const config: DatabaseConfig = {
    url,
    ssl_mode: 'disable',
    pool_min: 0,
    pool_max: 4,
    connect_timeout_ms: 30_000,
    idle_timeout_ms: 60_000,
    prepared_statements: true,
    plan_cache_mode: 'auto',
  }
  if (driver === 'postgres') {
    return (await import('../../plugins/postgres/driver.ts')).openPostgres(config, signals)
  }
  if (driver === 'pglite') {
    const { readDataFolder } = await import('../../plugins/pglite/engine/data-folder.ts')
    const { openPglite } = await import('../../plugins/pglite/driver.ts')
    return openPglite(config, readDataFolder(url, baseDir), signals)
  }
  return (await import('../../plugins/sqlite/driver.ts')).openSqlite(config, { baseDir, signals })
}

/** The body that a front sends, of a list of so many rows. */
async function createBody(job: StreamJob, database: Database): Promise<(limit: number) => Promise<Readable>> {
  const catalog = await database.catalog(catalogNames(SCHEMA))
  const { compiled } = compileSchema(SCHEMA, { owned: [], catalog, dialect: database.dialect })
  if (compiled === null) throw new Error('The schema of the bench does not compile.')
  const schema = linkSchema(compiled)
  const view = createSchemaView(schema, false)
  const { resolve } = createExecutor({ database: () => database, settings: { maxRows: 10_000 } })
  const generation = { id: 1, hash: schema.hash, schema, loadedAt: new Date(0), slots: [] }
  const form = job.form === 'rows' ? 'rows' : 'columns'
  const arrow = job.form === 'arrow' ? await loadArrow() : null
  return async (limit) => {
    const document = new PreparedDocument(
      `{ sales(limit: ${limit}) { ${FIELDS} } }`,
      view,
      { maxTokens: 10_000, introspection: false },
      () => {},
    )
    const operation = { ...document.operation(null).toOperation({}), form } as const
    const exchange = new PlainExchange(generation, { transport: 'internal' })
    const { stream, errors } = await resolve(exchange, operation)
    if (stream === undefined) throw errors![0]
    const end = (error: unknown): string => {
      if (error !== null) throw error
      return ''
    }
    if (stream.form === 'columns' && arrow !== null) {
      const query = schema.queries.get('sales') as QueryModel
      const writer = new ArrowWriter(arrow, columnForms(arrow, stream.columns, query), BATCHES)
      return streamBody(
        stream,
        (batch) => {
          sent += batch.length
          return writer.write(batch)
        },
        (error) => {
          if (error !== null) throw error
          return writer.end()
        },
      )
    }
    return stream.form === 'rows'
      ? streamBody(stream, (rows) => `${rows.join('\n')}\n`, end)
      : streamBody(stream, (rows) => `${rows.map((row) => row.join('\t')).join('\n')}\n`, end)
  }
}

/** A typical hand-written solution with `pg` and a cursor: rows as objects, each converted to JSON. */
async function byHand({ url }: StreamJob): Promise<(limit: number) => Promise<Readable>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  async function* lines(limit: number): AsyncGenerator<string> {
    await client.query('BEGIN READ ONLY')
    await client.query(
      `DECLARE c NO SCROLL CURSOR FOR SELECT id, name, price, amount, sold_at AS "soldAt" FROM v_sale ORDER BY id LIMIT ${limit}`,
    )
    for (;;) {
      const { rows } = await client.query('FETCH FORWARD 500 FROM c')
      if (rows.length === 0) break
      yield `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`
    }
    await client.query('COMMIT')
  }
  return async (limit) => Readable.from(lines(limit), { objectMode: false })
}

async function measure(job: StreamJob): Promise<StreamFigures> {
  const database = job.form === 'by hand' ? null : await openDatabase(job)
  const bodyOf = database === null ? await byHand(job) : await createBody(job, database)
  let bytes = 0
  let rows = 0
  let first = 0
  const sink = (): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (first === 0) first = performance.now()
        bytes += chunk.length
        // Of binary batches nothing can be counted.
        if (job.form === 'arrow') rows = sent
        else for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows++
        // Asynchronous, like a socket.
        setImmediate(done)
      },
    })
  await pipeline(await bodyOf(20_000), sink())
  const pids = [process.pid, ...childrenOf(process.pid)]
  const sum = (read: (pid: number) => number): number => pids.reduce((all, pid) => all + read(pid), 0)
  const beforeMiB = sum((pid) => readMemory(pid).rss)
  for (const pid of pids) resetPeakMemory(pid)
  bytes = 0
  rows = 0
  sent = 0
  first = 0
  const started = performance.now()
  await pipeline(await bodyOf(job.rows), sink())
  const ms = performance.now() - started
  const peakMiB = sum((pid) => readMemory(pid).peak)
  if (rows !== job.rows) throw new Error(`${rows} rows came instead of ${job.rows}`)
  return { ms, bytes, rows, firstMs: first - started, beforeMiB, peakMiB }
}

const job = JSON.parse(readFileSync(0, 'utf8')) as StreamJob
process.stdout.write(JSON.stringify(await measure(job)))
process.exit(0)
