import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * Keeps files that a module finds by its own location where they are. In a bundle, `import.meta` is that of the chunk; this plugin
 * replaces it by the location that the module has in a build of one file per module.
 *
 * @param root absolute folder of the sources
 * @param chunks folder of all chunks, relative to the build: `core`
 */
export function ownLocation(root: string, chunks: string): Plugin {
  return {
    name: 'own-location',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        if (!text.includes('import.meta.')) return null
        const built = relative(`${root}/${chunks}`, path).replace(/\.ts$/, '.js')
        const url = `new URL(${JSON.stringify(built.startsWith('.') ? built : `./${built}`)}, import.meta.url)`
        const contents = text
          .replaceAll('import.meta.url', `${url}.href`)
          .replaceAll('import.meta.filename', `process.getBuiltinModule('node:url').fileURLToPath(${url})`)
        return { contents, loader: 'ts' }
      })
    },
  }
}
