import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import { didYouMean } from '../../base/util/nearest.ts'
import { loadSchemaModule } from '../../compiler/load-module.ts'
import { printSchemaJson } from '../../compiler/write-schema-json.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { GITIGNORE, printConfig, printPackageJson, TSCONFIG } from './config-files.ts'
import { FUNCTIONS_SQL } from './functions.ts'
import { printReadme } from './readme.ts'
import { SCHEMA_TS } from './schema.ts'
import { DATA_SQL, TABLES_SQL, VIEWS_SQL } from './scripts.ts'
import { SCRIPTS } from './sqlite/scripts.ts'
import { TABLES_SQL as SQLITE_TABLES_SQL } from './sqlite/tables.ts'

/** The command `svc init`. */
export const initCommand = defineCommand({
  name: 'init',
  summary: 'Write a new project: a small blog that runs as it is.',
  description:
    'Writes svc.toml, schema.ts, schema.json, db/, package.json, tsconfig.json, .gitignore and README.md into the folder\n' +
    'NAME, which is created, or into the current folder. What is in package.json, tsconfig.json and .gitignore already is\n' +
    'kept. A folder that holds more than these, node_modules, lock files and dot files is refused.',
  arguments: [{ name: 'NAME', description: 'Folder of the project. Default: the current one.' }],
  options: [
    {
      name: 'database',
      type: 'string',
      value: 'KIND',
      description: 'pglite (default): PostgreSQL in this process; sqlite: a file.',
    },
    JSON_FLAG,
  ],
  examples: ['svc init shop', 'svc init', 'svc init shop --database sqlite'],
  run,
})

/** Databases that a new project can use. */
const DATABASES = ['pglite', 'sqlite'] as const
type InitDatabase = (typeof DATABASES)[number]

async function run({ positionals, flags }: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const kind = readDatabase(flags.database)
  const folder = resolve(io.cwd, positionals[0] ?? '.')
  refuseIfUsed(folder)
  const files = await writeProject(folder, kind)
  const path = relative(io.cwd, folder)
  const enter = path === '' ? [] : [`cd ${/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)}`]
  const next = [...enter, 'npm install', 'npx svc compile', 'npx svc run']
  if (flags.json === true) {
    printJson(io, { folder, files, next })
    return EXIT.ok
  }
  io.stdout(`Created ${path === '' ? 'a project in this folder' : path}:\n`)
  for (const file of files) io.stdout(`  ${file}\n`)
  const steps = next.map((step) => `  ${step}\n`).join('')
  io.stdout(`\nNext:\n${steps}\nThen open http://localhost:8080/graphql\n`)
  return EXIT.ok
}

function readDatabase(given: string | boolean | undefined): InitDatabase {
  const kind = given ?? 'pglite'
  const known = DATABASES.find((one) => one === kind)
  if (known !== undefined) return known
  const hint = didYouMean(String(kind), DATABASES)
  throw new SvcError(
    'SVC_USAGE',
    `--database ${kind} is no database that a new project can have: ${DATABASES.join(', ')}.${hint} A project with pglite runs on a ` +
      'PostgreSQL server, too: set DATABASE_URL.\nSee: svc init --help',
  )
}

/**
 * Writes the files of a new project.
 * @param folder absolute; created when missing
 * @param database database of the project
 * @returns the files, relative to the folder, in the order of reading
 * @throws SvcError SVC_INIT_REFUSED when the existing package.json cannot be read
 */
export async function writeProject(folder: string, database: InitDatabase = 'pglite'): Promise<readonly string[]> {
  const name = basename(folder)
  const there = (file: string) => readFile(join(folder, file), 'utf8').catch(() => null)
  const merged = {
    'package.json': mergePackageJson(folder, name, await there('package.json'), database),
    'tsconfig.json': (await there('tsconfig.json')) ?? TSCONFIG,
    '.gitignore': mergeGitignore(await there('.gitignore')),
  }
  const fresh = {
    'svc.toml': printConfig(name, database),
    'schema.ts': SCHEMA_TS,
    ...FILES[database],
    'README.md': printReadme(name, database),
  }
  // `wx` fails when another process has created the file meanwhile.
  for (const [file, text] of Object.entries(fresh)) await writeFileIn(folder, file, text, 'wx')
  for (const [file, text] of Object.entries(merged)) await writeFileIn(folder, file, text, 'w')
  await writeFileIn(folder, 'schema.json', printSchemaJson(await loadSchemaModule(join(folder, 'schema.ts'))), 'wx')
  const [config, schema, ...rest] = [...Object.keys(fresh), ...Object.keys(merged)]
  return [config, schema, 'schema.json', ...rest].filter((file) => file !== undefined)
}

/** Files of db/ by database. Both use the same views and rows. */
const FILES: Readonly<Record<InitDatabase, Readonly<Record<string, string>>>> = {
  pglite: {
    'db/01_tables.sql': TABLES_SQL,
    'db/02_views.sql': VIEWS_SQL,
    'db/03_functions.sql': FUNCTIONS_SQL,
    'db/04_data.sql': DATA_SQL,
  },
  sqlite: {
    'db/01_tables.sql': SQLITE_TABLES_SQL,
    'db/02_views.sql': VIEWS_SQL,
    'db/03_data.sql': DATA_SQL,
    ...Object.fromEntries(Object.entries(SCRIPTS).map(([name, sql]) => [`db/functions/${name}.sql`, sql])),
  },
}

/** Optional dependencies of svc that package.json needs, by database. */
const PACKAGES: Readonly<Record<InitDatabase, readonly string[]>> = { pglite: [], sqlite: ['node-sqlite3-wasm'] }

async function writeFileIn(folder: string, file: string, text: string, flag: 'w' | 'wx'): Promise<void> {
  const path = join(folder, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text, { flag })
}

function mergePackageJson(folder: string, name: string, existing: string | null, database: InitDatabase): string {
  try {
    return printPackageJson(folder, name, existing, PACKAGES[database])
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    const message = `${join(folder, 'package.json')} is no JSON: ${cause.message}. Mend or remove it first.`
    throw new SvcError('SVC_INIT_REFUSED', message)
  }
}

/** Appends missing lines, and keeps existing ones. */
function mergeGitignore(existing: string | null): string {
  if (existing === null) return GITIGNORE
  const there = existing.split(/\r?\n/)
  const missing = GITIGNORE.split('\n').filter((line) => line !== '' && !there.includes(line))
  return [existing.replace(/\n*$/, existing === '' ? '' : '\n'), ...missing.map((line) => `${line}\n`)].join('')
}

/** Files of package managers, editors and git that a new project can contain already. */
const LAID_DOWN =
  /^(?:\..*|package\.json|tsconfig\.json|node_modules|.*-lock\.(?:json|yaml)|yarn\.lock|bun\.lockb?|.*\.tgz)$/

function refuseIfUsed(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) {
    throw new SvcError('SVC_INIT_REFUSED', `${folder} is a file. Name another folder: svc init NAME`)
  }
  const found = readdirSync(folder).filter((entry) => !LAID_DOWN.test(entry))
  if (found.length === 0) return
  const shown = found.slice(0, 3).join(', ') + (found.length > 3 ? ', …' : '')
  throw new SvcError(
    'SVC_INIT_REFUSED',
    `${folder} is not empty (${shown}). svc init writes only where nothing is but package.json, tsconfig.json, ` +
      'node_modules, lock files and dot files. Name another folder: svc init NAME',
  )
}
