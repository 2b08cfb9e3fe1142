import fastifyPlugin from 'fastify-plugin'
import type { Manifest } from '../contract/manifest.ts'
import type { Plugin } from '../contract/plugin.ts'

/**
 * Creates a plugin from its manifest and set-up function:
 * `export default definePlugin(manifest, async (scope, options) => { … })`.
 */
export function definePlugin<Options>(manifest: Manifest, setup: Plugin<Options>['setup']): Plugin<Options> {
  return Object.freeze({ manifest, setup })
}

/**
 * A plugin's set-up for the library avvio, which reads the plugin's name and dependencies from properties of the
 * function.
 */
export type BootFunction = () => Promise<void>

/**
 * Wraps a set-up function with the plugin's name and dependencies for avvio, as fastify-plugin does. A wrapper is
 * needed because fastify-plugin changes its argument.
 */
export function toBootFunction(manifest: Manifest, run: BootFunction): BootFunction {
  const wrapped = async () => run()
  const meta = { name: manifest.name, dependencies: [...(manifest.dependencies ?? [])] }
  return (fastifyPlugin as unknown as (fn: BootFunction, meta: object) => BootFunction)(wrapped, meta)
}
