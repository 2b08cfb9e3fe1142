import type { SdlPrinter } from '../../compiler/sdl-printer.ts'
import { SvcError } from '../../errors/svc-error.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { linkSchema } from '../../schema/link.ts'
import type { Project } from '../load-project.ts'

/**
 * The schema in SDL, by the plugin that serves it.
 * @throws SvcError SVC_PLUGIN_MISSING_DEPENDENCY, SVC_PLUGIN_INVALID
 */
export async function printSdl({ list }: Project, compiled: CompiledSchema): Promise<string> {
  const plugin = list.listed.find(({ manifest }) => manifest.sdl !== undefined)
  if (plugin === undefined) {
    const message = '--sdl: no enabled plugin prints the schema. Enable the plugin "graphql", or leave --sdl out.'
    throw new SvcError('SVC_PLUGIN_MISSING_DEPENDENCY', message)
  }
  const { name, sdl } = plugin.manifest
  const print = (await plugin.loadModule(sdl!)).default
  if (typeof print !== 'function') {
    const message = `"${sdl}" of plugin "${name}" prints no schema. Export \`defineSdlPrinter(…)\` as the default.`
    throw new SvcError('SVC_PLUGIN_INVALID', message)
  }
  return (print as SdlPrinter)(linkSchema(compiled))
}
