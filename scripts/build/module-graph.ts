import { build } from 'esbuild'

/** Modules of svc and what they import, as the bundler sees it: imports of types are not in it. */
export interface ModuleGraph {
  /** Returns the modules with all modules that they import by statements, directly or not. */
  closureOf(modules: readonly string[]): ReadonlySet<string>
  /** Returns the packages and builtins that a module imports by statements. */
  packagesOf(module: string): readonly string[]
  /** Returns the names that a module exports at run time. `default` is one of them. */
  exportsOf(module: string): readonly string[]
}

/**
 * Reads the imports and exports of all modules that the entries reach.
 *
 * @param root absolute folder of the sources
 * @param entries modules relative to it: `core/cli/main.ts`
 */
export async function readModuleGraph(root: string, entries: readonly string[]): Promise<ModuleGraph> {
  const read = async (entryPoints: readonly string[]) => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [...entryPoints],
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      outdir: 'out',
      write: false,
      metafile: true,
      logLevel: 'error',
    })
    return metafile
  }
  const { inputs } = await read(entries)
  // Only an entry is listed with its exports.
  const { outputs } = await read(Object.keys(inputs))
  const names = new Map(
    Object.values(outputs).flatMap((one) => (one.entryPoint ? [[one.entryPoint, one.exports]] : [])),
  )
  const statements = (module: string) => inputs[module]!.imports.filter(({ kind }) => kind === 'import-statement')
  return {
    closureOf(modules) {
      const found = new Set<string>()
      const add = (module: string): void => {
        if (found.has(module)) return
        found.add(module)
        for (const { path, external } of statements(module)) if (external !== true) add(path)
      }
      modules.forEach(add)
      return found
    },
    packagesOf: (module) => statements(module).flatMap(({ path, external }) => (external === true ? [path] : [])),
    exportsOf: (module) => names.get(module) ?? [],
  }
}
