import type { Manifest } from '../../core/doors/plugin.ts'

const REQUIRES_ROLE = {
  description: 'The role, or one of the roles, that the caller must have.',
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
  ],
}

const manifest: Manifest = {
  name: 'scopes',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Asks for the scopes, roles and API keys that operations, types and fields require.',
  schemaKeys: {
    check: './check-keys',
    keys: [
      {
        place: 'field',
        after: 'default',
        keys: {
          requires_scope: {
            type: 'string',
            minLength: 1,
            description: 'Scope that reading the field needs; several with spaces between them: all of them.',
          },
          requires_role: REQUIRES_ROLE,
        },
      },
      { place: 'type', after: 'database', keys: { requires_role: REQUIRES_ROLE } },
      {
        place: 'operation',
        after: 'inject',
        keys: {
          requires_role: REQUIRES_ROLE,
          requires_scope: {
            type: 'string',
            minLength: 1,
            description: 'Scope that the caller must have; several with spaces between them: all of them.',
          },
        },
      },
    ],
    requiredBy: {
      type: { requires_role: 'set' },
      field: { requires_scope: 'set', requires_role: 'set' },
      // A request without a key is refused here.
      operation: { requires_scope: 'set', requires_role: 'set', api_key_required: { is: true } },
    },
  },
}
export default manifest
