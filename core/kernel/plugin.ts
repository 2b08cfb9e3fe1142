import fastifyPlugin from 'fastify-plugin'
import type { Manifest } from '../contract/manifest.ts'
import type { Plugin } from '../contract/plugin.ts'

/** Creates a plugin: `export default definePlugin(manifest, async (scope, options) => { … })`. */
export function definePlugin<Options>(manifest: Manifest, setup: Plugin<Options>['setup']): Plugin<Options> {
  return Object.freeze({ manifest, setup })
}

/** Set-up function for avvio, which carries the plugin's name and dependencies as metadata. */
export type BootFunction = () => Promise<void>

/**
 * Wraps a function and attaches the plugin's metadata with fastify-plugin. The wrapper is needed because fastify-plugin mutates its
 * argument, and the cast because its types are those of Fastify.
 */
export function toBootFunction(manifest: Manifest, run: BootFunction): BootFunction {
  const wrapped = async () => run()
  const meta = { name: manifest.name, dependencies: [...(manifest.dependencies ?? [])] }
  return (fastifyPlugin as unknown as (fn: BootFunction, meta: object) => BootFunction)(wrapped, meta)
}
