import type { JsonSchema } from '../../core/doors/plugin.ts'

export const ALGORITHMS = ['HS256', 'RS256', 'ES256'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/** Options of the jwt plugin, which are keys of the section `[security]`. */
export interface JwtOptions {
  readonly jwt_secret?: string
  readonly jwt_private_key?: string
  readonly jwt_algorithm?: Algorithm
  readonly jwt_issuer?: string
  readonly jwt_audience?: string | readonly string[]
  readonly jwks_uri?: string
  readonly jwt_issuers: readonly IssuerOptions[]
  readonly jwt_roles_claim: string
  /** Path of the claim that contains the scopes. Default: the first usual scope claim that the token has. */
  readonly jwt_scopes_claim?: string
  readonly jwt_default_role?: string
  readonly jwt_clock_skew_secs: number
  readonly jwt_max_bytes: number
  readonly jwt_cache_bytes: number
}

/** An entry of `[[security.jwt_issuers]]`: a further trusted issuer. */
export interface IssuerOptions {
  readonly issuer: string
  readonly audience: string | readonly string[]
  readonly jwks_uri?: string
  readonly algorithms: readonly Exclude<Algorithm, 'HS256'>[]
}

const audience = (description: string): JsonSchema => ({
  type: ['string', 'array'],
  items: { type: 'string', minLength: 1 },
  minLength: 1,
  minItems: 1,
  description,
})

export const options: JsonSchema = {
  type: 'object',
  properties: {
    jwt_secret: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      environment: 'JWT_SECRET',
      description:
        'HS256: the secret that tokens are signed with, at least 32 bytes. RS256, ES256: file of the public key (PEM), relative to this file, or its text.',
      examples: ['keys/public.pem'],
    },
    jwt_private_key: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      environment: 'JWT_PRIVATE_KEY',
      description:
        'RS256, ES256: file of the private key (PEM) that belongs to `jwt_secret`, or its text, for a service that makes tokens itself (oauth). HS256 needs none.',
      examples: ['keys/private.pem'],
    },
    jwt_algorithm: {
      type: 'string',
      enum: [...ALGORITHMS],
      environment: 'JWT_ALGORITHM',
      description: 'The only algorithm that is accepted. Absent: HS256; with `jwks_uri`: RS256 and ES256.',
      examples: ['RS256'],
    },
    jwt_issuer: {
      type: 'string',
      minLength: 1,
      environment: 'JWT_ISSUER',
      description:
        'What `iss` has to be. Alone, without `jwt_secret` and `jwks_uri`, it is an OpenID provider whose keys are looked up.',
      examples: ['https://login.example.com'],
    },
    jwt_audience: {
      ...audience('What `aud` has to hold; of several, one of them.'),
      environment: 'JWT_AUDIENCE',
      examples: ['my-api'],
    },
    jwks_uri: {
      type: 'string',
      minLength: 1,
      description: "Where the issuer's public keys are (JWKS). They are fetched again when it uses another one.",
      examples: ['https://login.example.com/.well-known/jwks.json'],
    },
    jwt_issuers: {
      type: 'array',
      default: [],
      description:
        'More issuers, each with `issuer`, `audience`, and `jwks_uri` unless its OpenID configuration says where its keys are.',
      examples: [[{ issuer: 'https://login.example.com', audience: 'my-api' }]],
      items: {
        type: 'object',
        required: ['issuer', 'audience'],
        additionalProperties: false,
        properties: {
          issuer: { type: 'string', minLength: 1, description: 'What `iss` is.' },
          audience: audience('What `aud` has to hold.'),
          jwks_uri: { type: 'string', minLength: 1, description: 'Where its public keys are.' },
          algorithms: {
            type: 'array',
            items: { type: 'string', enum: ['RS256', 'ES256'] },
            minItems: 1,
            default: ['RS256', 'ES256'],
            description: 'What is accepted of it.',
          },
        },
      },
    },
    jwt_roles_claim: {
      type: 'string',
      minLength: 1,
      default: 'roles',
      environment: 'JWT_ROLES_CLAIM',
      description:
        'Claim with the roles: a list or one text. A path with dots reaches into objects; a key that holds dots stands in double quotes.',
    },
    jwt_scopes_claim: {
      type: 'string',
      minLength: 1,
      environment: 'JWT_SCOPES_CLAIM',
      description:
        'The one claim with the scopes: a text with spaces or a list, named as in `jwt_roles_claim`. Default: the first of `scope`, `scp`, `permissions`, `scopes` that is there.',
      examples: ['permissions'],
    },
    jwt_default_role: {
      type: 'string',
      minLength: 1,
      environment: 'JWT_DEFAULT_ROLE',
      description: 'Role of tokens without that claim.',
      examples: ['user'],
    },
    jwt_clock_skew_secs: {
      type: 'integer',
      minimum: 0,
      maximum: 300,
      default: 60,
      description: "How far the issuer's clock may be off, for `exp`, `nbf`, `iat` and `revoke-all`.",
    },
    jwt_max_bytes: {
      type: 'integer',
      minimum: 256,
      default: 8192,
      description: 'Tokens that are longer are refused before anything is read of them.',
    },
    jwt_cache_bytes: {
      type: 'integer',
      minimum: 0,
      default: 8_388_608,
      description: 'Memory for tokens that were verified, so that each is verified once. 0 = none are kept.',
    },
  },
}
