/**
 * npm runs this after `npm ci` in a checkout, before `npm pack` and `npm publish`, and when it installs from git, so
 * that every package has a dist/.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packing = ['pack', 'publish'].includes(process.env.npm_command ?? '')
const compiler = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url))

// `npm ci --omit=dev`: the checkout runs from its sources, and the build tools are not installed.
if (packing || existsSync(compiler)) await import('./build.ts')
else process.stdout.write('svc runs from its sources: dist/ is not built without the development dependencies.\n')
