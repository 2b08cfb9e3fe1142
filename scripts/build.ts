/** `npm run build`: dist/ holds what is published: JavaScript, declarations, and the assets beside them. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const require = createRequire(import.meta.url)

rmSync(dist, { recursive: true, force: true })
execFileSync(process.execPath, [require.resolve('typescript/bin/tsc').replace(/\.exe$/, ''), '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })

/** Files that tsc leaves behind: JSON Schemas, resolve hooks, init templates. */
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

// The editor's scripts come from packages that only the build needs; the published package carries the files.
const assets = join(dist, 'plugins', 'graphiql', 'assets')
mkdirSync(assets, { recursive: true })
const { ASSETS } = await import('../plugins/graphiql/assets.ts')
for (const { file, from } of Object.values(ASSETS)) cpSync(require.resolve(from), join(assets, file))
