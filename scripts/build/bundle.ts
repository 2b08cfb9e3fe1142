import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { graphqlModules } from './graphql-modules.ts'
import { entryNameOf, entryOf, findLayers, type LayerExports, layerImports, nameExports } from './layers.ts'
import { readModuleGraph } from './module-graph.ts'
import { ownLocation } from './own-location.ts'

/** Folder of the chunks in the build. `load-module.ts` skips stack frames of svc by this folder. */
const CHUNKS = 'core'

/** Modules that package.json exports, and the command line. They share all chunks, so that each module of svc exists once in a process. */
const ENTRIES: Readonly<Record<string, string>> = {
  'svc-cli': 'core/cli/main',
  svc: 'core/doors/plugin',
  'svc-front': 'core/doors/front',
  'svc-driver': 'core/doors/driver',
  'svc-command': 'core/doors/command',
  'svc-authoring': 'core/authoring/index',
  'svc-graphql': 'plugins/graphql/index',
  'svc-testing': 'core/testing/testing',
  'svc-codegen': 'core/doors/codegen',
}

/** Modules that run in a thread or process of their own, which starts faster with one file. */
const SEPARATE = ['core/base/util/module-hooks', 'plugins/sqlite/child/main']

/**
 * Bundles the sources into chunks: what all presets need, and the modules of each plugin, which are read only where the plugin is
 * registered. A start then reads about 60 files instead of 600. Packages stay external.
 *
 * @param root absolute folder of the sources
 * @param dist absolute folder of the build
 */
export async function bundle(root: string, dist: string): Promise<void> {
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    legalComments: 'none',
    logLevel: 'warning',
  } as const
  const packages = Object.keys(await readDependencies(root)).filter((name) => name !== 'graphql')
  const chunks = {
    ...common,
    external: packages.flatMap((name) => [name, `${name}/*`]),
  }
  const graph = await readModuleGraph(
    root,
    Object.values(ENTRIES).map((path) => `${path}.ts`),
  )
  const built = new Map<string, LayerExports>()
  const entries = new Set<string>()
  for (const layer of findLayers(graph)) {
    const exports = nameExports(layer, graph)
    await build({
      ...chunks,
      stdin: { contents: entryOf(exports), resolveDir: root, sourcefile: `${layer.name}.ts`, loader: 'ts' },
      outfile: join(dist, CHUNKS, `${layer.name}.js`),
      plugins: [layerImports({ root, built, entries }), graphqlModules(), ownLocation(root, CHUNKS)],
    })
    built.set(layer.name, exports)
  }
  await build({
    ...chunks,
    outdir: join(dist, CHUNKS),
    entryPoints: [
      ...Object.entries(ENTRIES).map(([out, path]) => ({ in: `${path}.ts`, out })),
      ...[...entries].map((module) => ({ in: module, out: entryNameOf(module) })),
    ],
    splitting: true,
    chunkNames: '[name]-[hash]',
    plugins: [layerImports({ root, built, entries: null }), graphqlModules(), ownLocation(root, CHUNKS)],
  })
  for (const [name, path] of Object.entries(ENTRIES)) await writeEntry(root, dist, name, path)
  for (const path of SEPARATE)
    await build({ ...common, entryPoints: [`${path}.ts`], outfile: join(dist, `${path}.js`), packages: 'external' })
}

/** Writes the module at the place of its declarations, with the exports of its chunk. */
async function writeEntry(root: string, dist: string, name: string, path: string): Promise<void> {
  const file = join(dist, `${path}.js`)
  const from = JSON.stringify(relative(dirname(path), `${CHUNKS}/${name}.js`).replace(/^(?!\.)/, './'))
  const hasDefault = /^export default |\bas default\b/m.test(await readFile(join(root, `${path}.ts`), 'utf8'))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `export * from ${from}\n${hasDefault ? `export { default } from ${from}\n` : ''}`)
}

async function readDependencies(root: string): Promise<Readonly<Record<string, string>>> {
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
    readonly peerDependencies: Readonly<Record<string, string>>
  }
  return { ...dependencies, ...peerDependencies }
}
