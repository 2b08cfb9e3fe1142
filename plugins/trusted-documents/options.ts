import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[security.trusted_documents]`. */
export interface TrustedDocumentsOptions {
  readonly enabled: boolean
  readonly mode: 'strict' | 'permissive'
  readonly manifest_path?: string
  readonly manifest_url?: string
  readonly reload_interval_secs: number
  readonly warm_documents: number
  readonly warm_wait_ms: number
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Adds the plugin to the list.' },
    mode: {
      type: 'string',
      enum: ['permissive', 'strict'],
      default: 'permissive',
      description:
        '`strict` refuses documents that are not in the manifest; `permissive` runs them and names each in the log once.',
    },
    manifest_path: {
      type: 'string',
      minLength: 1,
      description: 'The manifest, from the folder of svc.toml.',
      examples: ['documents.json'],
    },
    manifest_url: {
      type: 'string',
      minLength: 1,
      description:
        'Where the manifest is fetched from: `https://…`, with user and password where it wants them. Redirects are not followed.',
      examples: ['https://example.com/documents.json'],
    },
    reload_interval_secs: {
      type: 'integer',
      minimum: 0,
      maximum: 86_400,
      default: 0,
      description:
        'The manifest is read again after so many seconds; the last good one stays where that fails. 0 = never.',
    },
    warm_documents: {
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000,
      default: 10_000,
      description:
        'So many documents, from the first of the manifest, are parsed, validated and planned ahead: at the start, after a reload of the schema and with each new manifest. 0 = none: the first request for each does it.',
    },
    warm_wait_ms: {
      type: 'integer',
      minimum: 0,
      maximum: 60_000,
      default: 5000,
      description:
        'The start waits so long for that; what is left then is done beside the first requests. 0 = it does not wait.',
    },
  },
}
