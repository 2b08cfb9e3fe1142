import type { OwnedCredential } from '../contract/credential.ts'
import type { Database } from '../contract/database.ts'
import type { Generation } from '../schema/generation.ts'
import type { Peers } from './peers.ts'

/** What plugins may know about the process. */
export interface ProcessView {
  readonly generation: Generation
  /** `true` from the first SIGTERM on: readiness answers 503. */
  readonly draining: boolean
  readonly startedAt: Date
  /** Absolute folder of svc.toml, which relative paths in the configuration start from. */
  readonly baseDir: string
  /**
   * The opened databases by name: that of `[database]` as `default`, and those of `[databases]`.
   * @throws SVC_SCOPE_PHASE where they are not open
   */
  databases(): ReadonlyMap<string, Database>
  /** How callers say who they are, as all plugins of the list tell. Complete when boot is over: read it in `onReady`, hooks and routes. */
  readonly credentials: readonly OwnedCredential[]
  /** The svc package's version. */
  readonly version: string
  /** The processes that serve, of which this is one. */
  readonly workers: WorkersView
  /** What plugins ask and tell all of them. */
  readonly peers: Peers
  /**
   * Loads the compiled schema again, in every process that serves. One that cannot be used is thrown, and the old one
   * serves on.
   * @throws SvcError SVC_RELOAD_BUSY, SVC_SCHEMA_*, what a plugin's `perGeneration` threw
   */
  reload(request?: ReloadRequest): Promise<ReloadOutcome>
  /**
   * The current generation, kept until it is released: what plugins derived for it is not disposed of meanwhile.
   * Requests and `scope.engine.run` do this by themselves; who works on between them does it here.
   */
  hold(): HeldGeneration
  /**
   * The configuration as an operator may see it: secrets as `[REDACTED]`, URLs without user and password, as `svc config`
   * prints it. `scope.config` has them in clear.
   */
  describeConfig(): Readonly<Record<string, unknown>>
}

export interface ReloadRequest {
  /** Another compiled schema, relative to the folder of svc.toml. The next reload loads the configured one again. */
  readonly path?: string
  /** Builds the generation, and lets it go again. */
  readonly validateOnly?: boolean
}

export interface ReloadOutcome {
  /** `unchanged`: the hash is that of the schema in use. */
  readonly result: 'swapped' | 'unchanged' | 'valid'
  /** Of the schema that was loaded. */
  readonly hash: string
}

export interface HeldGeneration {
  readonly generation: Generation
  /** A second call does nothing. */
  release(): void
}

/** `server.workers`, as it stands. */
export interface WorkersView {
  readonly configured: number
  /** Those that listen now; fewer while one is started again. */
  readonly listening: number
}
