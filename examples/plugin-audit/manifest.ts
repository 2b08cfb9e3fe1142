import type { Manifest } from 'svc'

const manifest: Manifest = {
  name: 'audit',
  version: '1.0.0',
  kernelApi: 1,
  description: 'Writes a line for every operation and every committed write.',
  options: {
    type: 'object',
    required: ['sink'],
    properties: {
      sink: { type: 'string', minLength: 1, description: '`stdout`, or the path of a file that lines are added to.' },
      reads: { type: 'boolean', default: false, description: 'Write a line for queries, too.' },
      ignore: {
        type: 'array',
        items: { type: 'string' },
        default: [],
        description: 'Names of mutations that are not written.',
      },
    },
  },
}
export default manifest
