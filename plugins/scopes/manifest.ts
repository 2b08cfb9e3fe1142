import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'scopes',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Asks for the scopes, roles and API keys that operations, types and fields require.',
  schemaKeys: {
    check: './check-keys',
    requiredBy: {
      type: { requires_role: 'set' },
      field: { requires_scope: 'set', requires_role: 'set' },
      // A request without a key is refused here.
      operation: { requires_scope: 'set', requires_role: 'set', api_key_required: { is: true } },
    },
  },
}
export default manifest
