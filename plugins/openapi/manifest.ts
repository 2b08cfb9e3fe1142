import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'openapi',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Describes the REST routes as an OpenAPI document, with a page that shows it.',
  after: ['rest', 'rate-limiting'],
  config: 'rest',
  options,
  contract: './contract',
  commands: [
    {
      name: 'openapi',
      summary: 'Write the OpenAPI document of the REST routes.',
      description: 'Describes all routes, for all callers. Needs no database.',
      arguments: [{ name: 'FILE', description: 'Compiled schema. Default: the one of the project.' }],
      json: true,
      options: [
        { name: 'output', short: 'o', type: 'string', value: 'FILE', description: 'File to write. Default: print it.' },
      ],
      examples: ['svc openapi', 'svc openapi schema.compiled.json -o openapi.json'],
      module: './command',
    },
  ],
}
export default manifest
