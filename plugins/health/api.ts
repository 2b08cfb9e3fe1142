import type { MaybePromise } from '../../core/doors/plugin.ts'

/** What a plugin found. Goes out as it stands: no host, no credential. */
export interface HealthFinding extends Readonly<Record<string, unknown>> {
  /** `false`: the service is unhealthy as a whole. */
  readonly ok: boolean
}

/** A key-value server of a plugin's. */
export interface WatchedStore {
  /** Absent: the plugin keeps nothing elsewhere, and has no part. */
  readonly url: string | undefined
  /** Requests fail while it is away: the service is unhealthy then. Else they go on, and it is only told. */
  readonly isNeeded: boolean
}

/** For plugins that depend on something of their own. */
export interface HealthChecks {
  /**
   * Adds a member to the answer of `GET /health`. Call it during set-up.
   * @param check asked each time; a throw counts as `ok: false`
   */
  add(name: string, check: () => MaybePromise<HealthFinding>): void
  /** Adds a key-value server that the plugin keeps something in: is it there? Call it during set-up. */
  addStore(name: string, store: WatchedStore): void
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    health: HealthChecks
  }
}
