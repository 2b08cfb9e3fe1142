import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'trusted-documents',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Runs the GraphQL documents of a manifest, by their id or text, and refuses or reports all others.',
  dependencies: ['graphql'],
  after: ['rest', 'mcp'],
  // Rejected documents must not be stored.
  before: ['apq'],
  provides: ['trustedDocuments'],
  config: 'security.trusted_documents',
  options,
  afterCompile: './after-compile',
  doctor: './doctor',
  metrics: {
    svc_trusted_documents_hits_total: { type: 'counter', help: 'Requests for a document of the manifest.' },
    svc_trusted_documents_misses_total: {
      type: 'counter',
      help: 'Requests for a document that is not in the manifest.',
    },
    svc_trusted_documents_rejected_total: { type: 'counter', help: 'Those of the misses that were refused.' },
    svc_trusted_documents_warmed_total: {
      type: 'counter',
      help: 'Documents of the manifest by what came of preparing them ahead of their first request: warmed, failed, or skipped (beyond warm_documents, or the service stopped).',
      labels: ['outcome'],
    },
  },
  commands: [
    {
      name: 'validate-documents',
      summary: 'Check a manifest of trusted documents.',
      description:
        'Each text must belong to its hash. With --schema the documents are validated against the compiled schema and held to the limits, too. Exit code 1: something is wrong; 2: the manifest cannot be read.',
      arguments: [{ name: 'MANIFEST', description: 'A file. Default: the one of [security.trusted_documents].' }],
      json: true,
      options: [
        { name: 'schema', type: 'boolean', description: 'Validate the documents against the compiled schema.' },
      ],
      examples: ['svc validate-documents documents.json', 'svc validate-documents --schema'],
      module: './command',
    },
  ],
}
export default manifest
