import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the openapi plugin, which are keys of the section `[rest]`. */
export interface OpenApiOptions {
  readonly openapi_enabled?: boolean
  readonly openapi_path?: string
  readonly openapi_page: boolean
  readonly title: string
  readonly api_version: string
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    openapi_enabled: {
      type: 'boolean',
      description:
        'Serve the OpenAPI document, and the page that shows it. Default: where REST runs, outside production (`NODE_ENV`).',
    },
    openapi_path: {
      type: 'string',
      pattern: '^(/[A-Za-z0-9._~-]+)+$',
      description: 'Where the document is. Default: `openapi.json` below `rest.path`.',
      examples: ['/openapi.json'],
    },
    openapi_page: {
      type: 'boolean',
      default: true,
      description: 'Serve a page at `/openapi` that shows the document and sends requests.',
    },
    title: { type: 'string', minLength: 1, default: 'SVC REST API', description: '`info.title` of the document.' },
    api_version: { type: 'string', minLength: 1, default: '1.0.0', description: '`info.version` of the document.' },
  },
}
