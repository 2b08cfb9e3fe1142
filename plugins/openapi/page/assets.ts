import type { http } from '../../../core/doors/front.ts'

/** Files of Swagger UI in its npm package, by the name under which the plugin serves each. */
export const ASSETS: http.PackageAssets = {
  'swagger-ui.js': {
    package: 'swagger-ui-dist',
    path: 'swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
  },
  'swagger-ui.css': { package: 'swagger-ui-dist', path: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
}
