import type { PluginInstance } from '../../../core/kernel/kernel-options.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import openapi from '../../../plugins/openapi/index.ts'
import { REST_SCHEMA } from '../rest/world.ts'

const types = REST_SCHEMA.types ?? []
const inputs = REST_SCHEMA.input_types ?? []

/** The world of REST, with a union, what is deprecated, and rules. */
export const OPENAPI_SCHEMA: AuthoredSchema = {
  ...REST_SCHEMA,
  unions: [{ name: 'Anything', members: ['NamedUser', 'NamedPost'], sql_source: 'v_any' }],
  types: types.map((type) => ({
    ...type,
    ...(type.name === 'Post' ? { description: 'What somebody wrote.' } : {}),
    fields: type.fields.map((field) =>
      field.name === 'stars' ? { ...field, deprecated: 'nobody counts them', description: 'Out of five.' } : field,
    ),
  })),
  input_types: inputs.map((input) => ({
    ...input,
    fields: input.fields.map((field) => ({
      ...field,
      ...(field.name === 'age' ? { validate: [{ type: 'range', value: { min: 0, max: 150 } }] } : {}),
      ...(input.name === 'NewUser' && field.name === 'name'
        ? { validate: [{ type: 'length', value: { min: 1, max: 40 } }] }
        : {}),
    })),
  })),
  queries: [
    ...(REST_SCHEMA.queries ?? []).map((query) =>
      query.name === 'bare_posts' ? { ...query, deprecated: 'use posts' } : query,
    ),
    { name: 'anything', type: '[Anything!]!', sql_source: 'v_any' },
  ],
}

/** The plugin, turned on. */
export function openapiPlugin(options: object = {}): PluginInstance {
  return {
    plugin: openapi as PluginInstance['plugin'],
    options: { openapi_enabled: true, title: 'Posts', api_version: '2.1.0', ...options },
    source: 'test',
  }
}
