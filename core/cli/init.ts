import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { loadSchemaModule } from '../compiler/load-module.ts'
import { printSchemaJson } from '../compiler/write-schema-json.ts'
import { SvcError } from '../errors/svc-error.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from './command.ts'
import { GITIGNORE, printConfig } from './init/config.ts'
import { FUNCTIONS_SQL } from './init/functions.ts'
import { printReadme } from './init/readme.ts'
import { DATA_SQL } from './init/rows.ts'
import { SCHEMA_TS } from './init/schema.ts'
import { TABLES_SQL } from './init/tables.ts'
import { VIEWS_SQL } from './init/views.ts'

/** `svc init` (behaviours 17). */
export const initCommand = defineCommand({
  name: 'init',
  summary: 'Write a new project: a small blog that runs as it is.',
  description:
    'Writes svc.toml, schema.ts, schema.json, db/, .gitignore and README.md into the folder NAME, which is created, or\n' +
    'into the current folder. A folder that is not empty is refused.',
  arguments: [{ name: 'NAME', description: 'Folder of the project. Default: the current one.' }],
  options: [],
  examples: ['svc init shop', 'svc init'],
  run,
})

async function run({ positionals }: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const folder = resolve(io.cwd, positionals[0] ?? '.')
  refuseIfUsed(folder)
  const files = await writeProject(folder)
  const path = relative(io.cwd, folder)
  io.stdout(`Created ${path === '' ? 'a project in this folder' : path}:\n`)
  for (const file of files) io.stdout(`  ${file}\n`)
  const enter = path === '' ? '' : `  cd ${/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)}\n`
  io.stdout(`\nNext:\n${enter}  npx svc compile\n  npx svc run\n\nThen open http://localhost:8080/graphql\n`)
  return EXIT.ok
}

/**
 * Writes the files of a new project.
 * @param folder absolute; created when missing
 * @returns the files, relative to the folder, in the order of reading
 */
export async function writeProject(folder: string): Promise<readonly string[]> {
  const name = basename(folder)
  const contents: Record<string, string> = {
    'svc.toml': printConfig(name),
    'schema.ts': SCHEMA_TS,
    'db/01_tables.sql': TABLES_SQL,
    'db/02_views.sql': VIEWS_SQL,
    'db/03_functions.sql': FUNCTIONS_SQL,
    'db/04_data.sql': DATA_SQL,
    '.gitignore': GITIGNORE,
    'README.md': printReadme(name),
  }
  for (const [file, text] of Object.entries(contents)) await writeFileIn(folder, file, text)
  await writeFileIn(folder, 'schema.json', printSchemaJson(await loadSchemaModule(join(folder, 'schema.ts'))))
  const [config, schema, ...rest] = Object.keys(contents)
  return [config, schema, 'schema.json', ...rest].filter((file) => file !== undefined)
}

async function writeFileIn(folder: string, file: string, text: string): Promise<void> {
  const path = join(folder, file)
  await mkdir(dirname(path), { recursive: true })
  // `wx`: never over a file that somebody else put there meanwhile.
  await writeFile(path, text, { flag: 'wx' })
}

function refuseIfUsed(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) {
    throw new SvcError('SVC_INIT_REFUSED', `${folder} is a file. Name another folder: svc init NAME`)
  }
  const found = readdirSync(folder).filter((entry) => entry !== '.git')
  if (found.length === 0) return
  const shown = found.slice(0, 3).join(', ') + (found.length > 3 ? ', …' : '')
  throw new SvcError(
    'SVC_INIT_REFUSED',
    `${folder} is not empty (${shown}). svc init writes only into an empty folder: svc init NAME`,
  )
}
