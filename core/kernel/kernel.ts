import { pluginOf } from '../base/errors/blame.ts'
import { SvcError } from '../base/errors/svc-error.ts'
import type { OwnedCredential } from '../contract/credential.ts'
import type { Generation } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import { MetricsRegistry } from '../service/signals/metrics-registry.ts'
import type { BootStep } from './boot.ts'
import { checkPlugins } from './check-plugins.ts'
import { createScope, type OpenScope, type ScopeTarget } from './create-scope.ts'
import { describePlugins } from './describe.ts'
import { type BootFault, bootFailed, toFault } from './faults.ts'
import { createGenerationBuilder } from './generation.ts'
import { createGenerationLeases } from './generation-leases.ts'
import { createHookRegistry, type HookRegistry } from './hooks.ts'
import type { KernelOptions } from './kernel-options.ts'
import type { Manifest } from './manifest.ts'
import { Moments } from './moments.ts'
import { describeObservers } from './observer.ts'
import { createPendingWork } from './pending-work.ts'
import type { Plugin } from './plugin.ts'
import { createProcessView, engineOf, type LiveState, openDatabase, pipelineOf } from './process-view.ts'
import { createReload } from './reload.ts'
import { checkRequires } from './requires.ts'
import { RouteTable } from './route-table.ts'
import type { Kernel, KernelHooks } from './running-kernel.ts'
import type { Provided } from './scope.ts'
import { createSetUp, type SetUp } from './set-up.ts'
import { CORE_STAGES, type Runner } from './stages.ts'
import { createToPublicError } from './to-public-error.ts'
import { createMomentsOf } from './write-moments.ts'

/**
 * Creates a kernel: sets up the plugins, opens the database, seals the hooks and builds the first generation.
 * @throws SvcError SVC_BOOT_FAILED with all faults; errors of `openDatabase` pass through. Plugins that were set up are closed again
 */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { signals } = options
  const { order, names } = checkPlugins(options)
  const codes = new Map(order.flatMap(({ manifest }) => Object.entries(manifest.codes ?? {})))

  const warn = (doing: string) => (plugin: string, error: unknown) =>
    signals.emit({ type: 'warning', plugin, message: toFault(error, plugin, doing).message })
  const hooks = createHookRegistry((plugin) => names.has(plugin))
  const generations = createGenerationBuilder(warn('to dispose'))
  const pending = createPendingWork()
  const moments = new Moments()
  const live: LiveState = { kernel: null, service: null, database: null, draining: false, sealed: false, leases: null }
  const credentials: OwnedCredential[] = []
  const target: ScopeTarget = {
    config: options.config,
    log: options.log,
    signals,
    hooks,
    generations,
    routes: new RouteTable(),
    moments,
    metrics: declaredMetrics(order),
    drivers: [],
    observers: [],
    comments: [],
    upgrades: [],
    credentials,
    contributions: [],
    provided: new Map(),
    process: createProcessView(live, options, credentials),
    isSealed: () => live.sealed,
    engine: engineOf(live),
    pipeline: pipelineOf(live),
    database: () => openDatabase(live),
    onClose: (plugin, close) => setUp.onClose(plugin, close),
  }
  const step = options.onBootStep ?? (() => {})
  const setUp = createSetUp(
    order.map(({ plugin, manifest, value }) => toStep(plugin, createScope(manifest, target), value, step)),
    options.timeouts?.setUp ?? 30_000,
  )

  async function giveUp(fault: BootFault): Promise<never> {
    throw bootFailed([fault, ...(await setUp.close())])
  }

  const fault = (await setUp.drivers()) ?? (await open()) ?? (await setUp.others())
  if (fault !== null) return giveUp(fault)
  live.sealed = true
  hooks.seal({
    failed: (plugin, error) => signals.emit({ type: 'after-commit-failed', plugin, error }),
    pending: pending.add,
  })
  const leases = generations.disposes
    ? createGenerationLeases((generation) => pending.add(generations.dispose(generation)))
    : null
  live.leases = leases
  const momentsOf = createMomentsOf(hooks)
  let first: Generation
  try {
    first = await build(options.schema)
  } catch (error) {
    return giveUp(toFault(error, pluginOf(error), 'to build its part of the generation'))
  }

  /** What opening throws keeps its code: it says what to do about the database, not about a plugin. */
  async function open(): Promise<null> {
    try {
      step('the database was being opened')
      live.database = (await options.openDatabase?.(target.drivers)) ?? null
      return null
    } catch (error) {
      await setUp.close()
      throw error
    }
  }

  async function build(schema: SchemaModel): Promise<Generation> {
    const generation = await generations.build(schema)
    try {
      // Calls `HookOptions.mutations` of all hooks now, so that an error in one rejects the generation instead of a request.
      if (momentsOf !== null) for (const mutation of schema.mutations.values()) momentsOf(mutation)
      const routes = target.routes.of(generation)
      options.mount?.(generation, routes)
    } catch (error) {
      await generations.dispose(generation)
      throw error
    }
    return generation
  }

  async function buildGeneration(schema: SchemaModel): Promise<Generation> {
    const [missing] = checkRequires(schema, names, options.known)
    if (missing !== undefined) throw new SvcError(missing.code, missing.message)
    return build(schema)
  }

  async function closeAll(): Promise<void> {
    const timeoutMs = options.timeouts?.settle ?? 10_000
    const settled = async (what: string): Promise<void> => {
      const left = await pending.settled(timeoutMs)
      if (left === 0) return
      const message = `${left} ${what} were still running after ${timeoutMs} ms and are left alone.`
      signals.emit({ type: 'warning', plugin: 'kernel', message })
    }
    await settled('afterCommit hooks')
    leases?.retireAll()
    if (leases !== null) await settled('disposes of generations')
    await closePlugins(setUp)
  }

  let closing: Promise<void> | null = null
  const kernel: Kernel & { generation: Generation } = {
    generation: first,
    hooks: compiledHooks(hooks),
    momentsOf,
    routes: Object.freeze(target.routes.fixed),
    leases,
    names,
    toPublicError: createToPublicError(hooks.runner('error:public') as Runner<'error:public'> | null, signals, codes),
    drivers: Object.freeze(target.drivers),
    observers: Object.freeze(target.observers),
    comments: Object.freeze(target.comments),
    upgrades: Object.freeze(target.upgrades),
    credentials: Object.freeze(credentials),
    contributions: Object.freeze(target.contributions),
    process: target.process,
    provided: <K extends keyof Provided & string>(key: K) => target.provided.get(key)?.value as Provided[K] | undefined,
    connect(service) {
      live.service = service
    },
    buildGeneration,
    swap(generation: Generation) {
      const before = kernel.generation
      leases?.use(generation)
      kernel.generation = generation
      leases?.retire(before)
    },
    reload: createReload({
      signals,
      current: () => kernel.generation,
      buildGeneration,
      swap: (generation) => kernel.swap(generation),
      discard: (generation) => generations.dispose(generation),
      others: options.reloadOthers,
    }),
    settled: (timeoutMs) => pending.settled(timeoutMs),
    async ready() {
      const late = await moments.ready((plugin) => step(`plugin "${plugin}" was getting ready`))
      if (late !== null) throw bootFailed([late])
    },
    drain() {
      live.draining = true
      return moments.drain(options.timeouts?.drain ?? 10_000, warn('to drain'))
    },
    close() {
      closing ??= closeAll()
      return closing
    },
    describe: () =>
      describePlugins(order, [...hooks.describe(), ...describeObservers(target.observers)], setUp.timings),
  }
  leases?.use(first)
  live.kernel = kernel
  signals.emit({ type: 'generation-loaded', hash: first.hash, reason: 'boot' })
  return kernel
}

function declaredMetrics(plugins: readonly { readonly manifest: Manifest }[]): MetricsRegistry {
  const registry = new MetricsRegistry()
  for (const { manifest } of plugins) registry.declare(manifest.name, manifest.metrics ?? {})
  return registry
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

function compiledHooks(hooks: HookRegistry): KernelHooks {
  const stages = Object.keys(CORE_STAGES)
  return Object.freeze(Object.fromEntries(stages.map((stage) => [stage, hooks.runner(stage)]))) as KernelHooks
}

async function closePlugins(setUp: SetUp): Promise<void> {
  const failed = await setUp.close()
  if (failed.length === 0) return
  const text = failed.map(({ message }) => message).join(' ')
  throw new SvcError('SVC_CLOSE_FAILED', text, { cause: new AggregateError(failed.map(({ cause }) => cause)) })
}
