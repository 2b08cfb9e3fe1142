/**
 * Runs by itself after `npm ci` in a checkout, before `npm pack` and `npm publish`, and when npm installs from git:
 * a package without dist/ must never come to be.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packing = ['pack', 'publish'].includes(process.env.npm_command ?? '')
const compiler = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url))

// `npm ci --omit=dev`: the checkout runs from its sources, and what would build it is not there.
if (packing || existsSync(compiler)) await import('./build.ts')
else process.stdout.write('svc runs from its sources: dist/ is not built without the development dependencies.\n')
