import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bestLibrary } from '../../plugins/sqlite/driver.ts'
import { createPostgresDatabase } from '../../test/helpers/databases.ts'

/** A folder in which the package is tried. */
export interface Trial {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Runs the service of a configuration in a folder below, and sends a query. @returns the body of the answer */
  readonly ask: (folder: string, query: string) => Promise<string>
  readonly check: (condition: boolean, what: string) => void
}

const SQL = `
CREATE TABLE book (id int PRIMARY KEY, title text NOT NULL);
INSERT INTO book VALUES (1, 'Ulysses');
`

/** Configurations that need a package, and the command that their error has to name. */
const MISSING: readonly (readonly [string, RegExp])[] = [
  ['[database]\nurl = "pglite:memory"\n', /plugin pglite needs .*: `npm install @electric-sql\/pglite@0\.5\.14`/],
  ['[svc.apq]\nenabled = true\nkvstore_url = "redis://127.0.0.1"\n', /kvstore_url.*: `npm install ioredis@6`/],
  [observers('kvstore', 'kvstore_url = "redis://127.0.0.1"'), /plugin observers .*: `npm install ioredis@6`/],
  [
    observers('msgbus', 'msgbus_url = "nats://127.0.0.1"'),
    /plugin observers .*: `npm install @nats-io\/transport-node@3 @nats-io\/jetstream@3`/,
  ],
  [observers('mariadb', 'mariadb_url = "mysql://127.0.0.1/x"'), /plugin observers .*: `npm install mysql2@3`/],
  [
    observers('in-memory', 'smtp_host = "127.0.0.1"\nsmtp_from = "a@b.example"'),
    /plugin observers .*: `npm install nodemailer@10`/,
  ],
  [
    '[security.api_keys]\nenabled = true\nhash_algorithm = "argon2"\n',
    /plugin api-keys .*: `npm install @node-rs\/argon2@2`/,
  ],
  ['[federation]\nenabled = true\ninline_traces = true\n', /plugin federation .*: `npm install pbf@5`/],
  [
    '[tracing]\nenabled = true\n',
    /plugin tracing .*: `npm install @opentelemetry\/sdk-trace-base@2 .*otlp-proto@0\.223`/,
  ],
]

function observers(backend: string, more: string): string {
  return `[observers]\nenabled = true\nbackend = "${backend}"\n${more}\n`
}

/**
 * Uses an installation without the optional peers: help, a project for a database on a PostgreSQL server, its service, and the error of
 * each feature whose package is missing.
 */
export async function tryWithoutOptional(trial: Trial): Promise<void> {
  const { folder, check } = trial
  const manifest = readFileSync(join(folder, 'node_modules/svc/package.json'), 'utf8')
  const peers = Object.keys((JSON.parse(manifest) as { peerDependencies: object }).peerDependencies)
  const there = peers.filter((name) => existsSync(join(folder, 'node_modules', name)))
  check(peers.length > 0 && there.length === 0, `npm installs none of ${peers.length} optional peers: ${there.join()}`)
  check(/^Usage: svc/m.test(svc(trial, '.', '--help').out), 'svc --help')

  const ends: (() => unknown)[] = []
  const onEnd = { teardown: (end: () => unknown) => void ends.push(end) }
  try {
    const url = await createPostgresDatabase(onEnd as never, { sql: SQL })
    check(svc(trial, '.', 'init', 'shop', '--database', url).code === 0, 'svc init --database URL')
    const project = readFileSync(join(folder, 'shop/package.json'), 'utf8')
    check(!project.includes('pglite'), 'its package.json has no embedded database')
    const compiled = svc(trial, 'shop', 'compile')
    check(compiled.code === 0, `svc compile on PostgreSQL: ${compiled.out}${compiled.err}`)
    const answer = await trial.ask('shop', '{ books { items { title } } }')
    check(answer.includes('Ulysses'), `svc run on PostgreSQL answers a query: ${answer}`)
    tryMissing(trial, url)
    tryArrow(trial, url)
    tryServe(trial)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** Starts the project with each feature, and runs `svc doctor` with several. */
function tryMissing(trial: Trial, url: string): void {
  const policy = '[security]\ndefault_policy = "public"\n'
  const write = (toml: string): void => {
    const database = toml.startsWith('[database]') ? '' : `[database]\nurl = "${url}"\n`
    const text = `[plugins]\npreset = "full"\n${policy}${database}${toml}`
    writeFileSync(join(trial.folder, 'shop/case.toml'), text)
  }
  for (const [toml, message] of MISSING) {
    write(toml)
    expectMissing(trial, toml.replaceAll('\n', ' '), svc(trial, 'shop', 'run', 'case.toml', '--port', '0'), message)
  }
  write(
    '[svc.apq]\nenabled = true\nkvstore_url = "redis://127.0.0.1"\n[federation]\nenabled = true\ninline_traces = true\n',
  )
  const { code, out } = svc(trial, 'shop', 'doctor', 'case.toml', '--json')
  const { checks } = JSON.parse(out) as { checks: readonly { name: string; state: string; message: string }[] }
  const packages = checks.find(({ name }) => name === 'packages')
  trial.check(
    code === 1 &&
      packages?.state === 'failed' &&
      /^All of them: `npm install (?=.*ioredis@6)(?=.*pbf@5)/m.test(packages.message),
    'svc doctor lists missing packages, with one command for all',
  )
}

const ARROW = `import { arrowQuery, ID, list, type } from 'svc/authoring'
export const book = type('Book', { sqlSource: 'book', fields: { id: ID }, dataplane: 'arrow' })
arrowQuery('books', list(book), { sqlSource: 'book' })
`

/** A schema with a columnar query compiles, and its service names the package. */
function tryArrow(trial: Trial, url: string): void {
  mkdirSync(join(trial.folder, 'arrow'))
  writeFileSync(join(trial.folder, 'arrow/svc.toml'), `[plugins]\npreset = "full"\n[database]\nurl = "${url}"\n`)
  writeFileSync(join(trial.folder, 'arrow/schema.ts'), ARROW)
  const compiled = svc(trial, 'arrow', 'compile')
  trial.check(compiled.code === 0, `a columnar query compiles ${compiled.err}`)
  expectMissing(
    trial,
    '@arrowQuery',
    svc(trial, 'arrow', 'run', '--port', '0'),
    /plugin arrow needs .*: `npm install apache-arrow@21`/,
  )
}

/** Serves databases in files, of which no package is read before the file exists. */
function tryServe(trial: Trial): void {
  mkdirSync(join(trial.folder, 'data'))
  writeFileSync(join(trial.folder, 'data/PG_VERSION'), '18\n')
  const [pglite] = MISSING[0]!.slice(1) as [RegExp]
  expectMissing(trial, 'svc serve pglite:data', svc(trial, '.', 'serve', 'pglite:data'), pglite)
  writeFileSync(join(trial.folder, 'x.db'), 'SQLite format 3\0')
  // A newer Node has SQLite itself.
  if (bestLibrary() === 'node') return
  const served = svc(trial, '.', 'serve', 'x.db')
  expectMissing(trial, 'svc serve x.db', served, /plugin sqlite needs .*: `npm install node-sqlite3-wasm@0\.8`/)
}

function expectMissing({ check }: Trial, what: string, { code, err }: Ran, message: RegExp): void {
  check(code === 2 && message.test(err), `${what} → ${message.source}${message.test(err) ? '' : `: ${code} ${err}`}`)
}

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs svc of the folder, in a folder below. */
function svc({ folder, env }: Trial, below: string, ...args: readonly string[]): Ran {
  const bin = join(folder, 'node_modules/svc/bin/svc.js')
  const options = { cwd: join(folder, below), env, encoding: 'utf8', timeout: 120_000 } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], options)
  return { code: status, out: stdout, err: stderr }
}
