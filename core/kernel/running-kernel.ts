import type { OwnedCredential } from '../contract/credential.ts'
import type { DatabaseDriver } from '../contract/database.ts'
import type { ToPublicError } from '../contract/public-error.ts'
import type { OwnedContribution } from '../contract/write-contribution.ts'
import type { Generation } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { KernelDescription } from './describe.ts'
import type { ConnectedService } from './entrance.ts'
import type { GenerationLeases } from './generation-leases.ts'
import type { OwnedObserver } from './observer.ts'
import type { Reload } from './reload.ts'
import type { OwnedRoute } from './route-table.ts'
import type { ProcessView, Provided } from './scope.ts'
import type { CoreStage, Runner } from './stages.ts'
import type { OwnedComment } from './statement-comment.ts'
import type { OwnedUpgrade } from './upgrade-table.ts'
import type { MomentsOf } from './write-moments.ts'

/** Compiled hooks of the kernel's stages; `null`: the stage has no hooks. */
export type KernelHooks = { readonly [S in CoreStage]: Runner<S> | null }

/** The booted plugins with their hooks, routes and drivers, and the current generation. It does not listen. */
export interface Kernel {
  /** Names of the running plugins. */
  readonly names: ReadonlySet<string>
  /** Current generation. A request takes it once, at entry. */
  readonly generation: Generation
  readonly hooks: KernelHooks
  /** Returns the hooks of `mutation:before` and `mutation:after` for a mutation; `null`: no plugin hooks these stages. */
  readonly momentsOf: MomentsOf | null
  /** Routes that do not depend on the schema. */
  readonly routes: readonly OwnedRoute[]
  /** Users of generations; `null`: no plugin disposes of generations, so users need not be counted. */
  readonly leases: GenerationLeases | null
  /** Converts any thrown value to the error that clients see, through the hooks of `error:public`. */
  readonly toPublicError: ToPublicError
  /** Handlers of upgrade requests, by path. */
  readonly upgrades: readonly OwnedUpgrade[]
  /** Credentials of `scope.credentials`. */
  readonly credentials: readonly OwnedCredential[]
  /** Observers of `scope.observe`. */
  readonly observers: readonly OwnedObserver[]
  /** Comment functions of `scope.commentStatements`. */
  readonly comments: readonly OwnedComment[]
  readonly drivers: readonly DatabaseDriver[]
  /** Contributions of `scope.writes`. */
  readonly contributions: readonly OwnedContribution[]
  readonly process: ProcessView
  /** Waits for running `afterCommit` hooks. @returns number of hooks that still run after the timeout */
  settled(timeoutMs: number): Promise<number>
  /** Returns the value that a plugin provides under a key; `undefined`: none. */
  provided<K extends keyof Provided & string>(key: K): Provided[K] | undefined
  /** Hands plugins what is composed around the kernel; until then `scope.engine` and `scope.pipeline` throw SVC_SCOPE_PHASE. */
  connect(service: ConnectedService): void
  /** @throws SvcError SVC_SCHEMA_REQUIRES, or what a plugin's `perGeneration` threw */
  buildGeneration(schema: SchemaModel): Promise<Generation>
  /** Makes a generation the current one. New requests take it; running ones keep theirs. */
  swap(generation: Generation): void
  /** Loads a schema and swaps in its generation; see {@link Reload}. */
  readonly reload: Reload
  /** Runs the `onReady` functions, before the service listens. @throws SvcError SVC_BOOT_FAILED */
  ready(): Promise<void>
  /**
   * Begins the shutdown: readiness answers 503, and the `onDrain` functions run, each up to the timeout. Never rejects. A second call
   * returns the promise of the first.
   */
  drain(): Promise<void>
  /**
   * Waits for running `afterCommit` hooks up to the timeout, then closes all plugins in reverse order. A second call returns the promise
   * of the first.
   * @throws SvcError SVC_CLOSE_FAILED when close functions failed
   */
  close(): Promise<void>
  describe(): KernelDescription
}
