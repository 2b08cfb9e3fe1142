/** `npm run build`: writes the published files to dist/: JavaScript in chunks, declarations, and assets. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { locateInPackage } from '../core/service/http/package-assets.ts'
import { ASSETS as EDITOR } from '../plugins/graphiql/assets.ts'
import { ASSETS as REFERENCE } from '../plugins/openapi/page/assets.ts'
import { bundle } from './build/bundle.ts'
import { makeEmptyDatabase } from './make-empty-database.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
await bundle(root, dist)

/** Files that tsc does not copy: JSON Schemas, resolve hooks, init templates. */
function copyAssets(folder: string): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) copyAssets(path)
    else if (!entry.name.endsWith('.ts')) {
      mkdirSync(dirname(join(dist, path)), { recursive: true })
      copyFileSync(join(root, path), join(dist, path))
    }
  }
}
for (const folder of ['core', 'plugins', 'presets']) copyAssets(folder)

// Scripts of pages come from packages that only the build needs; the published package carries the files.
for (const [plugin, files] of [
  ['graphiql', EDITOR],
  ['openapi', REFERENCE],
] as const) {
  const assets = join(dist, 'plugins', plugin, 'assets')
  mkdirSync(assets, { recursive: true })
  for (const [name, asset] of Object.entries(files)) cpSync(locateInPackage(asset), join(assets, name))
}

await makeEmptyDatabase(join(dist, 'plugins', 'pglite', 'engine'))
