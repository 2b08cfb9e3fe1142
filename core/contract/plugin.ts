import type { MaybePromise } from '../base/util/promise.ts'
import type { Manifest } from './manifest.ts'
import type { Scope } from './scope.ts'

/** A plugin of svc: its manifest and its set-up function. Create it with `definePlugin`. */
export interface Plugin<Options = unknown> {
  readonly manifest: Manifest
  /**
   * Registers hooks, routes and so on with the scope. Called once at boot.
   * @param options the plugin's section of svc.toml, validated and with defaults
   */
  readonly setup: (scope: Scope, options: Options) => MaybePromise<void>
}
