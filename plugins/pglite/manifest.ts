import type { Manifest } from '../../core/doors/plugin.ts'
import { ENGINE_PACKAGE, VECTOR_PACKAGE } from './packages.ts'

/** Extensions that are available for the engine, of those that schemas use. */
const EXTENSIONS = [
  'btree_gin',
  'btree_gist',
  'citext',
  'cube',
  'earthdistance',
  'fuzzystrmatch',
  'hstore',
  'intarray',
  'isn',
  'ltree',
  'pg_trgm',
  'tablefunc',
  'unaccent',
  // In a separate package.
  'vector',
]

const manifest: Manifest = {
  name: 'pglite',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Driver for the embedded PostgreSQL that runs in this process (`pglite:` URLs).',
  databaseSchemes: ['pglite'],
  config: 'pglite',
  packages: [ENGINE_PACKAGE, VECTOR_PACKAGE],
  options: {
    type: 'object',
    description: 'The embedded database.',
    additionalProperties: false,
    properties: {
      extensions: {
        type: 'array',
        items: { type: 'string', enum: EXTENSIONS },
        default: [],
        description:
          'Extensions that its scripts may create (`CREATE EXTENSION`). Each takes time and memory at start.',
      },
    },
  },
}
export default manifest
