import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[security.csrf_prevention]`. */
export interface CsrfOptions {
  readonly headers: readonly string[]
  readonly trusted_origins: readonly string[]
  readonly exempt_paths: readonly string[]
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    headers: {
      type: 'array',
      items: { type: 'string', minLength: 3, pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" },
      minItems: 1,
      default: ['X-CSRF-Protection', 'X-Requested-With', 'Apollo-Require-Preflight', 'X-Apollo-Operation-Name'],
      description:
        'Headers that no page of another site can send by itself; one of them, with any value, is proof enough.',
    },
    trusted_origins: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description: 'Origins whose pages may send anything, besides those listed in `server.cors.origins`.',
      examples: [['https://app.example.com']],
    },
    exempt_paths: {
      type: 'array',
      items: { type: 'string', pattern: '^/' },
      default: ['/auth/callback'],
      description:
        'Paths, to the letter, that other sites send forms to. What comes there has to prove itself otherwise.',
    },
  },
}
