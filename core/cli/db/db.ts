import { SvcError } from '../../base/errors/svc-error.ts'
import { listSecrets } from '../../config/redact.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import { createLog } from '../../service/signals/log.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { readLayout, writeLayout } from '../database/data-folder.ts'
import { fingerprintOf, readProjectScripts } from '../database/init-scripts.ts'
import { openProjectDatabase, type ProjectDatabase } from '../database/project-database.ts'
import { loadProject, PROJECT_FLAGS, type Project } from '../project/load-project.ts'
import { applyScripts } from './apply-scripts.ts'
import { type AppliedScript, readScripts } from './read-scripts.ts'
import { compareRecords, readRecords, type ScriptStatus } from './script-records.ts'

/** The command `svc db`, which applies the SQL scripts of a project to its database and shows their state. */
export const dbCommand = defineCommand({
  name: 'db',
  summary: 'Apply the SQL scripts of a project to its database.',
  description:
    '`svc db apply` runs the new files of db/ in the order of their names, then new and changed files of db/functions, in one\n' +
    'transaction, and records them in the table svc_applied_script. A file of db/ that has changed since is refused. Several\n' +
    'runs at once wait for each other. --status exits with 1 if there is anything to apply.',
  arguments: [{ name: 'ACTION', required: true, choices: ['apply'], description: 'apply' }],
  options: [
    { name: 'status', type: 'boolean', description: 'List the files with their states; apply nothing.' },
    { name: 'dry-run', type: 'boolean', description: 'Run the scripts, and roll everything back.' },
    { name: 'baseline', type: 'boolean', description: 'Record the files as applied, without running them.' },
    { name: 'config', short: 'c', type: 'string', value: 'FILE', description: 'svc.toml or its folder.' },
    PROJECT_FLAGS.database!.option,
    JSON_FLAG,
  ],
  examples: ['svc db apply', 'svc db apply --status', 'svc db apply --database postgres://owner@localhost/shop'],
  run,
})

async function run({ flags }: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const modes = ['status', 'dry-run', 'baseline'].filter((name) => flags[name] === true)
  if (modes.length > 1)
    throw new SvcError('SVC_USAGE', `--${modes[0]} and --${modes[1]} do not go together.\nSee: svc db --help`)
  const input = typeof flags.config === 'string' ? flags.config : undefined
  const project = await loadProject({ input, flags }, io)
  const opened = await open(project, io)
  try {
    const scripts = await readScripts(project, opened.database.dialect.name)
    await baselineEmbedded(project, opened, scripts)
    if (flags.status === true) return await printStatus(opened, scripts, flags.json === true, io)
    const [dryRun, baseline] = [flags['dry-run'] === true, flags.baseline === true]
    const ran = await applyScripts(opened.database, scripts, { dryRun, baseline })
    if (!dryRun) await noteLayout(project, opened)
    const files = ran.map(({ name }) => name)
    if (flags.json === true) printJson(io, { applied: files, dry_run: dryRun, baseline })
    else io.stdout(printApplied(files, dryRun ? 'would be applied' : baseline ? 'recorded as applied' : 'applied'))
    return EXIT.ok
  } finally {
    await opened.database.close()
  }
}

async function open(project: Project, io: CommandIo): Promise<ProjectDatabase> {
  const secrets = listSecrets(project.config, project.schema)
  const log = createLog({ env: io.env, write: (line) => io.stderr(line), isTerminal: io.isTerminal, secrets })
  const progress = (line: string): void => io.stderr(`${line}\n`)
  const opened = await openProjectDatabase(project, { purpose: 'run', signals: createSignals(), log, progress })
  if (opened.embedded === null || opened.embedded.folder !== null) return opened
  await opened.database.close()
  const message =
    'database.url names a database in memory, which every start creates from the scripts: there is nothing to apply.'
  throw new SvcError('SVC_USAGE', message)
}

/** An embedded database was created by the scripts of `db/`, which then count as applied. */
async function baselineEmbedded(
  project: Project,
  { database, embedded }: ProjectDatabase,
  scripts: readonly AppliedScript[],
): Promise<void> {
  if (embedded === null || embedded.folder === null) return
  // An empty table, as `svc tables --apply` makes it, records nothing.
  if (((await readRecords(database))?.size ?? 0) > 0) return
  const layout = await readLayout(embedded.folder)
  if (layout?.scripts !== fingerprintOf(await readProjectScripts(project))) return
  const once = scripts.filter(({ repeatable }) => !repeatable)
  await applyScripts(database, once, { dryRun: false, baseline: true })
}

/** Records the scripts of an embedded database, so that `svc run` does not call it outdated. */
async function noteLayout(project: Project, { embedded }: ProjectDatabase): Promise<void> {
  if (embedded === null || embedded.folder === null) return
  await writeLayout(embedded.folder, { scripts: fingerprintOf(await readProjectScripts(project)), served: true })
}

async function printStatus(
  { database }: ProjectDatabase,
  scripts: readonly AppliedScript[],
  json: boolean,
  io: CommandIo,
): Promise<ExitCode> {
  const all = compareRecords(scripts, (await readRecords(database)) ?? new Map())
  if (json) printJson(io, { files: all.map(({ file, state, repeatable }) => ({ file, state, repeatable })) })
  else for (const { file, state } of all) io.stdout(`${state.padEnd(7)}  ${file}\n`)
  return all.some(isOpen) ? EXIT.invalid : EXIT.ok
}

function isOpen({ state }: ScriptStatus): boolean {
  return state === 'new' || state === 'changed'
}

function printApplied(files: readonly string[], what: string): string {
  if (files.length === 0) return 'Nothing to apply.\n'
  return `${files.map((file) => `${file}\n`).join('')}${files.length} ${files.length === 1 ? 'file' : 'files'} ${what}.\n`
}
