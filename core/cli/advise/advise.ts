import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { Database } from '../../contract/database.ts'
import type { DatabaseModel } from '../../contract/database-model.ts'
import type { SchemaModel } from '../../schema/model.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { SELECTION_FLAGS } from '../introspect/read-proposal.ts'
import { PROJECT_FLAGS } from '../project/load-project.ts'
import { type Advice, rankAdvice } from './advice.ts'
import { adviseIndexes } from './advise-indexes.ts'
import { adviseKeys, sampleOrphans } from './advise-keys.ts'
import { adviseRowSecurity } from './advise-row-security.ts'
import { adviseViews } from './advise-views.ts'
import { BaseColumns } from './base-columns.ts'
import { estimateGains } from './estimate-gain.ts'
import { findNeeds } from './find-needs.ts'
import { checkIgnored, splitIgnored } from './ignored-advice.ts'
import { adviceAsJson, countLevels, printAdvice } from './print-advice.ts'
import { readFacts } from './read-facts.ts'
import { withAdvised } from './with-advised.ts'

/** The command `svc advise`, which recommends indexes, keys and other changes of the database. */
export const adviseCommand = defineCommand({
  name: 'advise',
  summary: 'Advise on the database: indexes, keys, slow views and row-level security.',
  description:
    'Compares what the schema lets clients read with the indexes, keys and views of the database, and prints the statements\n' +
    'that help, the most important first. Nothing is changed. In a project it takes the schema of the project; with --database\n' +
    'and no svc.toml, the one that `svc introspect` proposes. Filters and sorts are examined for large tables only, unless --all\n' +
    'is set. `[advise] ignore` in svc.toml silences single pieces of advice by their ids. The exit code is 0, unless --fail-on.',
  arguments: [],
  options: [
    { name: 'config', short: 'c', type: 'string', value: 'FILE', description: 'svc.toml or its folder.' },
    PROJECT_FLAGS.database!.option,
    ...SELECTION_FLAGS,
    { name: 'all', type: 'boolean', description: 'Filters and sorts of small tables, too; print everything.' },
    { name: 'orphans', type: 'boolean', description: 'Read rows to count references to rows that do not exist.' },
    {
      name: 'fail-on',
      type: 'string',
      value: 'LEVEL',
      description: 'warning, or info (warnings, too): the advice with exit code 1.',
    },
    JSON_FLAG,
  ],
  examples: ['svc advise', 'svc advise --database postgres://localhost/shop --all', 'svc advise --fail-on warning'],
  run,
})

const FAIL_ON: Readonly<Record<string, readonly string[]>> = { warning: ['warning'], info: ['warning', 'info'] }

async function run(args: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const { flags } = args
  const failOn = flags['fail-on']
  const failing = failOn === undefined ? [] : FAIL_ON[String(failOn)]
  if (failing === undefined)
    throw new SvcError('SVC_USAGE', '--fail-on is one of: warning, info.\nSee: svc advise --help')
  const all = flags.all === true
  const { found, ignore, notes } = await withAdvised(args, io, async ({ project, database, schema, model }) => {
    const { ignore } = project.config.advise
    checkIgnored(ignore, existsSync(project.file) ? project.file : resolve(io.cwd, 'svc.toml'))
    const switchesRole = project.config.database.role_claim !== undefined
    const options = { all, orphans: flags.orphans === true, switchesRole }
    const others = [...schema.databases.keys()]
    const notes = others.length === 0 ? [] : [`Not examined: tables of the databases ${others.join(', ')}.`]
    return { found: await findAdvice(database, schema, model, options), ignore, notes }
  })
  const split = splitIgnored(found, ignore)
  const fails = split.advice.some(({ level }) => failing.includes(level))
  if (flags.json === true) {
    printJson(io, {
      ok: !fails,
      ...countLevels(split.advice),
      advice: split.advice.map(adviceAsJson),
      ignored: split.ignored.map(adviceAsJson),
      unused_ignores: split.unused,
      notes,
    })
  } else io.stdout(printAdvice(split, all, notes))
  return fails ? EXIT.invalid : EXIT.ok
}

interface AdviseOptions {
  /** Also filters and sorts of tables with few rows. */
  readonly all: boolean
  /** Count rows that refer to no row. */
  readonly orphans: boolean
  /** Requests run as roles of their own. */
  readonly switchesRole: boolean
}

/** Compares a schema with its database, and returns advice, the most important first. Nothing is changed. */
async function findAdvice(
  database: Database,
  schema: SchemaModel,
  model: DatabaseModel,
  { all, orphans, switchesRole }: AdviseOptions,
): Promise<readonly Advice[]> {
  const facts = await readFacts(database, model)
  const base = new BaseColumns(model, facts)
  const indexes = adviseIndexes(findNeeds(schema, base, facts.kind), facts, all)
  const keys = adviseKeys(model, facts)
  return rankAdvice([
    ...(await estimateGains(database, indexes, facts)),
    ...(orphans ? await sampleOrphans(database, model, keys, facts) : keys),
    ...adviseViews(schema, model, base, facts),
    ...(await adviseRowSecurity(database, schema, model, base, facts, switchesRole)),
  ])
}
