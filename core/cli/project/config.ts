import { isSection, type SchemaNode, schemaAt } from '../../config/assemble-schema.ts'
import { isTable, type KeyPath, printKey, type Table } from '../../config/key-path.ts'
import { redactConfig } from '../../config/redact.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { loadProject, PROJECT_FLAGS, type Project } from './load-project.ts'

/** The command `svc config`, which prints each configuration value with its origin. */
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
  const rows = listValues(printed, schema, []).map(([path, value]) => {
    const key = printKey(path)
    return [`${key} = ${JSON.stringify(value)}`, sources.get(key)?.place ?? 'default'] as const
  })
  const width = Math.min(60, Math.max(...rows.map(([left]) => left.length)))
  return rows.map(([left, place]) => `${left.padEnd(width)}  # ${place}\n`).join('')
}

/**
 * Lists values in the order of the JSON Schema. Tables with names of the operator (`[databases.crm]`) follow the keys
 * of their section.
 */
function listValues(
  table: Table,
  schema: SchemaNode | undefined,
  path: KeyPath,
): readonly (readonly [KeyPath, unknown])[] {
  const known = Object.keys(schema?.properties ?? {})
  const names = [...known, ...Object.keys(table).filter((name) => !known.includes(name))]
  return names.flatMap((name) => {
    const value = table[name]
    if (value === undefined) return []
    const at = [...path, name]
    const inner = schema === undefined ? undefined : schemaAt(schema, [name])
    if (isTable(value) && inner !== undefined && isSection(inner)) return listValues(value, inner, at)
    return [[at, value] as const]
  })
}
