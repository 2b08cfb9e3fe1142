import type { Manifest } from './manifest.ts'
import type { Scope } from './scope.ts'
import type { MaybePromise } from './stages.ts'

/** A plugin: its manifest and its set-up. */
export interface Plugin<Options = unknown> {
  readonly manifest: Manifest
  /** Runs once at boot. `options` are the validated, default-filled options of the plugin's section. */
  readonly setup: (scope: Scope, options: Options) => MaybePromise<void>
}

/** Identity with types: `export default definePlugin(manifest, async (scope, options) => { … })`. */
export function definePlugin<Options>(manifest: Manifest, setup: Plugin<Options>['setup']): Plugin<Options> {
  return Object.freeze({ manifest, setup })
}
