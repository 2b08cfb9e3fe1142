import { listSecrets } from '../../config/redact.ts'
import type { TableDefinition } from '../../contract/table.ts'
import { driverFor } from '../../service/open-database.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import { createLog } from '../../service/signals/log.ts'
import { makeTable, scriptOf } from '../../service/tables/make-table.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { loadDrivers } from '../project/load-driver.ts'
import { loadProject, PROJECT_FLAGS, type Project } from '../project/load-project.ts'
import { tablesOfProject } from './applied-scripts.ts'
import { openForCommand } from './open-for-command.ts'

/**
 * The command `svc tables`, which prints the statements for the tables of plugins. An administrator runs them if the
 * service's role may not create tables.
 */
export const tablesCommand = defineCommand({
  name: 'tables',
  summary: 'Print the SQL of the tables that plugins and `svc db apply` need, or make them.',
  description:
    'Plugins that keep something of their own (API keys, revoked tokens …) make their tables when the service starts, and\n' +
    '`svc db apply` makes the table of its records, where the role may. Where it may not, give this output to the database administrator, or use --apply and a URL that may. It is\n' +
    'repeatable: what is there stays.',
  arguments: [{ name: 'INPUT', description: 'svc.toml or its folder. Default: svc.toml' }],
  options: [
    { name: 'apply', type: 'boolean', description: 'Make what is missing in the configured database.' },
    JSON_FLAG,
    PROJECT_FLAGS.database!.option,
    PROJECT_FLAGS.preset!.option,
  ],
  examples: ['svc tables > svc-tables.sql', 'svc tables --apply --database postgres://owner@localhost/shop'],
  run,
})

async function run({ positionals: [input], flags }: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ input, flags }, io)
  const tables = tablesOfProject(project)
  if (tables.length === 0) io.stderr('Nothing in this project needs a table of its own.\n')
  const done = await (flags.apply === true ? apply : describe)(project, tables, io)
  if (flags.json === true) printJson(io, { tables: done })
  else for (const table of done) io.stdout(print(table))
  return EXIT.ok
}

type Done = { readonly name: string; readonly purpose: string } & (
  | { readonly sql: string }
  | { readonly made: boolean }
)

function print(table: Done): string {
  if ('made' in table) return `${table.name}: ${table.made ? 'made' : 'is there'}\n`
  return `-- ${table.name}: ${table.purpose}\n${table.sql}\n\n`
}

async function describe(project: Project, tables: readonly TableDefinition[], io: CommandIo): Promise<readonly Done[]> {
  if (tables.length === 0) return []
  const secrets = listSecrets(project.config, project.schema)
  const log = createLog({ env: io.env, write: (line) => io.stderr(line), isTerminal: io.isTerminal, secrets })
  const driver = driverFor(await loadDrivers(project, createSignals(), log), project.config.database.url ?? '')
  const dialect = (await driver.dialect?.())?.name ?? 'postgres'
  return tables.map((table) => {
    const { name, purpose, versions } = table
    return { name, purpose, sql: scriptOf(table, versions, dialect) }
  })
}

async function apply(project: Project, tables: readonly TableDefinition[], io: CommandIo): Promise<readonly Done[]> {
  if (tables.length === 0) return []
  const database = await openForCommand(project, io)
  try {
    const done: Done[] = []
    for (const table of tables) {
      const { name, purpose } = table
      done.push({ name, purpose, made: await makeTable(database, table) })
    }
    return done
  } finally {
    await database.close()
  }
}
