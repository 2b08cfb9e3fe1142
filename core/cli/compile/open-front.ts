import { SvcError } from '../../base/errors/svc-error.ts'
import { readVersion } from '../../base/packages/own-package.ts'
import type { SdlSource } from '../../compiler/sdl-printer.ts'
import { type ListedPlugin, loadPlugins } from '../../config/plugin-list.ts'
import type { Dialect } from '../../contract/dialect.ts'
import type { Engine } from '../../contract/engine.ts'
import type { ExecuteContext } from '../../engine/execute/context/context.ts'
import { offlineContext } from '../../engine/execute/context/offline-context.ts'
import { planAhead } from '../../engine/execute/plan-ahead.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { linkSchema } from '../../schema/link/link.ts'
import { PlainExchange } from '../../service/lifecycle/plain-exchange.ts'
import { createServiceKernel } from '../../service/plugins/create-service-kernel.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import { createLog } from '../../service/signals/log.ts'
import type { CommandIo } from '../command/command.ts'
import type { Project } from '../project/load-project.ts'
import { withDependencies } from '../project/with-dependencies.ts'

/**
 * A kernel with plugins that are set up for a compiled schema, so that they can print it, for example as SDL. It serves
 * no requests.
 */
export interface Front {
  /**
   * Returns the input for a plugin's module that prints or checks the schema.
   * @param file path of that module in the plugin's manifest, for errors
   * @param plugin name of the plugin
   */
  source(file: string, plugin: string): SdlSource
  close(): Promise<void>
}

/**
 * Sets up plugins for a compiled schema so that they can print or check it, without a database or a listener. It also
 * sets up the plugins that depend on them (which may add roots, types and rules), and the dependencies of all these.
 * Other plugins are not set up, so that their secrets and servers are not needed.
 * @param plugins the plugins to set up
 * @param dialect dialect for planning operations; absent: no operation can be planned
 * @throws SvcError SVC_BOOT_FAILED: the set-up of a plugin failed
 */
export async function openFront(
  plugins: readonly ListedPlugin[],
  { list, config, baseDir }: Project,
  compiled: CompiledSchema,
  io: CommandIo,
  dialect?: Dialect,
): Promise<Front> {
  const set = listWith(plugins, list.listed)
  const planning =
    dialect === undefined ? null : offlineContext({ dialect, maxRows: config.svc.max_rows, observePlan: null })
  const kernel = await createServiceKernel({
    plugins: await loadPlugins(set),
    known: [...list.left, ...list.listed.filter((one) => !set.includes(one)).map(knownAs)],
    config,
    log: createLog({ env: io.env, write: (line) => io.stderr(line), isTerminal: io.isTerminal }),
    signals: createSignals(),
    process: { version: readVersion(), baseDir },
    // The schema is printed, not served, so the plugins that it requires need not run.
    schema: { ...linkSchema(compiled), requires: [] },
  })
  kernel.connect({
    // No client reaches this kernel, so the exchanges of plugins pass no guard.
    enter: (arrival, handler) => handler(new PlainExchange(kernel.generation, arrival)),
    engine: planningEngine(planning),
  })
  return {
    source: (file, plugin) => ({
      generation: kernel.generation,
      use(key) {
        const provided = kernel.provided(key)
        if (provided !== undefined) return provided
        throw new SvcError(
          'SVC_PLUGIN_INVALID',
          `"${file}" of plugin "${plugin}": no plugin beside it provides "${key}".`,
        )
      },
    }),
    close: () => kernel.close(),
  }
}

/** Returns the plugins, all plugins that depend on them, and the dependencies of those. */
function listWith(plugins: readonly ListedPlugin[], listed: readonly ListedPlugin[]): readonly ListedPlugin[] {
  const groups = listed.map((one) => withDependencies([one], listed))
  const wanted = new Set(groups.filter((group) => plugins.some((one) => group.includes(one))).flat())
  return listed.filter((one) => wanted.has(one))
}

function knownAs({ manifest: { name } }: ListedPlugin): { readonly name: string; readonly howToEnable: string } {
  return { name, howToEnable: `let it depend on what prints the schema` }
}

/** Creates an engine that only plans, if there is a dialect. It reads no data, so it checks no access. */
function planningEngine(context: ExecuteContext | null): Engine {
  const notServed = (): never => {
    throw new SvcError('SERVICE_UNAVAILABLE', 'The plugins were set up to look at the schema; nothing is served.')
  }
  return {
    run: notServed,
    explain: notServed,
    authorize: notServed,
    sourcesOf: notServed,
    answerKey: notServed,
    plan: context === null ? notServed : (exchange, operation) => planAhead(context, exchange, operation),
  }
}
