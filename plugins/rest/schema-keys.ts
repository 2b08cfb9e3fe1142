import type { PluginKeys } from '../../core/doors/schema-keys.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

declare module '../../core/doors/schema-keys.ts' {
  interface OperationKeys {
    readonly rest_path?: string
    readonly rest_method?: string
  }

  interface OperationKeyOptions {
    /** REST route, with `{param}` placeholders. */
    readonly restPath?: string
    readonly restMethod?: (typeof METHODS)[number]
  }
}

/** The keys of `schema.json` that belong to the rest plugin: `rest_path` and `rest_method` of operations. */
export const schemaKeys: PluginKeys = {
  check: './check-keys',
  faults: { rest: 'A REST route is malformed, names an unknown argument, or exists twice.' },
  operationAliases: { 'rest.path': 'rest_path', 'rest.method': 'rest_method' },
  capitals: ['rest_method'],
  keys: [
    {
      place: 'operation',
      after: 'public',
      keys: {
        rest_path: { type: 'string', minLength: 1, description: 'REST route with `{argument}` placeholders.' },
        rest_method: { enum: METHODS, description: 'REST method.' },
      },
      wants: { rest_method: 'GET, POST, PUT, PATCH or DELETE' },
    },
  ],
}
