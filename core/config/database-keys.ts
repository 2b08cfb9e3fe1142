import type { JsonSchema } from '../contract/manifest.ts'
import { type CoreSection, delay, flag, text, whole } from './section-schema.ts'

export const SSL_MODE = text('TLS to the database.', {
  enum: ['disable', 'allow', 'prefer', 'require'],
  default: 'prefer',
})
export const CONNECTIONS: Record<string, JsonSchema> = {
  pool_min: whole('Connections kept open, beside those that small statements share.', 2),
  pool_max: whole('Most connections open at once, over all workers.', 20, 1),
  connect_timeout_ms: delay(
    'Longest wait for a free connection, in milliseconds; after it a request gets 503.',
    5000,
    1,
  ),
  idle_timeout_ms: delay('Idle connections above `pool_min` are closed after this many milliseconds.', 600_000),
  prepared_statements: flag(
    'Prepare statements by name once per connection. Switch it off behind a pooler in transaction mode.',
    true,
  ),
  plan_cache_mode: text("PostgreSQL's `plan_cache_mode` of the connections.", {
    enum: ['auto', 'force_generic_plan', 'force_custom_plan'],
    default: 'force_generic_plan',
  }),
}
export const functionsFolder = (byDefault: JsonSchema): JsonSchema =>
  text(
    'Folder of the scripts that stand in for functions where the database has none (SQLite): `<name>.sql`, relative to this file.',
    { minLength: 1, ...byDefault },
  )

/** JSON Schema of `[databases.<name>]`: further databases beside that of `[database]`. */
export const OTHER_DATABASES: CoreSection = {
  path: 'databases',
  schema: {
    type: 'object',
    description:
      'Databases beside that of `[database]`, each in a section of its own: `[databases.crm]`. Types and operations with `database: "crm"` are of it. See docs/guides/several-databases.md.',
    properties: {},
    additionalProperties: {
      type: 'object',
      additionalProperties: false,
      required: ['url'],
      properties: {
        url: text('Connection URL, as in `[database]`. Nothing is created where there is none yet.', {
          minLength: 1,
          examples: ['postgres://user:password@localhost:5432/crm'],
        }),
        type: text('What the URL is meant to be of: the start is refused where it is another.', {
          enum: ['postgres', 'postgresql', 'pglite', 'sqlite', 'mysql', 'sqlserver'],
          examples: ['postgres'],
        }),
        ssl_mode: SSL_MODE,
        ...CONNECTIONS,
        functions: functionsFolder({ examples: ['db/crm/functions'] }),
      },
    },
  },
}
