import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import type { ModuleGraph } from './module-graph.ts'

/** A file of the build with modules that are always loaded together. */
export interface Layer {
  /** Name of the file, without extension. */
  readonly name: string
  /** Modules relative to the sources. A module of a layer imports only modules of this layer and of those before it. */
  readonly modules: ReadonlySet<string>
}

/** Module that `svc run` loads to serve, and the plugins that nearly every service has. */
const SERVICE = 'core/cli/run/run.ts'
const USUAL_PLUGINS = ['plugins/graphql/index.ts', 'plugins/postgres/index.ts', 'plugins/health/index.ts']

/**
 * Finds the layers: what every command loads, and what every service loads beside it. The second has what the usual plugins import of
 * core, too, so that it is not spread over many small files. It has no module of a plugin that a service can leave out.
 */
export function findLayers(graph: ModuleGraph): readonly Layer[] {
  const start = graph.closureOf(['core/cli/main.ts'])
  const run = graph.closureOf([SERVICE])
  const packages = new Set([...run].flatMap(graph.packagesOf))
  const isShared = (module: string): boolean =>
    [...graph.closureOf([module])].every(
      (one) => one.startsWith('core/') && graph.packagesOf(one).every((name) => packages.has(name)),
    )
  const shared = [...graph.closureOf(USUAL_PLUGINS)].filter(isShared)
  const service = new Set([...run, ...shared].filter((module) => !start.has(module)))
  return [
    { name: 'layer-start', modules: start },
    { name: 'layer-service', modules: service },
  ]
}

/** Returns the name of the file that holds, or re-exports, a module that is loaded by `import()` from a layer. */
export function entryNameOf(module: string): string {
  return module.replace(/\.ts$/, '').replaceAll('/', '-')
}

/** Exports of the modules of a layer: the exported name of the layer by module and name. */
export type LayerExports = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Gives each export of each module of a layer a name that no other has. */
export function nameExports({ modules }: Layer, graph: ModuleGraph): LayerExports {
  const taken = new Set<string>()
  const pick = (name: string): string => {
    let free = name
    for (let n = 2; taken.has(free); n++) free = `${name}${n}`
    taken.add(free)
    return free
  }
  return new Map(
    [...modules]
      .sort()
      .map((module) => [
        module,
        new Map(graph.exportsOf(module).map((name) => [name, pick(name === 'default' ? 'plugin' : name)])),
      ]),
  )
}

/** Text of the entry of a layer, which exports everything that its modules export. */
export function entryOf(exports: LayerExports): string {
  return [...exports]
    .filter(([, names]) => names.size > 0)
    .map(([module, names]) => {
      const list = [...names].map(([name, unique]) => (name === unique ? name : `${name} as ${unique}`))
      return `export { ${list.join(', ')} } from './${module}'\n`
    })
    .join('')
}

export interface LayerImports {
  /** Absolute folder of the sources. */
  readonly root: string
  /** Layers that are files already. */
  readonly built: ReadonlyMap<string, LayerExports>
  /** Receives modules that this build loads by `import()`; `null`: the build splits them itself. */
  readonly entries: Set<string> | null
}

/** Takes modules of layers from the files of the layers. */
export function layerImports({ root, built, entries }: LayerImports): Plugin {
  const homes = new Map([...built].flatMap(([layer, exports]) => [...exports.keys()].map((module) => [module, layer])))
  return {
    name: 'layer-imports',
    setup(build) {
      build.onResolve(
        { filter: /^\.{1,2}\/.*\.ts$|^(core|plugins|presets)\/.*\.ts$/ },
        ({ path, importer, kind, resolveDir }) => {
          const from = importer === '' ? root : path.startsWith('.') ? resolveDir || dirname(importer) : root
          const module = relative(root, join(from, path))
          if (kind === 'dynamic-import' && entries !== null) {
            entries.add(module)
            return { path: `./${entryNameOf(module)}.js`, external: true }
          }
          return homes.has(module) ? { path: module, namespace: 'layer', sideEffects: false } : null
        },
      )
      build.onResolve({ filter: /^\.\/layer-\w+\.js$/, namespace: 'layer' }, ({ path }) => ({ path, external: true }))
      build.onLoad({ filter: /.*/, namespace: 'layer' }, ({ path }) => {
        const layer = homes.get(path)!
        const names = [...built.get(layer)!.get(path)!]
        return {
          contents: `export { ${names.map(([name, unique]) => `${unique} as ${name}`).join(', ')} } from './${layer}.js'\n`,
        }
      })
    },
  }
}
