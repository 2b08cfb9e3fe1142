import fastifyPlugin from 'fastify-plugin'
import { KERNEL_API, type Manifest } from './manifest.ts'
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

/** What avvio is given for one plugin: a function that carries its name and dependencies. */
export type BootFunction = () => Promise<void>

/**
 * Marks a fresh function with the plugin's metadata, as fastify-plugin does. It mutates what it is given and its types
 * are fastify's own: hence the wrapper and the cast.
 */
export function toBootFunction(manifest: Manifest, run: BootFunction): BootFunction {
  const wrapped = async () => run()
  const meta = { name: manifest.name, dependencies: [...(manifest.dependencies ?? [])] }
  return (fastifyPlugin as unknown as (fn: BootFunction, meta: object) => BootFunction)(wrapped, meta)
}

const META = Symbol.for('plugin-meta')

/** A function that went through fastify-plugin; with three parameters it reports by callback. */
type MarkedFunction = ((scope: Scope, options: unknown, done?: (error?: unknown) => void) => unknown) & {
  readonly [META]?: { readonly name?: string; readonly dependencies?: readonly string[] }
}

/**
 * Turns the function that fastify-plugin wrapped into a plugin: its `name` and `dependencies` are honoured.
 * @returns `null` when the value is none
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
