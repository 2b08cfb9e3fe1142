import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** One file of the editor. */
export interface Asset {
  /** Package that it comes from in a source checkout. */
  readonly package: string
  /** Path inside of the package. */
  readonly path: string
  readonly type: string
}

/**
 * The files of the editor, by the name under which the route serves them. The build copies them beside the plugin;
 * nothing is ever loaded from another host.
 */
export const ASSETS: Readonly<Record<string, Asset>> = {
  'react.js': { package: 'react', path: 'umd/react.production.min.js', type: 'text/javascript; charset=utf-8' },
  'react-dom.js': {
    package: 'react-dom',
    path: 'umd/react-dom.production.min.js',
    type: 'text/javascript; charset=utf-8',
  },
  'graphiql.js': { package: 'graphiql', path: 'graphiql.min.js', type: 'text/javascript; charset=utf-8' },
  'graphiql.css': { package: 'graphiql', path: 'graphiql.min.css', type: 'text/css; charset=utf-8' },
}

/**
 * Where the file lies in an installed package. The packages' `exports` do not name these files, so the folder is found
 * by `package.json`.
 * @throws Error of the module loader when the package is not installed
 */
export function locateInPackage(asset: Asset): string {
  const manifest = createRequire(import.meta.url).resolve(`${asset.package}/package.json`)
  return join(dirname(manifest), asset.path)
}
