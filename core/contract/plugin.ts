import type { MaybePromise } from '../base/util/promise.ts'
import type { Manifest } from './manifest.ts'
import type { Scope } from './scope.ts'

/** A plugin: its manifest and its set-up function. */
export interface Plugin<Options = unknown> {
  readonly manifest: Manifest
  /** Runs once at boot. `options` are those of the plugin's section, validated and with defaults. */
  readonly setup: (scope: Scope, options: Options) => MaybePromise<void>
}
