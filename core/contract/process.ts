import type { OwnedCredential } from './credential.ts'
import type { Database } from './database.ts'
import type { Generation } from './generation.ts'
import type { Peers } from './peers.ts'

/** The process, as plugins see it: `scope.process`. */
export interface ProcessView {
  /** The generation that serves new requests. @throws SvcError SVC_SCOPE_PHASE before the boot is complete */
  readonly generation: Generation
  /** `true` after the first SIGTERM. Readiness checks then get status 503. */
  readonly draining: boolean
  readonly startedAt: Date
  /** Absolute folder of svc.toml, which relative paths in the configuration start from. */
  readonly baseDir: string
  /**
   * Returns the open databases by name: that of `[database]` as `default`, and those of `[databases]`.
   * @throws SVC_SCOPE_PHASE where the databases are not open
   */
  databases(): ReadonlyMap<string, Database>
  /**
   * Credentials that the API accepts, as all plugins have declared them. Complete after boot: read the list in
   * `onReady`, hooks and routes.
   */
  readonly credentials: readonly OwnedCredential[]
  /** Version of the svc package. */
  readonly version: string
  /** Number of serving processes. */
  readonly workers: WorkersView
  /** Messages to and from the other processes. */
  readonly peers: Peers
  /**
   * Loads the compiled schema again, in every process. When it is invalid, the error is thrown and the old schema keeps serving.
   * @throws SvcError SVC_RELOAD_BUSY, SVC_SCHEMA_*; errors of `perGeneration` functions pass through
   */
  reload(request?: ReloadRequest): Promise<ReloadOutcome>
  /**
   * Holds the current generation until it is released: the values that plugins derived for it are not disposed of meanwhile. Requests and
   * `scope.engine.run` do this themselves; code that works between them must call it.
   */
  hold(): HeldGeneration
  /** Returns the configuration as `svc config` prints it, with redacted secrets. `scope.config` has them in clear. */
  describeConfig(): Readonly<Record<string, unknown>>
}

export interface ReloadRequest {
  /** Path of a compiled schema, relative to the folder of svc.toml. The next reload without a path loads the configured one again. */
  readonly path?: string
  /** Builds the new generation to validate it, and disposes of it without serving it. */
  readonly validateOnly?: boolean
}

export interface ReloadOutcome {
  /** Result of the reload. `unchanged`: the loaded schema has the hash of the current one. */
  readonly result: 'swapped' | 'unchanged' | 'valid'
  /** Content hash of the loaded schema. */
  readonly hash: string
}

export interface HeldGeneration {
  readonly generation: Generation
  /** Ends the hold. Further calls do nothing. */
  release(): void
}

/** Number of serving processes. */
export interface WorkersView {
  /** Configured number of worker processes (`server.workers`). */
  readonly configured: number
  /** Number of processes that listen now. It is below `configured` while a process restarts. */
  readonly listening: number
}
