import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join, resolve } from 'node:path'
import { SvcError } from '../base/errors/svc-error.ts'

const ENTRY_NAMES = ['index.ts', 'index.js', 'index.mjs']

/**
 * Resolves an npm package that svc.toml names as a plugin, as an import in the folder of svc.toml would.
 * @param baseDir absolute folder of svc.toml
 * @returns absolute path of the package's entry file
 * @throws SvcError SVC_PLUGIN_UNKNOWN with the command that installs it
 */
export function resolvePackage(name: string, baseDir: string): string {
  const require = createRequire(join(baseDir, 'svc.toml'))
  try {
    return require.resolve(name)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    // `require.resolve` does not find a package whose exports have the condition `import` only.
    const entry = code === 'ERR_PACKAGE_PATH_NOT_EXPORTED' ? findImportEntry(name, require) : undefined
    if (entry !== undefined) return entry
    const reason =
      code === 'MODULE_NOT_FOUND'
        ? `It is not installed in ${baseDir}. Install it there with: npm install ${name}`
        : `It has no entry that can be imported: ${(cause as Error).message}`
    throw new SvcError('SVC_PLUGIN_UNKNOWN', `The package "${name}" of [plugins] cannot be used. ${reason}`, { cause })
  }
}

/**
 * Resolves the `path` of a plugin in svc.toml: a file, or a folder with an index file or a package.json.
 * @param baseDir absolute folder of svc.toml
 * @returns absolute path of the plugin's entry file
 * @throws SvcError SVC_PLUGIN_UNKNOWN when there is no such file
 */
export function resolvePluginPath(path: string, baseDir: string): string {
  const file = resolve(baseDir, path)
  if (!existsSync(file)) {
    throw new SvcError('SVC_PLUGIN_UNKNOWN', `The plugin "${path}" of [plugins] does not exist: there is no ${file}.`)
  }
  if (!statSync(file).isDirectory()) return file
  const entry = existsSync(join(file, 'package.json')) ? entryOfPackage(file) : undefined
  const found = entry ?? ENTRY_NAMES.map((name) => join(file, name)).find((candidate) => existsSync(candidate))
  if (found !== undefined) return found
  const message = `The plugin "${path}" of [plugins] is a folder without an entry: it has none of ${ENTRY_NAMES.join(', ')}.`
  throw new SvcError('SVC_PLUGIN_UNKNOWN', message)
}

/**
 * Resolves a further file of a plugin that its manifest names. `./compile` is the file `compile.ts` beside the plugin's
 * entry file in a source checkout, and `compile.js` in a build.
 * @param entry absolute path of the plugin's entry file
 * @param plugin name of the plugin, for the error
 * @returns absolute path
 * @throws SvcError SVC_PLUGIN_INVALID when there is no such file
 */
export function resolveBeside(entry: string, module: string, plugin: string): string {
  const stem = resolve(dirname(entry), module)
  const candidates = [...new Set([extname(entry), '.ts', '.js', '.mjs'])].map((extension) => `${stem}${extension}`)
  const found = [stem, ...candidates].find((path) => existsSync(path) && statSync(path).isFile())
  if (found !== undefined) return found
  const message = `The manifest of ${plugin} names "${module}", and there is none of ${candidates.join(', ')}.`
  throw new SvcError('SVC_PLUGIN_INVALID', message)
}

function findImportEntry(name: string, require: NodeJS.Require): string | undefined {
  for (const folder of require.resolve.paths(name) ?? []) {
    const root = join(folder, ...name.split('/'))
    if (existsSync(join(root, 'package.json'))) return entryOfPackage(root)
  }
  return undefined
}

function entryOfPackage(root: string): string | undefined {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const target = pickTarget(manifest.exports?.['.'] ?? manifest.exports) ?? manifest.main
  return typeof target === 'string' ? resolve(dirname(join(root, 'package.json')), target) : undefined
}

/** Returns the first target of an `exports` entry whose condition applies to `import`. */
function pickTarget(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (typeof target !== 'object' || target === null) return undefined
  for (const [condition, inner] of Object.entries(target)) {
    if (!['import', 'node', 'default', 'module-sync'].includes(condition)) continue
    const found = pickTarget(inner)
    if (found !== undefined) return found
  }
  return undefined
}
