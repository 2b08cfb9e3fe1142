import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import { replaceFile } from '../../base/util/replace-file.ts'
import type { Database } from '../../contract/database.ts'
import { addWrites } from '../../introspect/crud/propose-crud.ts'
import type { PrintedFile } from '../../introspect/print/plan-files.ts'
import { type AuthoringLanguage, printSchema } from '../../introspect/print-schema.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { reporting } from '../compile/configured-dialect.ts'
import { findInput } from '../compile/find-input.ts'
import { explainRefusal } from '../database/explain-refusal.ts'
import { openProjectDatabase } from '../database/project-database.ts'
import { loadAuthored } from '../project/load-authored.ts'
import { PROJECT_FLAGS, type Project } from '../project/load-project.ts'
import { LANGUAGE_FLAG, LANGUAGES, languageOf, readLanguage } from './authoring-languages.ts'
import { compareSchemas } from './compare-schemas.ts'
import { compileProposal } from './compile-proposal.ts'
import { type IntrospectionRecord, printRecord, RECORD, readRecord } from './introspection-record.ts'
import { readCrudOptions, scriptFolder, type WrittenProposal, withScripts } from './plan-scripts.ts'
import { planWrite, type WritePlan } from './plan-write.ts'
import { printDifferences, printReport, printWritten, splitReport } from './print-report.ts'
import { CRUD_FLAG, readProposal, readSelection, SELECTION_FLAGS } from './read-proposal.ts'
import { QUIET_FLAG, Steps } from './steps.ts'

/** The command `svc introspect`, which proposes a schema for a database and updates that of a project. */
export const introspectCommand = defineCommand({
  name: 'introspect',
  summary: 'Propose a schema for the database of a project, or update its schema.',
  description:
    'Reads the catalog of the database, and prints the schema that svc proposes for it; --output writes it to a folder. --diff\n' +
    'lists where the schema of the project and the database do not agree, and what --write would change; the exit code is 1\n' +
    'if there is anything. --write adds and updates declarations in the schema, and leaves alone what a person has edited:\n' +
    'schema.introspected.json records the last proposal, with which both are compared. Flags override [introspect] of svc.toml.',
  arguments: [],
  options: [
    { name: 'config', short: 'c', type: 'string', value: 'FILE', description: 'svc.toml or its folder.' },
    PROJECT_FLAGS.database!.option,
    ...SELECTION_FLAGS,
    CRUD_FLAG,
    { name: 'output', short: 'o', type: 'string', value: 'FOLDER', description: 'Write the proposal to this folder.' },
    { ...LANGUAGE_FLAG, description: `${LANGUAGE_FLAG.description} Default: that of the project.` },
    { name: 'diff', type: 'boolean', description: 'List differences; exit 1 if there are any.' },
    { name: 'write', type: 'boolean', description: 'Update the schema of the project.' },
    { name: 'verbose', type: 'boolean', description: 'List everything that is left out or renamed.' },
    QUIET_FLAG,
    JSON_FLAG,
  ],
  examples: [
    'svc introspect',
    'svc introspect --output proposal',
    'svc introspect --language python',
    'svc introspect --diff',
    'svc introspect --write',
  ],
  run,
})

async function run(args: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const { flags } = args
  const modes = ['output', 'diff', 'write'].filter((name) => flags[name] !== undefined)
  if (modes.length > 1) {
    const message = `--${modes[0]} and --${modes[1]} do not go together: take one of them.\nSee: svc introspect --help`
    throw new SvcError('SVC_USAGE', message)
  }
  const wanted = readLanguage(flags, 'introspect')
  const { project, input } = await findInput(args, io)
  const own = languageOf(input)
  if (wanted !== null && wanted !== own && (flags.diff === true || flags.write === true)) {
    const message = `--language ${wanted} is for a proposal: --diff and --write keep the language of ${basename(input)}.\nSee: svc introspect --help`
    throw new SvcError('SVC_USAGE', message)
  }
  const language = wanted ?? own ?? 'typescript'
  return withProjectDatabase(project, io, async (database) => {
    const proposal = await propose(project, database, args, io)
    if (flags.diff !== true && flags.write !== true) return printProposal(proposal, project, language, args, io)
    const record = await readRecord(project.baseDir)
    const printed = printSchema(proposal.schema, language, splitting(record))
    const schemaPlan = await planWrite(input, printed, ofLanguage(record, language))
    const plan = await withScripts(schemaPlan, proposal.files, project.baseDir, io)
    if (flags.write === true) return write(plan, { schema: proposal.schema, files: printed }, project, args, io)
    const { schema: authored } = await loadAuthored(project, input, io)
    const { model, schema: proposed } = proposal
    const found = compareSchemas({ authored, proposed, base: record?.schema ?? null, model })
    if (flags.json === true) {
      printJson(io, {
        ok: found.length === 0,
        differences: found,
        would_write: plan.changes,
        conflicts: plan.conflicts,
      })
    } else io.stdout(printDifferences(found, plan))
    return found.length === 0 ? EXIT.ok : EXIT.invalid
  })
}

/** Returns the record of source in the language of the project; source in another language is no older version of it. */
function ofLanguage(record: IntrospectionRecord | null, language: AuthoringLanguage): IntrospectionRecord | null {
  const { entry } = LANGUAGES[language]
  return record?.files.some(({ path }) => path === entry) === true ? record : null
}

/** Keeps the layout of the last proposal, so that one more type does not move all others. */
function splitting(record: IntrospectionRecord | null): { readonly split?: boolean } {
  return record === null ? {} : { split: record.files.length > 1 }
}

async function withProjectDatabase<T>(
  project: Project,
  io: CommandIo,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { signals, log } = reporting(project, io)
  const progress = (line: string): void => io.stderr(`${line}\n`)
  const url = project.config.database.url ?? ''
  const open = async (): Promise<Database> => {
    const { database } = await openProjectDatabase(project, { purpose: 'compile', signals, log, progress })
    await database.ping()
    return database
  }
  const database = await open().catch(async (error: unknown) => {
    throw /^postgres(ql)?:/i.test(url) ? await explainRefusal(error, url) : error
  })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function propose(
  project: Project,
  database: Database,
  args: CommandArgs,
  io: CommandIo,
): Promise<WrittenProposal> {
  const { schemas, exclude, mutations: writes, crud: wanted, types, fields } = project.config.introspect
  const flags = readSelection(args)
  const selection = {
    schemas: args.flags.schema === undefined ? schemas : flags.schemas,
    exclude: args.flags.exclude === undefined ? exclude : flags.exclude,
  }
  const steps = new Steps(io, 3, args.flags.quiet === true)
  const isCrud = args.flags.crud === true || wanted
  const crudOptions = isCrud
    ? { crud: await readCrudOptions(project.baseDir, scriptFolder(project.config.database)) }
    : {}
  const options = { writes, names: { types, fields }, ...crudOptions }
  const { model, crud, ...proposal } = await readProposal(database, selection, options, steps)
  const { schema, report } = await steps.run('Compiling the schema', () =>
    compileProposal(project, proposal, database, io),
  )
  return { model, report, ...(crud === null ? { schema, files: [] } : addWrites(schema, crud)) }
}

async function printProposal(
  { schema, report, files: scripts }: WrittenProposal,
  project: Project,
  language: AuthoringLanguage,
  { flags }: CommandArgs,
  io: CommandIo,
): Promise<ExitCode> {
  const files = printSchema(schema, language)
  const folder = typeof flags.output === 'string' ? resolve(io.cwd, flags.output) : null
  const all = [...files, ...scripts]
  if (folder !== null) await writeNew(folder, all, project)
  const written = folder === null ? [] : all.map(({ path }) => relative(io.cwd, join(folder, path)))
  if (flags.json === true) {
    printJson(io, { schema, ...splitReport(report), written })
    return EXIT.ok
  }
  const isOne = files.length === 1
  if (folder === null)
    for (const { path, text } of files) io.stdout(isOne ? text : `${LANGUAGES[language].comment} ${path}\n${text}\n`)
  else for (const path of written) io.stdout(`${path}\n`)
  for (const line of printReport(report, flags.verbose === true)) io.stderr(`${line}\n`)
  return EXIT.ok
}

async function writeNew(
  folder: string,
  files: readonly Pick<PrintedFile, 'path' | 'text'>[],
  { baseDir }: Project,
): Promise<void> {
  if (folder === baseDir) {
    const message =
      '--output names the folder of the project, whose schema may be edited. Name another, or use --write.'
    throw new SvcError('SVC_USAGE', message)
  }
  for (const { path, text } of files) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

async function write(
  plan: WritePlan,
  record: IntrospectionRecord,
  { baseDir }: Project,
  { flags }: CommandArgs,
  io: CommandIo,
): Promise<ExitCode> {
  for (const { path, text } of plan.changes) {
    const file = join(plan.folder, path)
    if (text === null) {
      await rm(file)
      continue
    }
    await mkdir(dirname(file), { recursive: true })
    await replaceFile(file, text)
  }
  const path = join(baseDir, RECORD)
  const text = printRecord(record)
  if ((await readFile(path, 'utf8').catch(() => null)) !== text) await replaceFile(path, text)
  if (flags.json === true) {
    printJson(io, { written: plan.changes.map((change) => change.path), conflicts: plan.conflicts })
  } else io.stdout(printWritten(plan))
  return EXIT.ok
}
