import { definePlugin } from '../../core/doors/plugin.ts'
import { createGuards } from './guards.ts'
import manifest from './manifest.ts'

/**
 * The plugin that enforces `requires_scope`, `requires_role` and `api_key_required` of the schema
 * (docs/plugins/scopes.md).
 */
export default definePlugin(manifest, (scope) => {
  const guards = scope.perGeneration(createGuards)
  scope.on('authorize', ({ auth, generation }, { template }, access) => guards.of(generation)(auth, template, access), {
    position: 'guard',
  })
})
