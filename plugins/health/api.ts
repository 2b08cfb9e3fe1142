import type { MaybePromise } from '../../core/doors/plugin.ts'

/** The result of a plugin's check. It is sent unchanged, so it must not contain hosts or credentials. */
export interface HealthFinding extends Readonly<Record<string, unknown>> {
  /** `false` makes the whole service unhealthy. */
  readonly ok: boolean
}

/** A key-value server that a plugin uses. */
export interface WatchedStore {
  /** `undefined` when the plugin uses no such server; then nothing is checked. */
  readonly url: string | undefined
  /** Do requests fail without it? Then its outage makes the service unhealthy. Otherwise the outage is only reported. */
  readonly isNeeded: boolean
}

/** For plugins that depend on a service of their own. Call its functions during set-up. */
export interface HealthChecks {
  /**
   * Adds a member to the reply of `GET /health`.
   * @param check called for each request; a throw counts as `ok: false`
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
