import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

/** Folders of graphql-js with modules that svc may use. */
const FOLDERS = [
  'error',
  'execution',
  'language',
  'type',
  'utilities',
  'validation',
  'validation/rules',
  'validation/rules/custom',
]

const require = createRequire(import.meta.url)

/**
 * Imports each name of graphql-js from the module that defines it. Its index loads every module, also those that svc never uses, which
 * takes a fifth of a start. The package stays external, so that plugins and svc share its classes.
 */
export function graphqlModules(): Plugin {
  const modules = findModules()
  return {
    name: 'graphql-modules',
    setup(build) {
      build.onResolve({ filter: /^graphql$/ }, () => ({ path: 'graphql', namespace: 'graphql-modules' }))
      build.onLoad({ filter: /.*/, namespace: 'graphql-modules' }, () => ({
        contents: [...modules].map(([name, file]) => `export { ${name} } from 'graphql/${file}'\n`).join(''),
        resolveDir: dirname(require.resolve('graphql')),
      }))
      build.onResolve({ filter: /^graphql\// }, ({ path }) => ({ path, external: true, sideEffects: false }))
    },
  }
}

/** Returns the defining module of each exported name: `parse` → `language/parser.js`. */
function findModules(): ReadonlyMap<string, string> {
  const root = dirname(require.resolve('graphql/package.json'))
  const exported = Object.keys(require('graphql') as object)
  const modules = new Map<string, string>()
  for (const folder of FOLDERS) {
    const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.js') && file !== 'index.js')
    for (const file of files) {
      const path = `${folder}/${file}`
      const text = readFileSync(join(root, path), 'utf8')
      // The compiler of graphql-js declares exports of a module as `exports.parse = parse;`, and re-exports with a getter.
      for (const [, name = ''] of text.matchAll(/^exports\.(\w+) = (?!void 0)/gm))
        if (exported.includes(name)) modules.set(name, path)
    }
  }
  return modules
}
