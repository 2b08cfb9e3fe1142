import { pluginOf } from '../errors/blame.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { Database, DatabaseDriver } from '../front/database.ts'
import type { Exchange } from '../front/exchange.ts'
import type { Operation } from '../front/operation.ts'
import type { Result } from '../front/result.ts'
import type { Generation } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { Signals } from '../signals/signals.ts'
import { type BootSequence, type BootStep, createBootSequence } from './boot.ts'
import { checkPlugins } from './check-plugins.ts'
import { createScope, type OpenScope, type OwnedRoute, type ScopeTarget, tooEarly } from './create-scope.ts'
import { describePlugins, type KernelDescription } from './describe.ts'
import { type BootFault, bootFailed, toFault } from './faults.ts'
import { createGenerationBuilder } from './generation.ts'
import { createHookRegistry, type HookRegistry } from './hooks.ts'
import type { KnownPlugin } from './order.ts'
import { createLonePeers, type Peers } from './peers.ts'
import { createPendingWork, type PendingWork } from './pending-work.ts'
import type { Plugin } from './plugin.ts'
import { createReload } from './reload.ts'
import { checkRequires } from './requires.ts'
import type { Log, ProcessView, WorkersView } from './scope.ts'
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
  /** The guarded way to data: authorize and resolve (core/lifecycle). */
  readonly run: (kernel: Kernel, exchange: Exchange, operation: Operation) => MaybePromise<Result>
  /** How long one plugin's set-up may take, in milliseconds; 0 = for ever. Default 30,000. */
  readonly setupTimeoutMs?: number
  /** How long close waits for `afterCommit` hooks that are still running, in milliseconds. Default 10,000. */
  readonly settleTimeoutMs?: number
}

/** The compiled chains of the kernel's stages; `null` = nobody hooked it, skip it. */
export type KernelHooks = { readonly [S in CoreStage]: Runner<S> | null }

/** The running service without its fronts: chains, routes, drivers, the current generation. */
export interface Kernel {
  /** The current one; a request takes it once, at entry. */
  readonly generation: Generation
  readonly hooks: KernelHooks
  readonly routes: readonly OwnedRoute[]
  readonly drivers: readonly DatabaseDriver[]
  readonly process: ProcessView
  /** Waits for `afterCommit` hooks that are still running. @returns how many the deadline left */
  settled(timeoutMs: number): Promise<number>
  /** The opened database, for `scope.database()`. */
  setDatabase(database: Database): void
  /** @throws SvcError SVC_SCHEMA_REQUIRES, or what a plugin's `perGeneration` threw */
  buildGeneration(schema: SchemaModel): Promise<Generation>
  /** Makes a generation the current one. One assignment: requests see the old or the new one, never both. */
  swap(generation: Generation): void
  /**
   * Loads a schema, builds its generation, swaps. Any failure keeps the old one, is signalled, and is thrown. An equal
   * hash is no swap.
   * @throws SvcError SVC_RELOAD_BUSY while another one runs
   */
  reload(load: () => Promise<SchemaModel>): Promise<'swapped' | 'unchanged'>
  /** The process is about to stop: readiness answers 503 from here on. */
  drain(): void
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

  const hooks = createHookRegistry((plugin) => names.has(plugin))
  const generations = createGenerationBuilder()
  const pending = createPendingWork()
  const live: LiveState = { kernel: null, database: null, draining: false, sealed: false }
  const target: ScopeTarget = {
    config: options.config,
    log: options.log,
    signals,
    hooks,
    generations,
    routes: [],
    drivers: [],
    provided: new Map(),
    process: viewOf(live, options),
    isSealed: () => live.sealed,
    run: (exchange, operation) => options.run(running(live), exchange, operation),
    database() {
      if (live.database === null) throw tooEarly('the database is not open')
      return live.database
    },
    onClose: (plugin, close) => boot.onClose(plugin, close),
  }
  const boot = createBootSequence(
    order.map(({ plugin, manifest, value }) => toStep(plugin, createScope(manifest, target), value)),
    options.setupTimeoutMs ?? 30_000,
  )

  async function giveUp(fault: BootFault): Promise<never> {
    throw bootFailed([fault, ...(await boot.close())])
  }

  const fault = await boot.start()
  if (fault !== null) return giveUp(fault)
  live.sealed = true
  hooks.seal({
    failed: (plugin, error) => signals.emit({ type: 'after-commit-failed', plugin, error }),
    pending: pending.add,
  })
  let first: Generation
  try {
    first = await generations.build(options.schema)
  } catch (error) {
    return giveUp(toFault(error, pluginOf(error), 'to build its part of the generation'))
  }

  async function buildGeneration(schema: SchemaModel): Promise<Generation> {
    const [missing] = checkRequires(schema, names, options.known)
    if (missing !== undefined) throw new SvcError(missing.code, missing.message)
    return generations.build(schema)
  }

  let closing: Promise<void> | null = null
  const kernel: Kernel & { generation: Generation } = {
    generation: first,
    hooks: compiledHooks(hooks),
    routes: Object.freeze(target.routes),
    drivers: Object.freeze(target.drivers),
    process: target.process,
    setDatabase(database: Database) {
      live.database = database
    },
    buildGeneration,
    swap(generation: Generation) {
      kernel.generation = generation
    },
    reload: createReload({
      signals,
      current: () => kernel.generation,
      buildGeneration,
      swap: (generation) => kernel.swap(generation),
    }),
    settled: (timeoutMs) => pending.settled(timeoutMs),
    drain() {
      live.draining = true
    },
    close() {
      closing ??= closeAll(boot, pending, signals, options.settleTimeoutMs ?? 10_000)
      return closing
    },
    describe: () => describePlugins(order, hooks.describe(), boot.timings),
  }
  live.kernel = kernel
  signals.emit({ type: 'generation-loaded', hash: first.hash, reason: 'boot' })
  return kernel
}

/** What the scopes look at; filled as boot goes on. */
interface LiveState {
  kernel: Kernel | null
  database: Database | null
  draining: boolean
  sealed: boolean
}

function running(live: LiveState): Kernel {
  if (live.kernel === null) throw tooEarly('there is no generation yet')
  return live.kernel
}

const ALONE: WorkersView = Object.freeze({ configured: 1, listening: 1 })

function viewOf(
  live: LiveState,
  { version, workers = () => ALONE, peers = createLonePeers() }: KernelOptions,
): ProcessView {
  return Object.freeze({
    get generation() {
      return running(live).generation
    },
    get draining() {
      return live.draining
    },
    startedAt: new Date(),
    version,
    peers,
    get workers() {
      return workers()
    },
  })
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

async function closeAll(boot: BootSequence, pending: PendingWork, signals: Signals, timeoutMs: number): Promise<void> {
  const left = await pending.settled(timeoutMs)
  if (left > 0) {
    const message = `${left} afterCommit hooks were still running after ${timeoutMs} ms and are left alone.`
    signals.emit({ type: 'warning', plugin: 'kernel', message })
  }
  const failed = await boot.close()
  if (failed.length === 0) return
  const text = failed.map(({ message }) => message).join(' ')
  throw new SvcError('SVC_CLOSE_FAILED', text, { cause: new AggregateError(failed.map(({ cause }) => cause)) })
}
