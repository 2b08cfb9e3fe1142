import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'
import { ARGON2_PACKAGE } from './packages.ts'
import { API_KEYS_TABLE } from './table.ts'

const manifest: Manifest = {
  name: 'api-keys',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Verifies API keys, which services send instead of tokens.',
  before: ['jwt'],
  config: 'security.api_keys',
  options,
  tables: [API_KEYS_TABLE],
  packages: [ARGON2_PACKAGE],
  commands: [
    {
      name: 'keys',
      summary: 'Create, list and revoke API keys.',
      description:
        'A new key is shown once; what is stored is its hash. With storage = "env" nothing is stored: the entry for svc.toml is printed.',
      arguments: [
        { name: 'ACTION', required: true, description: 'create, list or revoke' },
        { name: 'ID', description: 'Of `revoke`: the part of the key between "svc_" and the dot, as `list` shows it.' },
      ],
      json: true,
      options: [
        { name: 'name', type: 'string', value: 'NAME', description: 'Of `create`: whose key it is.' },
        {
          name: 'scopes',
          type: 'string',
          value: 'LIST',
          description: 'Of `create`: scopes with spaces between them: "read:* write:Order".',
        },
        {
          name: 'expires',
          type: 'string',
          value: 'DAYS',
          description: 'Of `create`: days until it ends. Default: never.',
        },
      ],
      examples: [
        'svc keys create --name billing --scopes "read:*"',
        'svc keys list',
        'svc keys revoke 4f0c2a9d1e6b7a83',
      ],
      module: './command',
    },
  ],
  schemaKeys: {
    requiredBy: { operation: { api_key_required: { is: true } } },
  },
}
export default manifest
