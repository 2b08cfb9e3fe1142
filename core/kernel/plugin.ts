import fastifyPlugin from 'fastify-plugin'
import type { Manifest } from '../contract/manifest.ts'
import type { Plugin } from '../contract/plugin.ts'

/** Creates a plugin, for the default export of its file: `definePlugin(manifest, async (scope, options) => { … })`. */
export function definePlugin<Options>(manifest: Manifest, setup: Plugin<Options>['setup']): Plugin<Options> {
  return Object.freeze({ manifest, setup })
}

/** Set-up function for the library avvio, which reads the plugin's name and dependencies from its properties. */
export type BootFunction = () => Promise<void>

/**
 * Wraps a set-up function and attaches the plugin's name and dependencies to it, for the library avvio. Without the
 * wrapper, fastify-plugin would change the function that the plugin passed.
 */
export function toBootFunction(manifest: Manifest, run: BootFunction): BootFunction {
  const wrapped = async () => run()
  const meta = { name: manifest.name, dependencies: [...(manifest.dependencies ?? [])] }
  return (fastifyPlugin as unknown as (fn: BootFunction, meta: object) => BootFunction)(wrapped, meta)
}
