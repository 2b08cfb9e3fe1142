import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[security.pkce]`. */
export interface OAuthOptions {
  readonly enabled: boolean
  readonly code_challenge_method: 'S256' | 'plain'
  readonly kvstore_url?: string
  readonly state_ttl_secs: number
  readonly max_pending: number
  readonly callback_url?: string
  readonly redirect_uris: readonly string[]
  readonly provider?: string
  readonly issuer_url?: string
  readonly client_id?: string
  readonly audience?: string
  readonly scope?: string
  readonly user_function?: string
  readonly claims: readonly string[]
  readonly access_ttl_secs: number
  readonly refresh_ttl_secs: number
  readonly max_sessions: number
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Adds the plugin to the list.' },
    code_challenge_method: {
      type: 'string',
      enum: ['S256', 'plain'],
      default: 'S256',
      description:
        'How the verifier of PKCE is shown to the provider. `plain` shows it as it is: for old providers alone.',
    },
    kvstore_url: {
      type: 'string',
      minLength: 1,
      description:
        'Redis for logins that are under way and for sessions: `redis://host:6379`. Absent: the memory of this process.',
      examples: ['redis://localhost:6379'],
    },
    state_ttl_secs: {
      type: 'integer',
      minimum: 10,
      maximum: 3600,
      default: 600,
      description: 'Time for one login, from start to callback.',
    },
    max_pending: {
      type: 'integer',
      minimum: 1,
      default: 10_000,
      description: 'In memory: most logins that are under way at once. One more is 503.',
    },
    callback_url: {
      type: 'string',
      minLength: 1,
      environment: 'OAUTH_REDIRECT_URI',
      description:
        'Where the provider sends people back: the public address of `/auth/callback`, as it is registered there. Required.',
      examples: ['https://api.example.com/auth/callback'],
    },
    redirect_uris: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 2048 },
      default: [],
      description: 'Where a login may lead to in the end. Compared to the letter; their origins may use the cookie.',
      examples: [['https://app.example.com/welcome']],
    },
    provider: {
      type: 'string',
      minLength: 1,
      environment: 'OAUTH_PROVIDER',
      description: 'The provider of a login that names none. Absent: the only one there is.',
      examples: ['google'],
    },
    issuer_url: {
      type: 'string',
      minLength: 1,
      description:
        'Issuer of the provider `oidc`: any OpenID provider, or the proxy in front of SAML. Its secret: `OIDC_CLIENT_SECRET`.',
      examples: ['https://login.example.com/realms/shop'],
    },
    client_id: { type: 'string', minLength: 1, description: 'What `oidc` knows this service by.', examples: ['shop'] },
    audience: {
      type: 'string',
      minLength: 1,
      description: 'Audience of the tokens that `oidc` requests, for providers that require one.',
      examples: ['shop-api'],
    },
    scope: {
      type: 'string',
      minLength: 1,
      description: 'Requested scopes. Absent: `openid profile email`; for GitHub `read:user user:email`.',
      examples: ['openid profile email offline_access'],
    },
    user_function: {
      type: 'string',
      pattern: '^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?$',
      description:
        "Function of the database that takes the profile (jsonb) and gives the user, with an `id`. svc makes the tokens then. Absent: the provider's tokens are handed on.",
      examples: ['fn_upsert_oauth_user'],
    },
    claims: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: ['email', 'name', 'roles', 'scopes'],
      description: 'Fields of the user that go into tokens, where they are there. `sub` is the `id`.',
    },
    access_ttl_secs: {
      type: 'integer',
      minimum: 30,
      maximum: 86_400,
      default: 3600,
      description: 'Life of the tokens that svc makes.',
    },
    refresh_ttl_secs: {
      type: 'integer',
      minimum: 60,
      maximum: 7_776_000,
      default: 1_209_600,
      description: 'Life of a session, from its login on; refreshing does not prolong it.',
    },
    max_sessions: {
      type: 'integer',
      minimum: 1,
      default: 100_000,
      description: 'In memory: most sessions. One more ends the oldest.',
    },
  },
}
