import { SvcError } from '../../base/errors/svc-error.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { PROJECT_FLAGS } from '../project/load-project.ts'
import { CHANGE_LEVELS, type Change, type ChangeLevel, CONSUMERS, type Consumers } from './change.ts'
import { compareSides, type SchemaDiff } from './compare-sides.ts'
import { openSide } from './open-side.ts'

/** The command `svc diff`, which lists the changes between two versions of a schema and whether they break clients. */
export const diffCommand = defineCommand({
  name: 'diff',
  summary: 'List the changes between two schemas, and whether clients break.',
  description:
    'Compares what two schemas serve to GraphQL, REST, MCP and event consumers. OLD and NEW are compiled schemas, sources (.ts,\n' +
    '.js, .json) or folders of projects; sources are compiled in memory. Each change is breaking, dangerous (clients may behave\n' +
    'differently) or safe. A compiled schema is served with the configuration of --config, else of svc.toml in the current folder,\n' +
    'else with every front. Exit codes: 0 no breaking change, 1 a breaking change or a schema that does not compile.',
  arguments: [
    { name: 'OLD', required: true, description: 'The schema that clients know.' },
    { name: 'NEW', required: true, description: 'The schema that replaces it.' },
  ],
  options: [
    { name: 'config', short: 'c', type: 'string', value: 'FILE', description: 'svc.toml or its folder, for both.' },
    { name: 'only', type: 'string', value: 'CLIENTS', description: `Compare for ${CONSUMERS.join(', ')} only.` },
    {
      name: 'fail-on',
      type: 'string',
      value: 'LEVEL',
      description: 'breaking (the default), dangerous (breaking, too) or none: the changes with exit code 1.',
    },
    { name: 'quiet', short: 'q', type: 'boolean', description: 'Do not print safe changes.' },
    { name: 'offline', type: 'boolean', description: 'Compile sources without a database.' },
    PROJECT_FLAGS.database!.option,
    JSON_FLAG,
  ],
  examples: [
    'svc diff old.compiled.json schema.compiled.json',
    'git show main:schema.compiled.json > old.json && svc diff old.json . --fail-on dangerous',
    'svc diff old.json new.json --only rest --json',
  ],
  run,
})

const FAIL_ON: Readonly<Record<string, readonly ChangeLevel[]>> = {
  breaking: ['breaking'],
  dangerous: ['breaking', 'dangerous'],
  none: [],
}

async function run(args: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const {
    positionals: [old, now],
    flags,
  } = args
  const only = choice('only', flags.only, CONSUMERS)
  const failing = FAIL_ON[choice('fail-on', flags['fail-on'], Object.keys(FAIL_ON)) ?? 'breaking']!
  const before = await openSide(old!, args, io)
  const after = await openSide(now!, args, io)
  const diff = await compareSides(before, after, only, io)
  const isFine = !diff.changes.some(({ level }) => failing.includes(level))
  if (flags.json === true) printJson(io, { ok: isFine, ...countLevels(diff.changes), ...diff })
  else io.stdout(print(diff, flags.quiet === true))
  return isFine ? EXIT.ok : EXIT.invalid
}

/** @throws SvcError SVC_USAGE */
function choice<T extends string>(flag: string, value: string | boolean | undefined, choices: readonly T[]): T | null {
  if (value === undefined) return null
  const found = choices.find((one) => one === value)
  if (found !== undefined) return found
  throw new SvcError('SVC_USAGE', `--${flag} is one of: ${choices.join(', ')}.\nSee: svc diff --help`)
}

function countLevels(changes: readonly Change[]): Readonly<Record<ChangeLevel, number>> {
  const count = (level: ChangeLevel): number => changes.filter((change) => change.level === level).length
  return { breaking: count('breaking'), dangerous: count('dangerous'), safe: count('safe') }
}

const TITLES: Readonly<Record<Consumers, string>> = { graphql: 'GraphQL', rest: 'REST', mcp: 'MCP', events: 'Events' }

function print({ changes, skipped }: SchemaDiff, quiet: boolean): string {
  const shown = quiet ? changes.filter(({ level }) => level !== 'safe') : changes
  const groups = CONSUMERS.flatMap((consumers) => {
    const own = shown.filter((change) => change.consumers === consumers)
    if (own.length === 0) return []
    const lines = own.map(({ level, place, message }) => `  ${level.padEnd(9)}  ${place}: ${message}\n`)
    return [`${TITLES[consumers]}\n${lines.join('')}\n`]
  })
  const counts = countLevels(changes)
  const sum = `${CHANGE_LEVELS.map((level) => `${counts[level]} ${level}`).join(', ')}.`
  const left =
    skipped.length === 0 ? '' : ` Not served, so not compared: ${skipped.map((one) => TITLES[one]).join(', ')}.`
  return `${groups.join('')}${sum}${left}\n`
}
