/**
 * `npm run bench:stream`: a million rows as a stream, in each form, through each driver: rows per second, time to the
 * first row, and memory. Each figure has its own process. For comparison, on PostgreSQL, a typical hand-written
 * solution: a cursor, rows as objects, `JSON.stringify` of each.
 *
 *     npm run bench:stream -- --rows 100000 --drivers postgres
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { createSignals } from '../core/service/signals/create-signals.ts'
import { openSqlite } from '../plugins/sqlite/driver.ts'
import { STREAM, type StreamRow } from './lib/growth-tables.ts'
import { print, progress } from './lib/print.ts'
import { describeRun, writeResults } from './lib/results.ts'
import type { StreamFigures, StreamJob } from './lib/stream-child.ts'
import { ROOT } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    drivers: { type: 'string', default: 'postgres,pglite,sqlite' },
    server: { type: 'string', default: process.env.BENCH_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres' },
  },
})
const count = Number(values.rows)
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-stream-'))
const rows: StreamRow[] = []
let postgres = ''

const TABLE = `CREATE TABLE tb_sale (id int PRIMARY KEY, name text NOT NULL, price numeric(12, 2), amount bigint NOT NULL, sold_at timestamptz NOT NULL)`
const VIEW = 'CREATE VIEW v_sale AS SELECT id, name, price, amount, sold_at FROM tb_sale'
const FILL = `INSERT INTO tb_sale SELECT g, 'Sale number ' || g, g / 100.0, g::bigint * 1000003, timestamptz '2024-01-01 00:00:00+00' + g * interval '1 second'
  FROM generate_series(1, ${count}) g`

try {
  for (const driver of values.drivers.split(',')) {
    if (driver === 'postgres') await onPostgres()
    else if (driver === 'pglite') await onPglite()
    else if (driver === 'sqlite') await onSqlite()
    else throw new Error(`--drivers: "${driver}" is none of postgres, pglite, sqlite`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
print(STREAM.render(rows))
progress(writeResults('stream', { ...describeRun({ postgres }), settings: { rows: count }, rows }))

function measure(job: Omit<StreamJob, 'rows' | 'baseDir'>): void {
  const input = JSON.stringify({ ...job, rows: count, baseDir: folder } satisfies StreamJob)
  const output = execFileSync(process.execPath, ['--import=tsx', join(ROOT, 'bench', 'lib', 'stream-child.ts')], {
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: ROOT,
  })
  const figures = JSON.parse(output) as StreamFigures
  rows.push({ driver: job.driver, form: job.form, ...figures })
  progress(`${job.driver}, ${job.form}: ${Math.round(figures.rows / (figures.ms / 1000))} rows/s`)
}

async function onPostgres(): Promise<void> {
  const name = `svc_bench_stream_${process.pid}`
  const admin = new pg.Client({ connectionString: values.server })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  const url = Object.assign(new URL(values.server), { pathname: `/${name}` }).href
  try {
    postgres = (await admin.query('SHOW server_version')).rows[0].server_version
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`${TABLE}; ${VIEW}; ${FILL}; ANALYZE tb_sale`)
    await client.end()
    for (const form of ['rows', 'columns', 'arrow', 'by hand'] as const) measure({ driver: 'postgres', url, form })
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.end()
  }
}

async function onPglite(): Promise<void> {
  const data = join(folder, 'pglite')
  const database = await PGlite.create(data)
  await database.exec(`${TABLE}; ${VIEW}; ${FILL}; ANALYZE tb_sale`)
  await database.close()
  for (const form of ['rows', 'columns'] as const) measure({ driver: 'pglite', url: `pglite:${data}`, form })
}

async function onSqlite(): Promise<void> {
  const url = 'sqlite:sales.db'
  const config = {
    url,
    ssl_mode: 'disable',
    pool_min: 0,
    pool_max: 2,
    connect_timeout_ms: 60_000,
    idle_timeout_ms: 60_000,
    prepared_statements: true,
    plan_cache_mode: 'auto',
  } as const
  const database = await openSqlite(config, { baseDir: folder, signals: createSignals() })
  await database.script(
    `CREATE TABLE tb_sale (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price NUMERIC(12, 2), amount BIGINT NOT NULL, sold_at TIMESTAMPTZ NOT NULL);
    ${VIEW};
    WITH RECURSIVE n(g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM n WHERE g < ${count})
    INSERT INTO tb_sale SELECT g, 'Sale number ' || g, g / 100.0, g * 1000003, strftime('%Y-%m-%dT%H:%M:%SZ', 1704067200 + g, 'unixepoch') FROM n;`,
  )
  await database.close()
  for (const form of ['rows', 'columns'] as const) measure({ driver: 'sqlite', url, form })
}
