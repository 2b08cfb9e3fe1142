import { SvcError } from '../../base/errors/svc-error.ts'
import type { SdlPrinter } from '../../compiler/sdl-printer.ts'
import type { ListedPlugin } from '../../config/plugin-list.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import type { CommandIo } from '../command/command.ts'
import type { Project } from '../project/load-project.ts'
import { openFront } from './open-front.ts'

/**
 * `extended`: SDL with the directives that plugins add to it, such as those of federation. `plain`: SDL without these.
 */
export type SdlForm = 'extended' | 'plain'

/**
 * Prints the GraphQL schema of a project in SDL, as the enabled plugin that serves GraphQL produces it.
 * @throws SvcError SVC_PLUGIN_MISSING_DEPENDENCY: no enabled plugin prints SDL; SVC_PLUGIN_INVALID: its printer cannot
 * be used; SVC_BOOT_FAILED: the set-up of a plugin failed
 */
export async function printSdl(
  project: Project,
  compiled: CompiledSchema,
  io: CommandIo,
  form: SdlForm = 'extended',
): Promise<string> {
  const printers = project.list.listed.filter(({ manifest }) => manifest.sdl !== undefined)
  // A printer that depends on another one prints a superset of its output.
  const isWanted = (printer: ListedPlugin): boolean =>
    !printers.some((other) =>
      form === 'extended' ? needs(other, printer.manifest.name) : needs(printer, other.manifest.name),
    )
  const plugin = printers.find(isWanted)
  if (plugin === undefined) {
    const message = 'No enabled plugin prints the schema. Enable the plugin "graphql".'
    throw new SvcError('SVC_PLUGIN_MISSING_DEPENDENCY', message)
  }
  const { name, sdl } = plugin.manifest
  const print = (await plugin.loadModule(sdl!)).default
  if (typeof print !== 'function') {
    const message = `"${sdl}" of plugin "${name}" prints no schema. Export \`defineSdlPrinter(…)\` as the default.`
    throw new SvcError('SVC_PLUGIN_INVALID', message)
  }
  const front = await openFront([plugin], project, compiled, io)
  try {
    return (print as SdlPrinter)(front.source(sdl!, name))
  } finally {
    await front.close()
  }
}

function needs({ manifest: { dependencies = [] } }: ListedPlugin, name: string): boolean {
  return dependencies.includes(name)
}
