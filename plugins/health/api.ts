import type { MaybePromise } from '../../core/doors/plugin.ts'

/**
 * Result of a plugin's health check. The reply of `GET /health` contains it unchanged, so it must not name hosts or
 * credentials.
 */
export interface HealthFinding extends Readonly<Record<string, unknown>> {
  /** `false` makes the whole service unhealthy, so that `GET /health` replies with status 503. */
  readonly ok: boolean
}

/** A key-value server, such as Redis, that a plugin uses. The health check reports whether it answers. */
export interface WatchedStore {
  /** URL of the server; `undefined`: the plugin is configured without one, so nothing is checked. */
  readonly url: string | undefined
  /**
   * `true` if requests fail without the server, so that an outage makes the service unhealthy. `false`: an outage is
   * only reported.
   */
  readonly isNeeded: boolean
}

/** API of the health plugin for plugins that depend on an external service. Call its functions during set-up. */
export interface HealthChecks {
  /**
   * Adds a check to the replies of `GET /health` and `GET /health/detailed`.
   * @param name member of the reply
   * @param check called for each health request; an exception counts as `ok: false`
   */
  add(name: string, check: () => MaybePromise<HealthFinding>): void
  /** Adds a check that reports whether a key-value server of the plugin answers. @param name member of the reply */
  addStore(name: string, store: WatchedStore): void
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    health: HealthChecks
  }
}
