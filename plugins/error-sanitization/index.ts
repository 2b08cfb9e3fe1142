import { definePlugin } from '../../core/doors/plugin.ts'
import manifest from './manifest.ts'
import type { SanitizationOptions } from './options.ts'
import { createSanitizer } from './sanitize.ts'

/** Hooks the one way on which errors leave, so that every front says the same. */
export default definePlugin<SanitizationOptions>(manifest, (scope, options) => {
  scope.on('error:public', createSanitizer(options))
})
