import { definePlugin, SvcError } from '../../core/doors/plugin.ts'
import manifest from './manifest.ts'
import type { OpenApiOptions } from './options.ts'

/**
 * The plugin that serves the OpenAPI document of the REST API. It loads its code only if it is enabled and REST is
 * served.
 */
export default definePlugin<OpenApiOptions>(manifest, async (scope, options) => {
  const rest = scope.use('rest', { optional: true })
  const isWanted = options.openapi_enabled ?? (rest !== undefined && process.env.NODE_ENV !== 'production')
  if (!isWanted) return
  if (rest === undefined) {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      'rest.openapi_enabled is true, and plugin "rest" is not running. Enable it, or take openapi_enabled out.',
    )
  }
  const { setUpOpenApi } = await import('./set-up-open-api.ts')
  setUpOpenApi(scope, options, rest)
})
