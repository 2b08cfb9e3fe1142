import type { JsonSchema } from '../../core/doors/plugin.ts'
import type { ComposeDirective } from './check/check-composed.ts'
import type { ConfiguredEntity } from './check/owners.ts'

/** Options of the section `[federation]`. */
export interface FederationOptions {
  readonly enabled: boolean
  readonly spec_version: 2
  readonly entities: readonly ConfiguredEntity[]
  readonly compose_directives: readonly ComposeDirective[]
  readonly max_representations: number
  readonly authorization_directives: boolean
  readonly inline_traces: boolean
}

export const options: JsonSchema = {
  type: 'object',
  description: 'The service as a subgraph.',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Serves the schema as a subgraph of a federation.' },
    spec_version: {
      type: 'integer',
      enum: [2],
      default: 2,
      description:
        'Version of Apollo Federation. The minor version in `@link` is the lowest that has what the schema uses.',
    },
    entities: {
      type: 'array',
      default: [],
      description: 'Keys of types, beside those that the schema declares. Read by `svc compile`.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'key_fields'],
        properties: {
          name: { type: 'string', minLength: 1, description: 'Name of the type.' },
          key_fields: {
            type: 'array',
            minItems: 1,
            items: { type: 'string', minLength: 1 },
            description: 'Fields that make up the key, in declared names.',
            examples: [['id']],
          },
        },
      },
    },
    compose_directives: {
      type: 'array',
      default: [],
      description: 'Directives that the supergraph keeps. `directives` of types apply them. Read by `svc compile`.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'url', 'definition'],
        properties: {
          name: { type: 'string', minLength: 2, description: 'With its @.', examples: ['@owner'] },
          url: {
            type: 'string',
            minLength: 1,
            description: 'Of its specification: name and version are its last parts.',
            examples: ['https://specs.example.com/owner/v1.0'],
          },
          definition: {
            type: 'string',
            minLength: 1,
            description: 'In GraphQL’s notation.',
            examples: ['directive @owner(team: String!) on OBJECT'],
          },
        },
      },
    },
    max_representations: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      default: 1000,
      description:
        'Most representations that one operation may have, in all its `_entities`. `svc.max_rows` bounds those of one key as well.',
    },
    authorization_directives: {
      type: 'boolean',
      default: true,
      description:
        'Print `@authenticated`, `@requiresScopes` and `@policy` where the schema has such rules. Off for routers that refuse them; svc holds to its rules in any case. Read by `svc compile`.',
    },
    inline_traces: {
      type: 'boolean',
      default: false,
      description:
        'Answer requests with the header `apollo-federation-include-trace: ftv1` with times and errors in `extensions.ftv1`. For services that only routers reach.',
    },
  },
}
