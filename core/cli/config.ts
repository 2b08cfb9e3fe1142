import { listKeys } from '../config/assemble-schema.ts'
import { printKey, valueAt } from '../config/key-path.ts'
import { redactConfig } from '../config/redact.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from './command.ts'
import { JSON_FLAG, printJson } from './json-output.ts'
import { loadProject, PROJECT_FLAGS, type Project } from './load-project.ts'

/** `svc config`: the answer to "which value does it use, and who said so?". */
export const configCommand = defineCommand({
  name: 'config',
  summary: 'Show the configuration in use, and where each value comes from.',
  description: 'Secrets are shown as [REDACTED], URLs without user and password.',
  arguments: [{ name: 'INPUT', description: 'svc.toml or its folder. Default: svc.toml' }],
  options: [JSON_FLAG, ...Object.values(PROJECT_FLAGS).map(({ option }) => option)],
  examples: ['svc config', 'svc config shop/svc.toml --json'],
  run,
})

async function run({ positionals: [input], flags }: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ input, flags }, io)
  const printed = redactConfig(project.config, project.schema)
  if (flags.json === true) printJson(io, printed)
  else io.stdout(printValues(project, printed))
  return EXIT.ok
}

function printValues({ schema, sources }: Project, printed: Record<string, unknown>): string {
  const rows = listKeys(schema).flatMap(({ path }) => {
    const value = valueAt(printed, path)
    if (value === undefined) return []
    const key = printKey(path)
    return [[`${key} = ${JSON.stringify(value)}`, sources.get(key)?.place ?? 'default'] as const]
  })
  const width = Math.min(60, Math.max(...rows.map(([left]) => left.length)))
  return rows.map(([left, place]) => `${left.padEnd(width)}  # ${place}\n`).join('')
}
