import { SvcError } from '../base/errors/svc-error.ts'
import { KERNEL_API, type Manifest } from '../contract/manifest.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { Scope } from '../contract/scope.ts'
import { definePlugin } from '../kernel/plugin.ts'

/** A name in kebab-case, optionally with a package scope. */
const NAME = /^(@[a-z0-9][a-z0-9.-]*\/)?[a-z][a-z0-9]*(-[a-z0-9]+)*(-auto-\d+)?$/i

/**
 * Checks that the default export of a module is a plugin: the result of `definePlugin`, or a function wrapped by
 * fastify-plugin, which is converted.
 * @param source origin of the value, for messages: `use ./audit.ts`
 * @throws SvcError SVC_PLUGIN_INVALID, whose message describes the value
 */
export function toPlugin(value: unknown, source: string): Plugin<never> {
  const plugin = fromMarkedFunction(value) ?? (isPlugin(value) ? value : null)
  if (plugin === null) throw invalid(`${source} is no plugin: ${lookOf(value)}`)
  checkManifest(plugin, source)
  return plugin
}

const invalid = (message: string) => new SvcError('SVC_PLUGIN_INVALID', message)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function isPlugin(value: unknown): value is Plugin<never> {
  return isObject(value) && isObject(value.manifest) && typeof value.setup === 'function'
}

/** Describes a value that is not a plugin, and the remedy. */
function lookOf(value: unknown): string {
  const remedy = 'Export `definePlugin(manifest, setup)` as the default.'
  if (value === undefined) return `the module has no default export. ${remedy}`
  if (typeof value === 'function') {
    return `it is a plain function. Wrap it: \`definePlugin(manifest, fn)\`, or fastify-plugin with a name.`
  }
  if (!isObject(value)) return `it is a ${value === null ? 'null' : typeof value}. ${remedy}`
  if (isPlugin(value.default) || typeof value.default === 'function') {
    return 'it looks like a module namespace. Hand over its `default`.'
  }
  if (isObject(value.manifest)) return `it has a manifest but no \`setup\` function. ${remedy}`
  if ('kernelApi' in value) return `it looks like a manifest without its implementation. ${remedy}`
  if (Array.isArray(value.plugins)) return 'it looks like a preset. Name it under [plugins] as `preset`.'
  if (typeof value.then === 'function') return 'it is a promise. Await it first.'
  return `it is an object without \`manifest\` and \`setup\`. ${remedy}`
}

function checkManifest({ manifest }: Plugin<never>, source: string): void {
  const { name, version, kernelApi, description } = manifest as { [K in keyof typeof manifest]: unknown }
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw invalid(`${source}: the name of a plugin is kebab-case text, not ${JSON.stringify(name)}.`)
  }
  if (typeof version !== 'string') throw invalid(`${source}: the manifest of "${name}" lacks \`version\` (text).`)
  if (typeof kernelApi !== 'number') throw invalid(`${source}: the manifest of "${name}" lacks \`kernelApi\` (number).`)
  if (typeof description !== 'string') {
    throw invalid(`${source}: the manifest of "${name}" lacks \`description\` (one sentence).`)
  }
  for (const key of ['dependencies', 'after', 'before', 'provides'] as const) {
    const list: unknown = manifest[key]
    if (list !== undefined && !(Array.isArray(list) && list.every((item) => typeof item === 'string'))) {
      throw invalid(`${source}: \`${key}\` in the manifest of "${name}" must be a list of names.`)
    }
  }
}

const META = Symbol.for('plugin-meta')

/** A function wrapped by fastify-plugin. With three parameters it takes a callback instead of returning a promise. */
type MarkedFunction = ((scope: Scope, options: unknown, done?: (error?: unknown) => void) => unknown) & {
  readonly [META]?: { readonly name?: string; readonly dependencies?: readonly string[] }
}

/**
 * Converts a function wrapped by fastify-plugin to a plugin with the same `name` and `dependencies`.
 * @returns `null` when the value is no such function, or has no name
 */
function fromMarkedFunction(value: unknown): Plugin<never> | null {
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
