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

/** The compiled chains of the kernel's stages; `null` = nobody hooked it, skip it. */
export type KernelHooks = { readonly [S in CoreStage]: Runner<S> | null }

/** The running service without its fronts: chains, routes, drivers, the current generation. */
export interface Kernel {
  /** Names of the plugins that run. */
  readonly names: ReadonlySet<string>
  /** The current one; a request takes it once, at entry. */
  readonly generation: Generation
  readonly hooks: KernelHooks
  /** The chains of `mutation:before` and `mutation:after` for one mutation; `null` = nobody hooked either. */
  readonly momentsOf: MomentsOf | null
  /** Those that no schema decides about. */
  readonly routes: readonly OwnedRoute[]
  /** Who uses which generation; `null` where nothing is disposed of, and nobody has to say. */
  readonly leases: GenerationLeases | null
  /** The one way on which errors leave, with the hooks of `error:public`. */
  readonly toPublicError: ToPublicError
  /** Who takes upgrades, by path. */
  readonly upgrades: readonly OwnedUpgrade[]
  /** How callers say who they are. */
  readonly credentials: readonly OwnedCredential[]
  /** What plugins look on with. */
  readonly observers: readonly OwnedObserver[]
  /** What plugins write behind statements. */
  readonly comments: readonly OwnedComment[]
  readonly drivers: readonly DatabaseDriver[]
  /** What plugins want of writes. */
  readonly contributions: readonly OwnedContribution[]
  readonly process: ProcessView
  /** Waits for `afterCommit` hooks that are still running. @returns how many the deadline left */
  settled(timeoutMs: number): Promise<number>
  /** What a plugin has provided under this key; `undefined` = none has. */
  provided<K extends keyof Provided & string>(key: K): Provided[K] | undefined
  /** Hands plugins what is composed around the kernel; until then `scope.engine` and `scope.pipeline` throw SVC_SCOPE_PHASE. */
  connect(service: ConnectedService): void
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
