import type { MaybePromise } from '../../core/doors/plugin.ts'

/** Result of a plugin's health check. The reply contains it unchanged, so it must not include hosts or credentials. */
export interface HealthFinding extends Readonly<Record<string, unknown>> {
  /** `false` makes the whole service unhealthy. */
  readonly ok: boolean
}

/** A key-value server that a plugin uses, for the health check. */
export interface WatchedStore {
  /** URL of the server; `undefined`: the plugin uses no server, so nothing is checked. */
  readonly url: string | undefined
  /**
   * `true` if requests fail without the server. Then its outage makes the service unhealthy; otherwise the outage is
   * only reported.
   */
  readonly isNeeded: boolean
}

/** API for plugins that depend on a service of their own. Call its functions during set-up. */
export interface HealthChecks {
  /**
   * Adds a member to the reply of `GET /health`.
   * @param check called for each request; an exception counts as `ok: false`
   */
  add(name: string, check: () => MaybePromise<HealthFinding>): void
  /** Adds a check that a key-value server of the plugin can be reached. */
  addStore(name: string, store: WatchedStore): void
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    health: HealthChecks
  }
}
