import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The properties of svc's own package.json that the CLI reads. */
export interface OwnManifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  /** Packages that svc does not install, with the versions that it accepts. */
  readonly peerDependencies: Readonly<Record<string, string>>
}

/**
 * Name of svc in the npm registry, where the name `svc` belongs to another package. Projects install it under the alias
 * `svc`.
 */
export const PACKAGE_NAME = 'svc-server'

/** Finds folder and package.json of the svc that is running, in a checkout or an installation. */
export function readOwnPackage(): { readonly folder: string; readonly manifest: OwnManifest } {
  // core/base/packages/ in a checkout, dist/core/base/packages/ in a published package.
  for (const up of ['../../../', '../../../../']) {
    const folder = new URL(up, import.meta.url)
    const manifest = readManifest(new URL('package.json', folder))
    if (manifest?.name === PACKAGE_NAME) return { folder: fileURLToPath(folder).replace(/[\\/]$/, ''), manifest }
  }
  throw new Error('The package.json of svc is not where it belongs.')
}

/** Returns the version of the svc that is running, from its package.json. */
export function readVersion(): string {
  return readOwnPackage().manifest.version
}

function readManifest(url: URL): OwnManifest | undefined {
  try {
    return JSON.parse(readFileSync(url, 'utf8'))
  } catch {
    return undefined
  }
}
