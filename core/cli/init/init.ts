import { existsSync, readdirSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import { didYouMean } from '../../base/util/nearest.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { type DatabaseUrl, readDatabaseUrl } from '../database/database-url.ts'
import { LANGUAGE_FLAG, readLanguage } from '../introspect/authoring-languages.ts'
import { printReport, splitReport } from '../introspect/print-report.ts'
import { CRUD_FLAG, SELECTION_FLAGS } from '../introspect/read-proposal.ts'
import { QUIET_FLAG } from '../introspect/steps.ts'
import { proposeProject } from './from-database.ts'
import { dockerFiles } from './templates/docker-files.ts'
import { DATABASES, type InitDatabase } from './templates/template.ts'
import { findTemplate, TEMPLATE_NAMES } from './templates/templates.ts'
import { packagesOf, writeFiles, writeProject } from './write-project.ts'

/** The command `svc init`, which creates a project, either from a template or for an existing database. */
export const initCommand = defineCommand({
  name: 'init',
  summary: 'Write a new project: from a template, or for an existing database.',
  description:
    'Writes svc.toml, schema.ts or schema.py, schema.json, db/, package.json, tsconfig.json, .gitignore and README.md into\n' +
    'the folder NAME, which is created, or into the current folder; with --language python also pyproject.toml. What is in\n' +
    'package.json, tsconfig.json, pyproject.toml and .gitignore already is kept. A folder that holds more than these, node_modules, lock files and dot files is refused. With the URL of an\n' +
    'existing database the schema is proposed from its catalog, and access requires a credential. The URL is written only if\n' +
    'it has no password; otherwise the project reads DATABASE_URL.',
  arguments: [{ name: 'NAME', description: 'Folder of the project. Default: the current one.' }],
  options: [
    {
      name: 'database',
      type: 'string',
      value: 'KIND|URL',
      description: 'pglite (default): PostgreSQL in this process; sqlite: a file; or the URL of an existing database.',
    },
    {
      name: 'template',
      type: 'string',
      value: 'NAME',
      description: `${TEMPLATE_NAMES.join(', ')}. Default: blog. Each has a test for npm test. Not with a URL.`,
    },
    { ...LANGUAGE_FLAG, description: `${LANGUAGE_FLAG.description} Default: typescript.` },
    { name: 'docker', type: 'boolean', description: 'Also write Dockerfile, .dockerignore and compose.yaml.' },
    ...SELECTION_FLAGS,
    { name: 'write', type: 'boolean', description: 'Also declare mutations for functions that may write.' },
    CRUD_FLAG,
    QUIET_FLAG,
    { name: 'verbose', type: 'boolean', description: 'List everything that is left out or renamed.' },
    JSON_FLAG,
  ],
  examples: [
    'svc init shop',
    'svc init',
    'svc init shop --database sqlite',
    'svc init shop --language python',
    'svc init shop --template multi-tenant --docker',
    'svc init shop --database postgres://localhost/shop --exclude "audit.*"',
  ],
  run,
})

async function run(args: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const { positionals, flags } = args
  const folder = resolve(io.cwd, positionals[0] ?? '.')
  const language = readLanguage(flags, 'init') ?? 'typescript'
  const source = readSource(args, io)
  refuseIfUsed(folder)
  const more = flags.docker === true ? await dockerFiles(source) : {}
  const proposed = typeof source === 'string' ? null : await proposeProject(folder, source, language, args, io)
  const { files, missing } =
    proposed === null
      ? await writeProject(folder, { database: source as InitDatabase, template: templateOf(args), language, more }, io)
      : await writeFiles(
          folder,
          { ...proposed.files, ...more },
          language,
          packagesOf((source as DatabaseUrl).plugin),
          io,
        )
  const path = relative(io.cwd, folder)
  const enter = path === '' ? [] : [`cd ${/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)}`]
  const setUrl = proposed?.needsUrl === true ? [`export DATABASE_URL='${(source as DatabaseUrl).plugin}://…'`] : []
  const isServer = typeof source !== 'string' && source.plugin !== 'sqlite'
  const apply = flags.crud === true && isServer ? ['npx svc db apply'] : []
  const start = proposed === null ? 'npx svc run' : 'SVC_SECURITY__DEFAULT_POLICY=public npx svc run'
  const next = [...enter, ...setUrl, 'npm install', ...apply, 'npx svc compile', start]
  if (flags.json === true) {
    const left = proposed === null ? {} : splitReport(proposed.report)
    printJson(io, { folder, files, next, ...left, ...(missing === null ? {} : { warnings: [missing] }) })
    return EXIT.ok
  }
  io.stdout(`Created ${path === '' ? 'a project in this folder' : path}:\n`)
  for (const file of files) io.stdout(`  ${file}\n`)
  if (proposed !== null) {
    const report = printReport(proposed.report, flags.verbose === true)
    io.stdout(`\nRead ${proposed.database}.\n${report.map((line) => `${line}\n`).join('')}`)
  }
  if (missing !== null) io.stderr(`warning  schema.json was not written: ${missing}\n`)
  const steps = next.map((step) => `  ${step}\n`).join('')
  io.stdout(`\nNext:\n${steps}\nThen open http://localhost:8080/graphql\n`)
  return EXIT.ok
}

/** Returns a kind of new database, or the URL of an existing one. */
function readSource(args: CommandArgs, io: CommandIo): InitDatabase | DatabaseUrl {
  const { flags } = args
  const given = flags.database
  const isKind = typeof given !== 'string' || (/^\w*$/.test(given) && !existsSync(resolve(io.cwd, given)))
  if (!isKind) {
    if (flags.template === undefined) return readDatabaseUrl(given, io.cwd)
    const message =
      '--template writes a database of its own, and --database URL names an existing one: take one of them.'
    throw new SvcError('SVC_USAGE', `${message}\nSee: svc init --help`)
  }
  // Before a folder is touched.
  findTemplate(templateOf(args), readDatabase(given))
  const own = ['schema', 'exclude', 'write', 'crud', 'verbose'].find((name) => flags[name] !== undefined)
  if (own === undefined) return readDatabase(given)
  const message = `--${own} selects objects of an existing database: add --database URL.\nSee: svc init --help`
  throw new SvcError('SVC_USAGE', message)
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

function templateOf({ flags }: CommandArgs): string {
  return typeof flags.template === 'string' ? flags.template : 'blog'
}

/** Files of package managers, editors and git that a new project can contain already. */
const LAID_DOWN =
  /^(?:\..*|package\.json|tsconfig\.json|pyproject\.toml|node_modules|.*-lock\.(?:json|yaml)|yarn\.lock|bun\.lockb?|.*\.tgz)$/

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
