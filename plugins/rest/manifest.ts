import type { Manifest } from '../../core/doors/plugin.ts'
import { IDEMPOTENCY_TABLE } from './idempotency/table.ts'
import { options } from './options.ts'
import { schemaKeys } from './schema-keys.ts'

const manifest: Manifest = {
  name: 'rest',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Serves the schema as REST resources with filters, pages and embedding.',
  // It provides the client address behind trusted proxies.
  after: ['rate-limiting', 'health'],
  provides: ['rest'],
  config: 'rest',
  options,
  compile: './compile',
  tables: [IDEMPOTENCY_TABLE],
  commands: [
    {
      name: 'routes',
      summary: 'List the REST routes that follow from the compiled schema.',
      json: true,
      examples: ['svc routes', 'svc routes --json'],
      module: './command',
    },
  ],
  schemaKeys,
}
export default manifest
