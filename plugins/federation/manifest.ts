import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'
import { schemaKeys } from './schema-keys.ts'
import { TRACE_PACKAGE } from './trace/trace-package.ts'

const manifest: Manifest = {
  name: 'federation',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Serves the schema as a subgraph of Apollo Federation 2: `_service`, `_entities`.',
  dependencies: ['graphql'],
  config: 'federation',
  options,
  packages: [TRACE_PACKAGE],
  compile: './compile',
  sdl: './sdl',
  schemaKeys,
}
export default manifest
