import type { PluginList } from '../../config/plugin-list.ts'
import { loadSchema } from '../../service/load-schema.ts'
import type { KernelDescription } from '../../service/plugins/describe-plugins.ts'
import { createLog } from '../../service/signals/log.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { errorAsJson } from '../command/print-error.ts'
import { bootForListing } from '../project/boot-for-listing.ts'
import { checkList } from '../project/check-list.ts'
import { loadProject, PROJECT_FLAGS, type Project } from '../project/load-project.ts'

/** The command `svc plugins`, which lists the plugins of a project. */
export const pluginsCommand = defineCommand({
  name: 'plugins',
  summary: 'List the plugins that run, and why.',
  description:
    'Prints each plugin with its version and the line that put it in the list, then those that are left out and why.\n' +
    'A list that `svc run` would refuse ends with the reasons and exit code 2.\n' +
    'With --hooks or --tree the plugins are booted on the compiled schema, without a database and without listening.',
  arguments: [{ name: 'INPUT', description: 'svc.toml or its folder. Default: svc.toml' }],
  options: [
    { name: 'hooks', type: 'boolean', description: 'Show the chain of every hook, in the order of run.' },
    { name: 'tree', type: 'boolean', description: 'Show the order of set-up with timings.' },
    JSON_FLAG,
    ...(PROJECT_FLAGS.preset === undefined ? [] : [PROJECT_FLAGS.preset.option]),
  ],
  examples: ['svc plugins', 'svc plugins --hooks', 'svc plugins shop/svc.toml --preset full --json'],
  run,
})

async function run({ positionals: [input], flags }: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ input, flags, optional: input === undefined, ignore: ['database.url'] }, io)
  const description = flags.hooks === true || flags.tree === true ? await describeBooted(project, io) : null
  const refusal = await checkList(project).catch((error: unknown) => error)
  if (flags.json === true) {
    const refused = refusal === null ? {} : errorAsJson(refusal)
    printJson(io, { ...toJson(project, description), ...refused })
  } else {
    if (description === null || flags.hooks !== true) io.stdout(printPlugins(project.list, project.preset))
    if (description !== null && flags.hooks === true) io.stdout(printHooks(description))
    if (description !== null && flags.tree === true) io.stdout(printTree(description))
  }
  // After the list, which shows the plugins of the error.
  if (refusal !== null) throw refusal
  return EXIT.ok
}

async function describeBooted(project: Project, io: CommandIo): Promise<KernelDescription> {
  const log = createLog({ env: io.env, write: (line) => io.stderr(line), isTerminal: io.isTerminal })
  const kernel = await bootForListing(project, await loadSchema(project.artifact), log)
  const description = kernel.describe()
  await kernel.close()
  return description
}

function toJson({ list, preset }: Project, description: KernelDescription | null): object {
  return {
    preset,
    plugins: list.listed.map(({ manifest, source }) => ({
      name: manifest.name,
      version: manifest.version,
      description: manifest.description,
      source,
    })),
    left: list.left.map(({ name, why, howToEnable }) => ({ name, why, howToEnable })),
    ...(description === null ? {} : { boot: description.plugins, hooks: description.hooks }),
  }
}

/** Prints the plugins with their sources, then the disabled ones with reasons. */
function printPlugins({ listed, left }: PluginList, preset: string): string {
  const rows = listed.map(({ manifest, source }) => [manifest.name, manifest.version, source, manifest.description])
  const lines = [`${listed.length} plugins run (preset ${preset}):`, ...columns(rows)]
  if (left.length > 0) {
    lines.push('', `${left.length} left out:`)
    lines.push(...columns(left.map(({ name, why, howToEnable }) => [name, why, howToEnable ?? ''])))
  }
  return `${lines.join('\n')}\n`
}

/** Prints each stage with its kind and handlers. */
function printHooks({ hooks }: KernelDescription): string {
  const rows = hooks.map(({ stage, kind, plugins, positions }) => {
    const chain = plugins.map((plugin, i) => (positions[i] == null ? plugin : `${plugin} (${positions[i]})`))
    return [stage, kind, chain.length === 0 ? '(none)' : chain.join(' → ')]
  })
  return `Hooks, in the order of run:\n${columns(rows).join('\n')}\n`
}

/** Prints the plugins in the order of their set-up, each below its dependencies. */
function printTree({ plugins }: KernelDescription): string {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]))
  const depthOf = (name: string): number => {
    const { dependencies = [] } = byName.get(name) ?? {}
    return dependencies.length === 0 ? 0 : 1 + Math.max(...dependencies.map(depthOf))
  }
  const rows = plugins.map(({ name, durationMs, startMs, dependencies }) => [
    `${'  '.repeat(depthOf(name))}${name}`,
    `${durationMs.toFixed(1)} ms`,
    `at ${startMs.toFixed(1)} ms`,
    dependencies.length === 0 ? '' : `needs ${dependencies.join(', ')}`,
  ])
  return `Set-up, in order:\n${columns(rows).join('\n')}\n`
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, i) => Math.max(cell.length, all[i] ?? 0)), [])
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd())
}
