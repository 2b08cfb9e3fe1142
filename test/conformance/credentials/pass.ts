import { definePlugin, SvcError } from 'svc'

/** The one that this plugin believes. */
export const PASS = 'pass-of-ann'

/** Stands for a third party's plugin with a credential of its own. */
export default definePlugin(
  { name: 'pass', version: '1.0.0', kernelApi: 1, description: 'Believes a pass.' },
  (scope) => {
    scope.credentials({ in: 'header', name: 'X-Pass', scheme: 'key' })
    scope.on('authenticate', ({ headers }) => {
      const pass = headers['x-pass']
      if (pass === undefined) return undefined
      if (pass !== PASS) throw new SvcError('UNAUTHENTICATED', 'The pass is not valid.')
      return { subject: 'ann', scopes: [], roles: [], claims: { sub: 'ann', tenant: 'ann' }, method: 'pass' }
    })
  },
)
