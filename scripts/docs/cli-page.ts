import type { Command } from '../../core/cli/command/command.ts'
import { GLOBAL_OPTIONS } from '../../core/cli/command/parse-arguments.ts'
import { showOption, usageLine } from '../../core/cli/command/print-help.ts'
import { loadCommands } from '../../core/cli/main.ts'
import { describeCommand } from '../../core/cli/plugins/plugin-commands.ts'
import { listManifests } from './config-sections.ts'
import { code, GENERATED, type Page, toTable } from './page.ts'

/** docs/reference/cli.md */
export async function renderCliPage(): Promise<Page> {
  const commands = await loadCommands()
  const head = [
    `# Command line\n\n${GENERATED}\n`,
    'Results go to stdout; progress, warnings, errors and the log go to stderr. An unknown command or flag is an error',
    'that names the nearest. With `--json` stdout is one JSON document, of a failure too (`{"error": {"code", "message"}}`);',
    'every command has it but `run`, `dev` and `serve`, which write a log (`SVC_LOG_FORMAT=json`), and `completion`. Flags of every command:\n',
    `${toTable(
      ['Flag', 'Meaning'],
      GLOBAL_OPTIONS.map((option) => [code(showOption(option)), option.description]),
    )}\n`,
    `${toTable(['Exit code', 'Meaning'], EXIT_CODES)}\n`,
  ]
  const added = listManifests().flatMap(({ commands: own = [] }) => own.map(describeCommand))
  return { path: 'docs/reference/cli.md', content: [...head, ...[...commands, ...added].map(renderCommand)].join('\n') }
}

const EXIT_CODES = [
  ['0', 'Done.'],
  ['1', 'The schema does not validate or compile, or is not compiled.'],
  ['2', 'Configuration, command line, or boot.'],
  ['3', 'The database cannot be reached.'],
]

function renderCommand(command: Omit<Command, 'run'>): string {
  const { name, summary, description, options, examples = [] } = command
  const parts = [`## svc ${name}\n`, `${summary}\n`]
  if (description !== undefined) parts.push(`${description}\n`)
  parts.push(`    svc ${usageLine(command)}${options.length > 0 ? ' [FLAGS]' : ''}\n`)
  const rows = [
    ...command.arguments.map((argument) => [code(argument.name), argument.description]),
    ...options.map((option) => [code(showOption(option)), option.description]),
  ]
  if (rows.length > 0) parts.push(`${toTable(['Argument or flag', 'Meaning'], rows)}\n`)
  if (examples.length > 0) parts.push('Examples:\n', ...examples.map((example) => `    ${example}`), '')
  return parts.join('\n')
}
