import { pluginOf } from '../errors/blame.ts'
import { declareCodes } from '../errors/codes.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { Database, DatabaseDriver } from '../front/database.ts'
import type { Exchange } from '../front/exchange.ts'
import type { Operation } from '../front/operation.ts'
import type { Result } from '../front/result.ts'
import type { Generation } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import { MetricsRegistry } from '../signals/metrics-registry.ts'
import type { Signals } from '../signals/signals.ts'
import type { BootStep } from './boot.ts'
import { checkPlugins } from './check-plugins.ts'
import { createScope, type OpenScope, type ScopeTarget, tooEarly } from './create-scope.ts'
import { describePlugins, type KernelDescription } from './describe.ts'
import type { Enter } from './entrance.ts'
import { type BootFault, bootFailed, toFault } from './faults.ts'
import { createGenerationBuilder } from './generation.ts'
import { createGenerationLeases, type GenerationLeases } from './generation-leases.ts'
import { createHookRegistry, type HookRegistry } from './hooks.ts'
import type { Manifest } from './manifest.ts'
import { Moments } from './moments.ts'
import type { KnownPlugin } from './order.ts'
import type { Peers } from './peers.ts'
import { createPendingWork } from './pending-work.ts'
import type { Plugin } from './plugin.ts'
import { createProcessView, type LiveState, running } from './process-view.ts'
import { createReload, type Reload } from './reload.ts'
import { checkRequires } from './requires.ts'
import { type OwnedRoute, RouteTable } from './route-table.ts'
import type { Log, ProcessView, Provided, WorkersView } from './scope.ts'
import { createSetUp, type SetUp } from './set-up.ts'
import { CORE_STAGES, type CoreStage, type MaybePromise, type Runner } from './stages.ts'

/** A plugin of the list. */
export interface PluginInstance {
  readonly plugin: Plugin<never>
  /** The value of its section, or the `options` of its `use` entry. Checked and default-filled by the kernel. */
  readonly options: unknown
  /** Where it comes from: `preset standard`, `enable`, `use ./audit.ts`. */
  readonly source: string
  /** More about why it is in the list, for `svc plugins`. */
  readonly why?: string
}

export interface KernelOptions {
  /** In the order of the list; the kernel sorts by dependencies. */
  readonly plugins: readonly PluginInstance[]
  /** Plugins that could be had, for the text of a missing one. */
  readonly known?: readonly KnownPlugin[]
  readonly config: Readonly<Record<string, unknown>>
  readonly log: Log
  readonly signals: Signals
  /** The svc package's version. */
  readonly version: string
  /** The processes that serve, as `ProcessView.workers` shows them. Default: this one. */
  readonly workers?: () => WorkersView
  /** The way to the other processes that serve. Default: there are none. */
  readonly peers?: Peers
  /** The schema of the first generation. */
  readonly schema: SchemaModel
  /** Loads a schema again, for `process.reload`. @param path another artifact than the configured one */
  readonly loadSchema?: (path?: string) => Promise<SchemaModel>
  /** Opens the database, once the drivers are set up. Default: there is none until `setDatabase`. */
  readonly openDatabase?: (drivers: readonly DatabaseDriver[]) => Promise<Database>
  /** Takes the routes of a generation before it serves. A throw refuses it. */
  readonly mount?: (generation: Generation, routes: readonly OwnedRoute[]) => void
  /** The guarded way to data: authorize and resolve (core/lifecycle). */
  readonly run: (kernel: Kernel, exchange: Exchange, operation: Operation) => MaybePromise<Result>
  /** The way in for what is no HTTP request (core/lifecycle). */
  readonly enter: Enter
  /** How long one plugin's set-up may take, in milliseconds; 0 = for ever. Default 30,000. */
  readonly setupTimeoutMs?: number
  /** How long close waits for `afterCommit` hooks that are still running, in milliseconds. Default 10,000. */
  readonly settleTimeoutMs?: number
  /** How long `drain` waits for each plugin, in milliseconds. Default 10,000. */
  readonly drainTimeoutMs?: number
}

/** The compiled chains of the kernel's stages; `null` = nobody hooked it, skip it. */
export type KernelHooks = { readonly [S in CoreStage]: Runner<S> | null }

/** The running service without its fronts: chains, routes, drivers, the current generation. */
export interface Kernel {
  /** The current one; a request takes it once, at entry. */
  readonly generation: Generation
  readonly hooks: KernelHooks
  /** Those that no schema decides about. */
  readonly routes: readonly OwnedRoute[]
  /** Who uses which generation; `null` where nothing is disposed of, and nobody has to say. */
  readonly leases: GenerationLeases | null
  readonly drivers: readonly DatabaseDriver[]
  readonly process: ProcessView
  /** Waits for `afterCommit` hooks that are still running. @returns how many the deadline left */
  settled(timeoutMs: number): Promise<number>
  /** What a plugin has provided under this key; `undefined` = none has. */
  provided<K extends keyof Provided & string>(key: K): Provided[K] | undefined
  /** The opened database, for `scope.database()`. */
  setDatabase(database: Database): void
  /** @throws SvcError SVC_SCHEMA_REQUIRES, or what a plugin's `perGeneration` threw */
  buildGeneration(schema: SchemaModel): Promise<Generation>
  /** Makes a generation the current one. One assignment: requests see the old or the new one, never both. */
  swap(generation: Generation): void
  /**
   * Loads a schema, builds its generation, swaps. Any failure keeps the old one, is signalled, and is thrown. An equal
   * hash is no swap. `validateOnly` builds and lets go.
   * @throws SvcError SVC_RELOAD_BUSY while another one runs
   */
  readonly reload: Reload
  /** Everything is there: plugins open what they listen on. @throws SvcError SVC_BOOT_FAILED */
  ready(): Promise<void>
  /**
   * The process is about to stop: readiness answers 503 from here on. Waits for what plugins drain, up to the deadline;
   * never rejects. A second call joins the first.
   */
  drain(): Promise<void>
  /**
   * Waits for running `afterCommit` hooks up to the deadline, then closes the plugins in reverse order, all of them.
   * A second call joins the first.
   * @throws SvcError SVC_CLOSE_FAILED when some failed
   */
  close(): Promise<void>
  describe(): KernelDescription
}

/**
 * Boots the plugins and seals their hooks.
 * @throws SvcError SVC_BOOT_FAILED with every fault found; what had been set up is closed again
 */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { signals } = options
  const { order, names } = checkPlugins(options)
  for (const { manifest } of order) declareCodes(manifest.codes ?? {})

  const warn = (doing: string) => (plugin: string, error: unknown) =>
    signals.emit({ type: 'warning', plugin, message: toFault(error, plugin, doing).message })
  const hooks = createHookRegistry((plugin) => names.has(plugin))
  const generations = createGenerationBuilder(warn('to dispose'))
  const pending = createPendingWork()
  const moments = new Moments()
  const live: LiveState = { kernel: null, database: null, draining: false, sealed: false, leases: null }
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
    provided: new Map(),
    process: createProcessView(live, options),
    isSealed: () => live.sealed,
    run: (exchange, operation) => options.run(running(live), exchange, operation),
    enter(arrival, handler) {
      running(live)
      return options.enter(arrival, handler)
    },
    database() {
      if (live.database === null) throw tooEarly('the database is not open')
      return live.database
    },
    onClose: (plugin, close) => setUp.onClose(plugin, close),
  }
  const setUp = createSetUp(
    order.map(({ plugin, manifest, value }) => toStep(plugin, createScope(manifest, target), value)),
    options.setupTimeoutMs ?? 30_000,
  )

  async function giveUp(fault: BootFault): Promise<never> {
    throw bootFailed([fault, ...(await setUp.close())])
  }

  const fault = (await setUp.drivers()) ?? (await openDatabase()) ?? (await setUp.others())
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
  let first: Generation
  try {
    first = await build(options.schema)
  } catch (error) {
    return giveUp(toFault(error, pluginOf(error), 'to build its part of the generation'))
  }

  /** What opening throws keeps its code: it says what to do about the database, not about a plugin. */
  async function openDatabase(): Promise<null> {
    try {
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
    const timeoutMs = options.settleTimeoutMs ?? 10_000
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
    routes: Object.freeze(target.routes.fixed),
    leases,
    drivers: Object.freeze(target.drivers),
    process: target.process,
    provided: <K extends keyof Provided & string>(key: K) => target.provided.get(key)?.value as Provided[K] | undefined,
    setDatabase(database: Database) {
      live.database = database
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
    }),
    settled: (timeoutMs) => pending.settled(timeoutMs),
    async ready() {
      const late = await moments.ready()
      if (late !== null) throw bootFailed([late])
    },
    drain() {
      live.draining = true
      return moments.drain(options.drainTimeoutMs ?? 10_000, warn('to drain'))
    },
    close() {
      closing ??= closeAll()
      return closing
    },
    describe: () => describePlugins(order, hooks.describe(), setUp.timings),
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

function toStep(plugin: Plugin<never>, { scope, end }: OpenScope, options: unknown): BootStep {
  return {
    manifest: plugin.manifest,
    async setup() {
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
