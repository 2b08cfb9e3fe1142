import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[server.admin]`. */
export interface AdminOptions {
  readonly enabled: boolean
  readonly token?: string
  readonly readonly_token?: string
  readonly max_failures_per_minute: number
}

/** Characters (docs/plugins/admin.md#options). */
const SHORTEST_TOKEN = 32

/** Admin tokens of the example configuration. They are public, so svc rejects them at start. */
export const EXAMPLES = ['write-here-32-random-characters-1', 'write-here-32-random-characters-2'] as const

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Adds the plugin to the list.' },
    token: {
      type: 'string',
      minLength: SHORTEST_TOKEN,
      writeOnly: true,
      description: 'For everything. At least 32 characters. Required.',
      examples: [EXAMPLES[0]],
    },
    readonly_token: {
      type: 'string',
      minLength: SHORTEST_TOKEN,
      writeOnly: true,
      description: 'For what only reads. At least 32 characters. Default: `token` alone.',
      examples: [EXAMPLES[1]],
    },
    max_failures_per_minute: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: 'After so many wrong tokens from one address, all of it are refused until the minute is over.',
    },
  },
}
