import { pluginOf } from '../base/errors/blame.ts'
import { SvcError } from '../base/errors/svc-error.ts'
import type { Generation } from '../contract/generation.ts'
import type { Kernel } from '../contract/kernel.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { Provided } from '../contract/provided.ts'
import type { BootStep } from './boot.ts'
import { checkPlugins } from './check-plugins.ts'
import { createScope, type OpenScope, type ScopeTarget } from './create-scope.ts'
import { type BootFault, bootFailed, toFault } from './faults.ts'
import { createGenerationBuilder } from './generation.ts'
import { createGenerationLeases } from './generation-leases.ts'
import { createHookRegistry } from './hooks.ts'
import type { KernelOptions } from './kernel-options.ts'
import { Lifecycle } from './lifecycle.ts'
import { createPendingWork } from './pending-work.ts'
import { createSetUp, type SetUp } from './set-up.ts'

/**
 * Boots the plugins: checks them, sets them up, combines their hooks and builds the first generation.
 * @throws SvcError SVC_BOOT_FAILED with all faults, or an error of `betweenSetUps`, after closing the plugins again
 */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { report } = options
  const { order, early, names } = checkPlugins(options)
  const warn = (doing: string) => (plugin: string, error: unknown) =>
    report.warn(plugin, toFault(error, plugin, doing).message)
  const hooks = createHookRegistry(options.stages, (plugin) => names.has(plugin))
  const generations = createGenerationBuilder(warn('to dispose'))
  const pending = createPendingWork()
  const lifecycle = new Lifecycle()
  let isSealed = false
  const target: ScopeTarget = {
    hooks,
    generations,
    lifecycle,
    provided: new Map(),
    isSealed: () => isSealed,
    members: (registration) => options.members(registration),
    onClose: (plugin, close) => setUp.onClose(plugin, close),
  }
  const step = options.onBootStep ?? (() => {})
  const steps = order.map(({ plugin, manifest, value }) => toStep(plugin, createScope(manifest, target), value, step))
  const setUp = createSetUp(steps, early, options.timeouts?.setUp ?? 30_000)

  async function giveUp(fault: BootFault): Promise<never> {
    throw bootFailed([fault, ...(await setUp.close())])
  }

  const fault = (await setUp.early()) ?? (await between()) ?? (await setUp.others())
  if (fault !== null) return giveUp(fault)
  isSealed = true
  hooks.seal({ failed: report.settleFailed, pending: pending.add })
  options.sealed?.(hooks)
  const leases = generations.disposes
    ? createGenerationLeases((generation) => pending.add(generations.dispose(generation)))
    : null
  let first: Generation
  try {
    first = await build(options.schema)
  } catch (error) {
    return giveUp(toFault(error, pluginOf(error), 'to build its part of the generation'))
  }

  async function between(): Promise<null> {
    try {
      await options.betweenSetUps?.()
      return null
    } catch (error) {
      await setUp.close()
      throw error
    }
  }

  async function build(schema: Generation['schema']): Promise<Generation> {
    const generation = await generations.build(schema)
    try {
      options.accept?.(generation)
    } catch (error) {
      await generations.dispose(generation)
      throw error
    }
    return generation
  }

  async function closeAll(): Promise<void> {
    const timeoutMs = options.timeouts?.settle ?? 10_000
    const settled = async (what: string): Promise<void> => {
      const left = await pending.settled(timeoutMs)
      if (left === 0) return
      report.warn('kernel', `${left} ${what} were still running after ${timeoutMs} ms and are left alone.`)
    }
    await settled(`${namesOfSettling(options)} hooks`)
    leases?.retireAll()
    if (leases !== null) await settled('disposes of generations')
    await closePlugins(setUp)
  }

  let closing: Promise<void> | null = null
  let isDraining = false
  const kernel: Kernel & { generation: Generation } = {
    generation: first,
    stages: hooks,
    leases,
    names,
    get draining() {
      return isDraining
    },
    provided: <K extends keyof Provided & string>(key: K) => target.provided.get(key)?.value as Provided[K] | undefined,
    async buildGeneration(schema) {
      const [fault] = options.checkSchema?.(schema, names) ?? []
      if (fault !== undefined) throw new SvcError(fault.code, fault.message)
      return build(schema)
    },
    discard: (generation) => generations.dispose(generation),
    swap(generation: Generation) {
      const before = kernel.generation
      leases?.use(generation)
      kernel.generation = generation
      leases?.retire(before)
    },
    settled: (timeoutMs) => pending.settled(timeoutMs),
    async ready() {
      const late = await lifecycle.ready((plugin) => step(`plugin "${plugin}" was getting ready`))
      if (late !== null) throw bootFailed([late])
    },
    drain() {
      isDraining = true
      return lifecycle.drain(options.timeouts?.drain ?? 10_000, warn('to drain'))
    },
    close() {
      closing ??= closeAll()
      return closing
    },
    plugins: order,
    get timings() {
      return setUp.timings
    },
  }
  leases?.use(first)
  return kernel
}

function toStep(
  plugin: Plugin<never>,
  { scope, end }: OpenScope,
  options: unknown,
  step: (doing: string) => void,
): BootStep {
  return {
    manifest: plugin.manifest,
    async setup() {
      step(`plugin "${plugin.manifest.name}" was being set up`)
      try {
        await plugin.setup(scope, options as never)
      } finally {
        end()
      }
    },
  }
}

/** Returns the names of the `settle` stages, for messages. */
function namesOfSettling({ stages }: KernelOptions): string {
  return Object.keys(stages)
    .filter((name) => stages[name]!.kind === 'settle')
    .join(' and ')
}

async function closePlugins(setUp: SetUp): Promise<void> {
  const failed = await setUp.close()
  if (failed.length === 0) return
  const text = failed.map(({ message }) => message).join(' ')
  throw new SvcError('SVC_CLOSE_FAILED', text, { cause: new AggregateError(failed.map(({ cause }) => cause)) })
}
