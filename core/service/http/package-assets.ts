import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SvcError } from '../../base/errors/svc-error.ts'

/** A file that a plugin's page loads, such as a script, from an npm package. `type` is its media type. */
export interface PackageAsset {
  /** Name of the npm package. It has to be installed only in a source checkout, because the build copies the file. */
  readonly package: string
  /** Path of the file in the package. */
  readonly path: string
  readonly type: string
}

/** The files that a plugin's pages load, by the name under which the plugin serves them. */
export type PackageAssets = Readonly<Record<string, PackageAsset>>

/**
 * Returns the absolute path of a file in its installed npm package. It locates the package by its `package.json`,
 * because `exports` of packages do not list such files.
 * @throws Error of the module loader if the package is not installed
 */
export function locateInPackage(asset: PackageAsset): string {
  const manifest = createRequire(import.meta.url).resolve(`${asset.package}/package.json`)
  return join(dirname(manifest), asset.path)
}

/**
 * Creates a function that reads the files of a plugin's pages by name. It uses the copy that the build made in
 * `assets/` beside the plugin, otherwise the npm package, so that pages load nothing from other hosts. Each file is
 * read once.
 * @param plugin `import.meta.url` of a file in the plugin's folder
 * @returns a function that throws SvcError INTERNAL_SERVER_ERROR if the file is missing
 */
export function packageAssetReader(assets: PackageAssets, plugin: string): (name: string) => Promise<Buffer> {
  const cache = new Map<string, Promise<Buffer>>()
  return (name) => {
    let bytes = cache.get(name)
    if (bytes === undefined) {
      bytes = readFile(locate(name, assets[name]!, plugin))
      bytes.catch(() => cache.delete(name))
      cache.set(name, bytes)
    }
    return bytes
  }
}

function locate(name: string, asset: PackageAsset, plugin: string): string {
  const built = fileURLToPath(new URL(`./assets/${name}`, plugin))
  if (existsSync(built)) return built
  try {
    return locateInPackage(asset)
  } catch (cause) {
    const wayOut = `run \`npm run build\`, or install ${asset.package}`
    throw new SvcError('INTERNAL_SERVER_ERROR', `The page's file ${name} is missing: ${wayOut}.`, { cause })
  }
}
