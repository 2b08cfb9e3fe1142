import { type ListedPlugin, loadPlugins } from '../../config/plugin-list.ts'
import { SvcError } from '../../errors/svc-error.ts'
import { createKernel } from '../../kernel/kernel.ts'
import type { SdlPrinter } from '../../kernel/sdl-printer.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { linkSchema } from '../../schema/link.ts'
import { createLog } from '../../signals/log.ts'
import { createSignals } from '../../signals/signals.ts'
import type { CommandIo } from '../command.ts'
import type { Project } from '../load-project.ts'
import { readVersion } from '../own-package.ts'

/**
 * The schema in SDL, by the plugin that serves it. That plugin and those that depend on it are set up for it, since they
 * may add roots and types; the others are not, so that no secret and no server is needed.
 * @throws SvcError SVC_PLUGIN_MISSING_DEPENDENCY, SVC_PLUGIN_INVALID, SVC_BOOT_FAILED
 */
export async function printSdl(
  { list, config, baseDir }: Project,
  compiled: CompiledSchema,
  io: CommandIo,
): Promise<string> {
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
  const set = listWith(plugin, list.listed)
  const kernel = await createKernel({
    plugins: await loadPlugins(set),
    known: [...list.left, ...list.listed.filter((one) => !set.includes(one)).map(knownAs)],
    config,
    baseDir,
    log: createLog({ env: io.env, write: (line) => io.stderr(line), isTerminal: io.isTerminal }),
    signals: createSignals(),
    version: readVersion(),
    // What an answer relies on is another question: nothing is answered.
    schema: { ...linkSchema(compiled), requires: [] },
    run: notServed,
    enter: notServed,
  })
  try {
    return (print as SdlPrinter)({
      generation: kernel.generation,
      use(key) {
        const provided = kernel.provided(key)
        if (provided !== undefined) return provided
        throw new SvcError('SVC_PLUGIN_INVALID', `"${sdl}" of plugin "${name}": no plugin beside it provides "${key}".`)
      },
    })
  } finally {
    await kernel.close()
  }
}

/** The plugin, all that depend on it, and what these need. */
function listWith(plugin: ListedPlugin, listed: readonly ListedPlugin[]): readonly ListedPlugin[] {
  const byName = new Map(listed.map((one) => [one.manifest.name, one]))
  const needs = (one: ListedPlugin): readonly ListedPlugin[] =>
    (one.manifest.dependencies ?? []).flatMap((name) => byName.get(name) ?? [])
  const reach = (one: ListedPlugin, found: Set<ListedPlugin>): ReadonlySet<ListedPlugin> => {
    if (!found.has(one)) {
      found.add(one)
      for (const needed of needs(one)) reach(needed, found)
    }
    return found
  }
  const wanted = new Set(
    listed.map((one) => reach(one, new Set())).flatMap((found) => (found.has(plugin) ? [...found] : [])),
  )
  return listed.filter((one) => wanted.has(one))
}

function knownAs({ manifest: { name } }: ListedPlugin): { readonly name: string; readonly howToEnable: string } {
  return { name, howToEnable: `let it depend on what prints the schema` }
}

function notServed(): never {
  throw new SvcError('SERVICE_UNAVAILABLE', 'The plugins were set up to print the schema; nothing is served.')
}
