import fastifyPlugin from 'fastify-plugin'
import { KERNEL_API, type Manifest } from './manifest.ts'
import type { Scope } from './scope.ts'
import type { MaybePromise } from './stages.ts'

/** A plugin: its manifest and its set-up function. */
export interface Plugin<Options = unknown> {
  readonly manifest: Manifest
  /** Runs once at boot. `options` are those of the plugin's section, validated and with defaults. */
  readonly setup: (scope: Scope, options: Options) => MaybePromise<void>
}

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

const META = Symbol.for('plugin-meta')

/** A function wrapped by fastify-plugin. With three parameters it takes a callback instead of returning a promise. */
type MarkedFunction = ((scope: Scope, options: unknown, done?: (error?: unknown) => void) => unknown) & {
  readonly [META]?: { readonly name?: string; readonly dependencies?: readonly string[] }
}

/**
 * Converts a function wrapped by fastify-plugin into a plugin with the same `name` and `dependencies`.
 * @returns `null` when the value is no such function, or has no name
 */
export function fromMarkedFunction(value: unknown): Plugin<never> | null {
  if (typeof value !== 'function') return null
  const marked = value as MarkedFunction
  const meta = marked[META]
  if (meta === undefined || typeof meta.name !== 'string') return null
  const manifest: Manifest = {
    name: meta.name,
    version: '0.0.0',
    kernelApi: KERNEL_API,
    description: 'A function wrapped by fastify-plugin.',
    dependencies: meta.dependencies ?? [],
  }
  return definePlugin<never>(manifest, (scope, options) => runMarked(marked, scope, options))
}

async function runMarked(marked: MarkedFunction, scope: Scope, options: unknown): Promise<void> {
  if (marked.length < 3) {
    await marked(scope, options)
    return
  }
  await new Promise<void>((resolve, reject) => {
    marked(scope, options, (error) => (error === undefined || error === null ? resolve() : reject(error)))
  })
}
