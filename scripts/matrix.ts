/**
 * `npm run matrix`: runs the behavioural driver suite, conformance chapters and the differential test on the oldest and the newest
 * PostgreSQL, and conformance chapters behind PgBouncer in transaction mode. The servers come from npm, and end with the command.
 * PgBouncer is the program `pgbouncer`, or that of `SVC_TEST_PGBOUNCER`.
 *
 *     npm run matrix -- [--postgres=13,18] [--pgbouncer] [--short] [--jobs=N] [FILE|FOLDER|GLOB …]
 *
 * `--postgres` and `--pgbouncer` choose a part. `--short` runs few chapters, for every change.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  CHAPTERS,
  EXCEPT,
  POOLED_CHAPTERS,
  SHORT_CASES,
  SHORT_CHAPTERS,
  SHORT_POOLED_CHAPTERS,
  VERSIONS,
} from './matrix/chapters.ts'
import { keepsStatements, pgbouncerVersion, startPgBouncer } from './matrix/pgbouncer.ts'
import { setPoolerRole } from './matrix/pooler-role.ts'
import { startPostgres } from './matrix/postgres-server.ts'
import { chooseFiles } from './tests/choose-files.ts'
import { isBad, runAll, summarize } from './tests/run-all.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const TIMEOUT_MS = 900_000
const write = (text: string): void => void process.stdout.write(text)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    postgres: { type: 'string' },
    pgbouncer: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
})
const majors = values.postgres?.split(',') ?? (values.pgbouncer ? [] : Object.keys(VERSIONS))
const unknown = majors.filter((major) => VERSIONS[major] === undefined)
if (unknown.length > 0) {
  throw new Error(`There is no PostgreSQL ${unknown.join(', ')} here. Versions: ${Object.keys(VERSIONS).join(', ')}.`)
}
const isPooled = values.pgbouncer || values.postgres === undefined
const folder = mkdtempSync(join(tmpdir(), 'svc-matrix-'))
chmodSync(folder, 0o755)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

for (const major of majors) {
  const server = await startPostgres(VERSIONS[major]!, folder)
  const except = EXCEPT[major] ?? {}
  await run(`PostgreSQL ${major}`, values.short ? SHORT_CHAPTERS : CHAPTERS, server.port, except)
  await server.stop()
}
if (isPooled) await runPooled()

/** Runs chapters behind PgBouncer, with and without prepared statements if it can keep them. */
async function runPooled(): Promise<void> {
  const command = process.env.SVC_TEST_PGBOUNCER ?? 'pgbouncer'
  const version = pgbouncerVersion(command)
  if (version === null) throw new Error(`${command} does not run. On Debian: apt-get install pgbouncer.`)
  const newest = Object.keys(VERSIONS).at(-1)!
  const server = await startPostgres(VERSIONS[newest]!, folder)
  // Debian 12 has 1.18, which keeps no prepared statements in transaction mode.
  for (const prepared of keepsStatements(version) ? [1000, 0] : [0]) {
    const address = { host: '127.0.0.1', port: server.port, user: 'postgres' }
    await setPoolerRole(`postgres://postgres@127.0.0.1:${server.port}/postgres`)
    const pooler = await startPgBouncer({ command, server: address, folder, prepared })
    const name = `PgBouncer ${version} in front of PostgreSQL ${newest}, max_prepared_statements = ${prepared}`
    await run(name, values.short ? SHORT_POOLED_CHAPTERS : POOLED_CHAPTERS, pooler.port, {})
    await pooler.stop()
  }
  await server.stop()
}

async function run(
  name: string,
  chapters: readonly string[],
  port: number,
  except: Readonly<Record<string, string>>,
): Promise<void> {
  write(`\n${name}\n`)
  for (const [file, why] of Object.entries(except)) write(`  not ${file}: ${why}\n`)
  const files = chooseFiles(root, positionals.length === 0 ? chapters : positionals).filter(
    (file) => except[file] === undefined,
  )
  const began = performance.now()
  const env = {
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'postgres',
    // Without PostGIS, which the packages do not carry. All other tests must find the server.
    SVC_TEST_REQUIRE: 'postgres',
    SVC_TEST_DATABASES: 'postgres',
    ...(values.short ? { SVC_TEST_CASES: String(SHORT_CASES) } : {}),
  }
  const results = await runAll(files, { jobs: Number(values.jobs), timeoutMs: TIMEOUT_MS, env, write })
  write(summarize(results, (performance.now() - began) / 1000))
  if (results.some(({ word }) => isBad(word))) process.exitCode = 1
}
