import type { OwnedCredential } from './credential.ts'
import type { Database } from './database.ts'
import type { Generation } from './generation.ts'
import type { Peers } from './peers.ts'

/** State of the process and the service for plugins: `scope.process`. */
export interface ProcessView {
  /**
   * The generation (loaded schema) that serves new requests.
   * @throws SvcError SVC_SCOPE_PHASE before the boot is complete
   */
  readonly generation: Generation
  /** `true` after the first SIGTERM: the process shuts down, and readiness checks should fail. */
  readonly draining: boolean
  readonly startedAt: Date
  /** Absolute folder of svc.toml. Relative paths in the configuration start from it. */
  readonly baseDir: string
  /**
   * Returns the open databases by name. `default` is that of `[database]`; the others are those of
   * `[databases.<name>]`.
   * @throws SVC_SCOPE_PHASE while the databases are not open
   */
  databases(): ReadonlyMap<string, Database>
  /**
   * Headers and cookies with credentials that the plugins have declared (`scope.credentials`). The list is complete
   * after boot: read it in `onReady`, hooks and routes.
   */
  readonly credentials: readonly OwnedCredential[]
  /** Version of the svc package. */
  readonly version: string
  /** Number of worker processes of the service, configured and listening. */
  readonly workers: WorkersView
  /** Sends messages to the other worker processes of the service, and receives theirs. */
  readonly peers: Peers
  /**
   * Loads the compiled schema again, in every worker process. If it is invalid, the error is thrown, and the old schema
   * keeps serving.
   * @throws SvcError SVC_RELOAD_BUSY (another reload is running), SVC_SCHEMA_*; errors of `perGeneration` functions
   *   pass through
   */
  reload(request?: ReloadRequest): Promise<ReloadOutcome>
  /**
   * Keeps the current generation in use until it is released, so that the values that plugins derived from its schema
   * are not disposed of. Requests and `scope.engine.run` do this themselves. Call it in code that runs outside of them,
   * such as a timer.
   */
  hold(): HeldGeneration
  /** Returns the configuration as `svc config` prints it, nested like svc.toml, with secrets redacted. */
  describeConfig(): Readonly<Record<string, unknown>>
}

export interface ReloadRequest {
  /**
   * Path of the compiled schema to load, relative to the folder of svc.toml. Default: the configured one, also after a
   * reload with another path.
   */
  readonly path?: string
  /** `true`: loads the schema and derives the values of all plugins to validate it, but does not serve it. */
  readonly validateOnly?: boolean
}

export interface ReloadOutcome {
  /**
   * `swapped`: the loaded schema serves new requests. `unchanged`: it has the hash of the current schema, which stays.
   * `valid`: it was only validated (`validateOnly`).
   */
  readonly result: 'swapped' | 'unchanged' | 'valid'
  /** Hash of the content of the loaded schema. */
  readonly hash: string
}

export interface HeldGeneration {
  readonly generation: Generation
  /** Releases the generation, which may then be disposed of. Further calls do nothing. */
  release(): void
}

/** How many worker processes the service should have, and how many listen. */
export interface WorkersView {
  /** Configured number of worker processes (`server.workers`). */
  readonly configured: number
  /** Number of worker processes that listen for requests now. It is below `configured` while a process restarts. */
  readonly listening: number
}
