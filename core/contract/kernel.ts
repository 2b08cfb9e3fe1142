import type { Generation } from './generation.ts'
import type { Manifest } from './manifest.ts'
import type { Provided } from './provided.ts'
import type { AnyFunction } from './stage-definition.ts'
import type { Kind, Position } from './stages.ts'

/** The compiled stages of a kernel. */
export interface SealedStages {
  /** Returns the compiled hooks of a stage; `null`: it has none. */
  runner(stage: string): AnyFunction | null
  /** Returns the compiled hooks that select a subject (`StageDefinition.selector`); `null`: there are none. */
  runnerFor(stage: string, subject: object): AnyFunction | null
  /** Returns every stage with its plugins, in the order in which they run. */
  describe(): readonly HookChain[]
}

/** Description of a stage. */
export interface HookChain {
  readonly stage: string
  /** Kind of the stage. `observe`: not a stage for hooks, but a part of the pipeline that observers watch. */
  readonly kind: Kind | 'observe'
  /** Plugin that declared the stage; `null`: the kernel. */
  readonly owner: string | null
  readonly plugins: readonly string[]
  /** Requested position of each plugin; `null`: none. */
  readonly positions: readonly (Position | null)[]
}

/** Times of a plugin's set-up in milliseconds, rounded to microseconds. */
export interface BootTiming {
  readonly plugin: string
  /** Milliseconds from the start of the boot to the start of this plugin's set-up. */
  readonly startMs: number
  readonly durationMs: number
}

/** Counts the users of generations, so that a generation is disposed of after its last user. */
export interface GenerationLeases {
  /** Registers a generation that begins to serve. */
  use(generation: Generation): void
  /** Adds a user. */
  hold(generation: Generation): void
  /** Removes a user. A retired generation without users is disposed of. */
  release(generation: Generation): void
  /** Marks a generation that another one has replaced. It is disposed of once it has no users. */
  retire(generation: Generation): void
  /** Disposes of all generations, also those with users, because the process closes. */
  retireAll(): void
}

/** A plugin that was set up. */
export interface SetUpPlugin {
  readonly manifest: Manifest
  /** Origin in the configuration: `preset standard`, `enable`, `use ./audit.ts`. */
  readonly source: string
  /** Additional reason that `svc plugins` prints for the plugin. */
  readonly why?: string
}

/** The booted plugins with their hooks, and the current generation. */
export interface Kernel {
  /** Names of the running plugins. */
  readonly names: ReadonlySet<string>
  /** Current generation. A request takes it once, at entry. */
  readonly generation: Generation
  readonly stages: SealedStages
  /** Users of generations; `null`: no plugin disposes of generations, so users need not be counted. */
  readonly leases: GenerationLeases | null
  /** `true` after the shutdown has begun. */
  readonly draining: boolean
  /** Waits for running hooks of `settle` stages. @returns number of hooks that still run after the timeout */
  settled(timeoutMs: number): Promise<number>
  /** Returns the value that a plugin provides under a key; `undefined`: none. */
  provided<K extends keyof Provided & string>(key: K): Provided[K] | undefined
  /**
   * Builds a generation of a schema.
   * @throws SvcError the first fault of `KernelOptions.checkSchema`; errors of `perGeneration` functions pass through
   */
  buildGeneration(schema: Generation['schema']): Promise<Generation>
  /** Disposes of a generation that never served. */
  discard(generation: Generation): Promise<void>
  /** Makes a generation the current one. New requests take it; running ones keep theirs. */
  swap(generation: Generation): void
  /** Runs the `onReady` functions, before the service listens. @throws SvcError SVC_BOOT_FAILED */
  ready(): Promise<void>
  /**
   * Begins the shutdown: the `onDrain` functions run, each up to the timeout. Never rejects. A second call returns the promise of the
   * first.
   */
  drain(): Promise<void>
  /**
   * Waits for running hooks of `settle` stages up to the timeout, then closes all plugins in reverse order. A second call returns the
   * promise of the first.
   * @throws SvcError SVC_CLOSE_FAILED when close functions failed
   */
  close(): Promise<void>
  /** Plugins in the order of set-up. */
  readonly plugins: readonly SetUpPlugin[]
  /** Times of the set-ups so far. */
  readonly timings: readonly BootTiming[]
}
