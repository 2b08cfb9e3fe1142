/**
 * `npm run first-hour`: the first hour of each kind of user, in empty folders outside of the repository, with the packed
 * package: a database served without a project, a project from a database, a template and its daily loop, typed
 * clients, and the mistakes that a user makes. Each step is timed, and fails the script if it does not print what it
 * should. With `--write` the transcript becomes docs/tutorial/first-hour.md. Part of `.ci/run`. Needs PostgreSQL, and `dist/`
 * of this checkout.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { JOURNEYS } from './first-hour/journeys.ts'
import { PAGE, renderPage } from './first-hour/render-page.ts'
import { type DoneJourney, runJourney } from './first-hour/run-journey.ts'
import { toSqlite } from './first-hour/to-sqlite.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const chinook = join(root, 'examples/chinook/db')
const home = mkdtempSync(join(tmpdir(), 'svc-first-hour-'))
const database = `svc_first_hour_${process.pid}`
const admin = 'postgres://postgres@localhost/postgres'

function psql(url: string, ...args: readonly string[]): void {
  execFileSync('psql', [url, '-v', 'ON_ERROR_STOP=1', '-q', '-X', ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
}

if (!existsSync(join(root, 'dist/core/cli/main.js'))) {
  process.stderr.write('There is no dist/ to pack: npm run build\n')
  process.exit(1)
}
// The scripts of the package would build dist/ again.
execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', home], { cwd: root })
psql(admin, '-c', `CREATE DATABASE ${database}`)
const load = loadavg()[0]!
const began = performance.now()
try {
  const files = ['01_tables.sql', '02_data.sql'].map((name) => join(chinook, name))
  for (const file of files) psql(admin.replace(/\w+$/, database), '-f', file)
  mkdirSync(join(home, 'try'))
  const script = toSqlite(files.map((file) => readFileSync(file, 'utf8')).join('\n'))
  const make = 'import sqlite3, sys\nsqlite3.connect(sys.argv[1]).executescript(sys.stdin.read())'
  execFileSync('python3', ['-c', make, join(home, 'try/chinook.db')], { input: script })
  const done: DoneJourney[] = []
  for (const journey of JOURNEYS) {
    process.stdout.write(`\n${journey.title}\n`)
    done.push(await runJourney(journey, { home, database }))
  }
  process.stdout.write(`\n${((performance.now() - began) / 1000).toFixed(0)} s\n`)
  if (process.argv.includes('--write')) {
    const date = new Date().toISOString().slice(0, 10)
    const facts = { date, node: process.versions.node, cpus: availableParallelism(), load }
    writeFileSync(join(root, PAGE), renderPage(done, facts))
    process.stdout.write(`${PAGE}\n`)
  }
} finally {
  psql(admin, '-c', `DROP DATABASE ${database} WITH (FORCE)`)
  rmSync(home, { recursive: true, force: true })
}
