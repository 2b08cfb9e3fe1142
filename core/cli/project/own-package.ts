import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The members of svc's own package.json that the code uses. */
export interface OwnManifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/**
 * Package name of svc in the npm registry, because `svc` is the package of another author there. Projects install the
 * package under the alias `svc`.
 */
export const PACKAGE_NAME = 'svc-server'

/** Finds the package of the running svc: a checkout or an installation. */
export function readOwnPackage(): { readonly folder: string; readonly manifest: OwnManifest } {
  // core/cli/project/ in a checkout, dist/core/cli/project/ in a published package.
  for (const up of ['../../../', '../../../../']) {
    const folder = new URL(up, import.meta.url)
    const manifest = readManifest(new URL('package.json', folder))
    if (manifest?.name === PACKAGE_NAME) return { folder: fileURLToPath(folder).replace(/[\\/]$/, ''), manifest }
  }
  throw new Error('The package.json of svc is not where it belongs.')
}

/** Returns the version of the running svc. */
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
