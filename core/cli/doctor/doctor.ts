import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { PROJECT_FLAGS } from '../project/load-project.ts'
import { examine } from './examine.ts'
import type { Finding } from './finding.ts'

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '-' }

/** The command `svc doctor`, which checks a project and its environment for problems before the service starts. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'Check all that `svc run` needs, and say what to do about what is missing.',
  description:
    'Looks at the configuration, the list of plugins, the packages that they need, the compiled schema and its format, the set-up of\n' +
    'each plugin, who verifies credentials, the database, the views, columns and functions in it that the schema uses and the tables of plugins, key-value\n' +
    'stores, TLS files, and what plugins bring: whether the cache fits the schema, manifests, issuers and their keys, buses, mail and span receivers. Each by\n' +
    'itself: one fault does not hide the others. Nothing is served or left behind. Exit code 1 when a check failed.',
  arguments: [{ name: 'INPUT', description: 'svc.toml or its folder. Default: svc.toml' }],
  options: [
    { name: 'config', short: 'c', type: 'string', value: 'FILE', description: 'The same as INPUT.' },
    { name: 'schema', type: 'string', value: 'FILE', description: 'Another compiled schema (svc.output_file).' },
    PROJECT_FLAGS.database!.option,
    PROJECT_FLAGS.preset!.option,
    { name: 'quiet', short: 'q', type: 'boolean', description: 'Print only what is wrong.' },
    { name: 'verbose', short: 'v', type: 'boolean', description: 'Print also what was skipped, and why.' },
    JSON_FLAG,
  ],
  examples: ['svc doctor', 'svc doctor --json', 'svc doctor --database postgres://localhost/shop -v'],
  run,
})

async function run({ positionals: [input], flags }: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const file = typeof flags.config === 'string' ? flags.config : input
  const schema = typeof flags.schema === 'string' ? flags.schema : undefined
  const findings = await examine({ input: file, flags, ...(schema === undefined ? {} : { artifact: schema }) }, io)
  const hasFailed = findings.some(({ state }) => state === 'failed')
  if (flags.json === true) printJson(io, { ok: !hasFailed, checks: findings })
  else
    io.stdout(
      findings
        .filter((one) => isShown(one, flags))
        .map(print)
        .join(''),
    )
  return hasFailed ? EXIT.invalid : EXIT.ok
}

function isShown({ state }: Finding, { quiet, verbose }: CommandArgs['flags']): boolean {
  if (state === 'skipped') return verbose === true
  return quiet !== true || state !== 'ok'
}

function print({ name, state, message }: Finding): string {
  return `${MARKS[state]} ${name.padEnd(16)} ${message.replaceAll('\n', `\n${' '.repeat(19)}`)}\n`
}
