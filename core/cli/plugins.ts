import { loadSchema } from '../service/load-schema.ts'
import type { KernelDescription } from '../service/plugins/describe-plugins.ts'
import { createLog } from '../service/signals/log.ts'
import { bootForListing } from './boot-for-listing.ts'
import { checkList } from './check-list.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from './command.ts'
import { JSON_FLAG, printJson } from './json-output.ts'
import { loadProject, PROJECT_FLAGS, type Project } from './load-project.ts'
import { errorAsJson } from './print-error.ts'
import { printHooks, printPlugins, printTree } from './print-plugins.ts'

/** The command `svc plugins`. */
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
  // Behind the list, because it shows what is meant.
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
