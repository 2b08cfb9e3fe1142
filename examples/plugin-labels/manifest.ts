import type { Manifest } from 'svc'

const manifest: Manifest = {
  name: 'labels',
  version: '1.0.0',
  kernelApi: 1,
  description: 'Serves labels of types and fields that people read.',
  dependencies: ['graphql'],
  compile: './compile',
  options: {
    type: 'object',
    properties: {
      port: {
        type: 'integer',
        minimum: 0,
        maximum: 65535,
        default: 0,
        description: 'TCP port for queries, one per line. 0 = any.',
      },
      strict: { type: 'boolean', default: false, description: 'A type without a label does not compile.' },
    },
  },
  codes: {
    LABELS_UNKNOWN: { status: 404, exposed: true, doc: 'The schema has no labels of this type.' },
  },
  metrics: {
    labels_asked_total: { type: 'counter', help: 'Labels that were asked for.', labels: ['way'] },
    labels_connections: { type: 'gauge', help: 'Open connections of the line listener.' },
    labels_line_seconds: { type: 'histogram', help: 'From a line to its answer.' },
  },
  commands: [
    {
      name: 'labels',
      summary: 'Print the labels of the compiled schema.',
      arguments: [{ name: 'TYPE', description: 'Only this type.' }],
      options: [{ name: 'json', type: 'boolean', description: 'Print JSON.' }],
      examples: ['svc labels', 'svc labels Customer --json'],
      module: './command',
    },
  ],
}
export default manifest
