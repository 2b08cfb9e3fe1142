import type { MaybePromise } from '../../core/index.ts'

/** What a plugin found. Goes out as it stands: no host, no credential. */
export interface HealthFinding extends Readonly<Record<string, unknown>> {
  /** `false`: the service is unhealthy as a whole. */
  readonly ok: boolean
}

/** For plugins that depend on something of their own. */
export interface HealthChecks {
  /**
   * Adds a member to the answer of `GET /health`. Call it during set-up.
   * @param check asked each time; a throw counts as `ok: false`
   */
  add(name: string, check: () => MaybePromise<HealthFinding>): void
}

declare module '../../core/index.ts' {
  interface Provided {
    health: HealthChecks
  }
}
