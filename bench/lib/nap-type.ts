import type { AuthoredSchema } from '../../core/schema/authored.ts'
import type { GraphQLRequest } from './post.ts'

/** A view whose only row takes its time, without work for the database: what a slow statement is to those beside it. */
export function napView(ms: number): string {
  return `CREATE VIEW bench.vf_nap AS
    SELECT 1 AS pk_nap, '00000000-0000-4000-8000-000000000001'::uuid AS id, pg_sleep(${ms / 1000})::text AS slept;`
}

export function withNapType(schema: AuthoredSchema): AuthoredSchema {
  return {
    ...schema,
    types: [
      ...(schema.types ?? []),
      {
        name: 'Nap',
        sql_source: 'vf_nap',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'slept', type: 'String' },
        ],
      },
    ],
    queries: [...(schema.queries ?? []), { name: 'naps', type: '[Nap!]!', sql_source: 'vf_nap' }],
  }
}

export const NAP: GraphQLRequest = { query: '{ naps { slept } }' }
