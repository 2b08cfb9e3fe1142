import type { Generation } from './generation.ts'
import type { Manifest } from './manifest.ts'
import type { Provided } from './provided.ts'
import type { AnyFunction } from './stage-definition.ts'
import type { Kind, Position } from './stages.ts'

/** The hooks of each stage, combined into one function per stage after the set-up of all plugins. */
export interface SealedStages {
  /** Returns the function that runs all hooks of a stage; `null`: the stage has no hooks. */
  runner(stage: string): AnyFunction | null
  /**
   * Returns a function that runs only the hooks of a stage that were registered for `subject`, such as one mutation
   * (`HookOptions.mutations`); `null`: there are none.
   */
  runnerFor(stage: string, subject: object): AnyFunction | null
  /**
   * Returns every stage with the plugins that hook it, in the order in which their hooks run, for
   * `svc plugins --hooks`.
   */
  describe(): readonly HookChain[]
}

/** A stage with the plugins that hook it, for `svc plugins --hooks`. */
export interface HookChain {
  readonly stage: string
  /**
   * How the hooks of the stage are combined. `observe`: not a stage for hooks, but a step of a request that observers
   * watch.
   */
  readonly kind: Kind | 'observe'
  /** Name of the plugin that declared the stage; `null`: svc declares it. */
  readonly owner: string | null
  readonly plugins: readonly string[]
  /** The position that each plugin requested for its hook, in the order of {@link plugins}; `null`: none. */
  readonly positions: readonly (Position | null)[]
}

/** Start and duration of a plugin's set-up, in milliseconds, rounded to microseconds. */
export interface BootTiming {
  readonly plugin: string
  /** Milliseconds from the start of the boot to the start of this plugin's set-up. */
  readonly startMs: number
  readonly durationMs: number
}

/**
 * Counts the requests and other users of each generation (loaded schema), so that a replaced generation is disposed of
 * after its last user.
 */
export interface GenerationLeases {
  /** Registers a generation when it begins to serve requests. */
  use(generation: Generation): void
  /** Adds a user, such as a request, which keeps the generation from being disposed of. */
  hold(generation: Generation): void
  /** Removes a user that `hold` added. A retired generation is disposed of with its last user. */
  release(generation: Generation): void
  /** Marks a generation that a reload has replaced. It is disposed of as soon as it has no users. */
  retire(generation: Generation): void
  /** Disposes of all generations, also those in use, because the process closes. */
  retireAll(): void
}

/** A plugin whose set-up is complete. */
export interface SetUpPlugin {
  readonly manifest: Manifest
  /** Entry of the configuration that enables the plugin: `preset standard`, `enable`, `use ./audit.ts`. */
  readonly source: string
  /** Further reason why the plugin runs, which `svc plugins` prints. */
  readonly why?: string
}

/** The running plugins with their hooks, and the generation (loaded schema) that serves requests. */
export interface Kernel {
  /** Names of the running plugins. */
  readonly names: ReadonlySet<string>
  /** The generation that serves new requests. Read it once per request and keep it. */
  readonly generation: Generation
  readonly stages: SealedStages
  /**
   * Counts the requests that use each generation. `null`: no plugin disposes of values of a generation, so nothing is
   * counted.
   */
  readonly leases: GenerationLeases | null
  /** `true` once the shutdown has begun. */
  readonly draining: boolean
  /**
   * Waits for the running hooks of `settle` stages, such as `afterCommit`.
   * @returns number of hooks that still run after the timeout
   */
  settled(timeoutMs: number): Promise<number>
  /** Returns the value that a plugin provided under a key (`scope.provide`); `undefined`: there is none. */
  provided<K extends keyof Provided & string>(key: K): Provided[K] | undefined
  /**
   * Makes a generation from a schema: runs the `perGeneration` functions of all plugins. It does not serve yet: see
   * {@link swap}.
   * @throws SvcError the first fault of `KernelOptions.checkSchema`; errors of `perGeneration` functions pass through
   */
  buildGeneration(schema: Generation['schema']): Promise<Generation>
  /** Disposes of a generation that was built and never served. */
  discard(generation: Generation): Promise<void>
  /** Makes a generation serve new requests. Running requests keep the previous one. */
  swap(generation: Generation): void
  /**
   * Runs the `onReady` functions of all plugins, before the service listens.
   * @throws SvcError SVC_BOOT_FAILED: an `onReady` function failed
   */
  ready(): Promise<void>
  /**
   * Begins the shutdown: calls the `onDrain` functions of all plugins and waits for each up to the configured timeout.
   * Never rejects. A second call returns the promise of the first.
   */
  drain(): Promise<void>
  /**
   * Waits for running hooks of `settle` stages up to the configured timeout, then closes all plugins in reverse order
   * of set-up. A second call returns the promise of the first.
   * @throws SvcError SVC_CLOSE_FAILED when close functions failed
   */
  close(): Promise<void>
  /** The running plugins, in the order of their set-up. */
  readonly plugins: readonly SetUpPlugin[]
  /** How long the set-up of each plugin took, of those that have been set up so far. */
  readonly timings: readonly BootTiming[]
}
