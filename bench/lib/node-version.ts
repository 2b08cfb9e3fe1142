import { execFileSync } from 'node:child_process'

/** Version of the Node at this path, as `20.19.2`. */
export const nodeVersion = (path: string): string =>
  execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
