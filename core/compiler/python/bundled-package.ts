import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the folder that contains the Python package `svc` of this svc, for schemas whose environment has none:
 * `python/` of a checkout or of the npm package.
 */
export function bundledPackage(): string {
  // core/compiler/python/ in a checkout, dist/core/compiler/python/ in a published package.
  const folders = ['../../../python', '../../../../python'].map((up) => fileURLToPath(new URL(up, import.meta.url)))
  return folders.find((folder) => existsSync(join(folder, 'svc', '__init__.py'))) ?? folders[0]!
}
