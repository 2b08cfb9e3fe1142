import { definePlugin } from '../../core/doors/plugin.ts'
import { createGuards } from './guards.ts'
import manifest from './manifest.ts'

/** Spec "Authorization" 2 and 3: `requires_scope`, `requires_role`, `api_key_required`. */
export default definePlugin(manifest, (scope) => {
  const guards = scope.perGeneration(createGuards)
  scope.on('authorize', ({ auth, generation }, { template }, access) => guards.of(generation)(auth, template, access), {
    position: 'guard',
  })
})
