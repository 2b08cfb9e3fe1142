import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Size of node_modules of a folder: on the disk (`du`), and the number of packages that npm has installed. */
export function installedSize(folder: string): { readonly megabytes: number; readonly packages: number } {
  const [size = ''] = execFileSync('du', ['-sm', 'node_modules'], { cwd: folder, encoding: 'utf8' }).split('\t')
  const lock = readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { readonly packages: object }
  return { megabytes: Number(size), packages: Object.keys(packages).length }
}
