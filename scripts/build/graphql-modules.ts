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

const INDEX = 'graphql-index'
const MODULE = 'graphql-module'

const require = createRequire(import.meta.url)

/**
 * Loads each name of graphql-js from the module that defines it. Its index loads every module, also those that svc never uses, which
 * takes a fifth of a start. The package stays external, so that plugins and svc share its classes.
 *
 * The modules are CommonJS, and loaded as such. For an `import`, Node would parse each of them twice more: to tell its format, which
 * the package does not declare, and to find its exports.
 */
export function graphqlModules(): Plugin {
  const modules = findModules()
  const files = new Set(modules.values())
  return {
    name: 'graphql-modules',
    setup(build) {
      build.onResolve({ filter: /^graphql$/ }, () => ({ path: 'graphql', namespace: INDEX, sideEffects: false }))
      build.onLoad({ filter: /.*/, namespace: INDEX }, () => ({
        contents: [...modules].map(([name, file]) => `export { ${name} } from 'graphql/${file}'\n`).join(''),
      }))
      build.onResolve({ filter: /^graphql\// }, ({ path }) => {
        const file = path.slice('graphql/'.length)
        if (!files.has(file)) return { errors: [{ text: `svc uses no module of graphql-js with the name ${path}.` }] }
        return { path: file, namespace: MODULE, sideEffects: false }
      })
      build.onLoad({ filter: /.*/, namespace: MODULE }, ({ path }) => ({
        contents: `import { createRequire } from 'node:module'
const loaded = createRequire(import.meta.url)('graphql/${path}')
${[...modules].map(([name, file]) => (file === path ? `export const ${name} = loaded.${name}\n` : '')).join('')}`,
      }))
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
