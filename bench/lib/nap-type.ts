import type { AuthoredSchema } from '../../core/schema/authored.ts'
import type { GraphQLRequest } from './post.ts'

/** A view whose only row waits without work for the database: a slow statement beside others. */
export function napView(ms: number): string {
  return `CREATE VIEW bench.vf_nap AS
    SELECT 1 AS pk_nap, '00000000-0000-4000-8000-000000000001'::uuid AS id, pg_sleep(${ms / 1000})::text AS slept;`
}

/** A view of two rows, one fast and one that waits: slow with some parameters only. */
export function unevenNapView(ms: number): string {
  return `CREATE VIEW bench.vf_nap AS
    SELECT n AS pk_nap, ('00000000-0000-4000-8000-00000000000' || n)::uuid AS id, pg_sleep((n - 1) * ${ms / 1000})::text AS slept
    FROM (VALUES (1), (2)) v (n);`
}

/** Request for the slow or the fast row of `unevenNapView`. */
export function unevenNap(isSlow: boolean, alias = 'naps'): GraphQLRequest {
  const query = `query ($id: ID!) { ${alias}: naps(where: { id: { _eq: $id } }) { slept } }`
  return { query, variables: { id: `00000000-0000-4000-8000-00000000000${isSlow ? 2 : 1}` } }
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
