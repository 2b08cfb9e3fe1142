import type { http } from '../../core/doors/front.ts'

/** Files of GraphiQL, by the name under which the plugin serves each of them. */
export const ASSETS: http.PackageAssets = {
  'react.js': { package: 'react', path: 'umd/react.production.min.js', type: 'text/javascript; charset=utf-8' },
  'react-dom.js': {
    package: 'react-dom',
    path: 'umd/react-dom.production.min.js',
    type: 'text/javascript; charset=utf-8',
  },
  'graphiql.js': { package: 'graphiql', path: 'graphiql.min.js', type: 'text/javascript; charset=utf-8' },
  'graphiql.css': { package: 'graphiql', path: 'graphiql.min.css', type: 'text/css; charset=utf-8' },
}
