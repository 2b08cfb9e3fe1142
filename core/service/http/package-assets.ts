import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SvcError } from '../../base/errors/svc-error.ts'

/** A file of a page that is part of another npm package. */
export interface PackageAsset {
  /** Package that contains the file, in a source checkout. */
  readonly package: string
  /** Path in the package. */
  readonly path: string
  readonly type: string
}

/** Files by the name under which the plugin serves them. */
export type PackageAssets = Readonly<Record<string, PackageAsset>>

/**
 * Returns the path of the file in the installed package. The folder is located by `package.json`, because `exports` of packages do not list
 * such files.
 * @throws Error of the module loader when the package is not installed
 */
export function locateInPackage(asset: PackageAsset): string {
  const manifest = createRequire(import.meta.url).resolve(`${asset.package}/package.json`)
  return join(dirname(manifest), asset.path)
}

/**
 * Creates a function that reads the files of a plugin's pages. Each file is read once, at the first call with its name. The build copies
 * the files to `assets/` beside the plugin, so that pages load nothing from other hosts.
 * @param plugin `import.meta.url` of a file in the plugin's folder
 * @returns a function that throws SvcError INTERNAL_SERVER_ERROR when the file is missing
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
