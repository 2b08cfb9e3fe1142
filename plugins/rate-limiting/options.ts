import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Old keys in `[security.enterprise]`. */
const LEGACY_KEYS = ['rate_limiting_enabled', 'auth_endpoint_max_requests', 'auth_endpoint_window_seconds'] as const

/** Options of the section `[security.rate_limiting]`. */
export interface RateLimitingOptions {
  readonly enabled: boolean
  readonly requests_per_second: number
  readonly requests_per_second_per_user?: number
  readonly burst_size: number
  readonly trust_proxy_headers: boolean
  readonly trusted_proxies: readonly string[]
  readonly proxy_header?: ProxyHeader
  readonly kvstore_url?: string
  readonly fail_open: boolean
  readonly max_clients: number
  readonly auth_start_max_requests: number
  readonly auth_start_window_secs: number
  readonly auth_callback_max_requests: number
  readonly auth_callback_window_secs: number
  readonly auth_refresh_max_requests: number
  readonly auth_refresh_window_secs: number
  readonly auth_logout_max_requests: number
  readonly auth_logout_window_secs: number
  readonly auth_endpoint_max_requests?: number
  readonly auth_endpoint_window_secs: number
  readonly failed_login_max_attempts: number
  readonly failed_login_lockout_secs: number
}

/** Older names of the rate limiting options, which the section `[security.enterprise]` still accepts. */
export interface EnterpriseKeys {
  readonly rate_limiting_enabled?: boolean
  readonly auth_endpoint_max_requests?: number
  readonly auth_endpoint_window_seconds?: number
}

/** Header in which a trusted proxy sends the client's address. */
export type ProxyHeader = 'x-forwarded-for' | 'x-real-ip'

const count = (byDefault: number, description: string): JsonSchema => ({
  type: 'integer',
  minimum: 1,
  maximum: 1_000_000,
  default: byDefault,
  description,
})
const seconds = (byDefault: number, description: string): JsonSchema => ({
  ...count(byDefault, description),
  maximum: 2_592_000,
})
const window = (name: string, max: number, secs: number): Readonly<Record<string, JsonSchema>> => ({
  [`auth_${name}_max_requests`]: count(max, `Requests of a client to \`/auth/${name}\` within its window.`),
  [`auth_${name}_window_secs`]: seconds(secs, `Length of the window of \`/auth/${name}\`.`),
})

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Adds the plugin to the list.' },
    requests_per_second: {
      type: 'number',
      minimum: 0.001,
      maximum: 1_000_000,
      default: 100,
      description: 'Requests that a client without a credential has, each second, by its address.',
    },
    requests_per_second_per_user: {
      type: 'number',
      minimum: 0.001,
      maximum: 10_000_000,
      description: 'Requests that a user has, each second. Absent: ten times `requests_per_second`.',
      examples: [1000],
    },
    burst_size: count(200, 'Requests at once, after a pause. Users have more in the same proportion as their rate.'),
    trust_proxy_headers: {
      type: 'boolean',
      default: false,
      description: "Read the client's address from what a proxy says. Only behind a proxy that says it.",
    },
    trusted_proxies: {
      type: 'array',
      items: { type: 'string', minLength: 2 },
      default: [],
      description:
        'With `trust_proxy_headers`: addresses and networks of trusted proxies. Empty: the connecting address is trusted, and no proxy behind it.',
      examples: [['10.0.0.0/8', '2001:db8::/32']],
    },
    proxy_header: {
      type: 'string',
      enum: ['x-forwarded-for', 'x-real-ip'],
      description:
        'With `trust_proxy_headers`: the one header that the proxy writes. Absent: either; where both are there they have to agree.',
      examples: ['x-forwarded-for'],
    },
    kvstore_url: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Redis, where all instances count together: `redis://host:6379`. Absent: each process by itself.',
      examples: ['redis://localhost:6379'],
    },
    fail_open: {
      type: 'boolean',
      default: true,
      description:
        'Serve requests while the store cannot be reached; logins wait for it in any case (503). Off: everything does.',
    },
    max_clients: {
      type: 'integer',
      minimum: 100,
      maximum: 10_000_000,
      default: 50_000,
      description:
        'Addresses, and users, that are kept in memory, about 400 bytes each; the longest silent are forgotten.',
    },
    ...window('start', 5, 60),
    ...window('callback', 10, 60),
    ...window('refresh', 20, 300),
    ...window('logout', 30, 60),
    auth_endpoint_max_requests: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      description:
        'Requests of a client to all paths under `/auth/` together, within their window. Absent: no such bound.',
      examples: [100],
    },
    auth_endpoint_window_secs: seconds(60, 'Length of the window of all paths under `/auth/`.'),
    failed_login_max_attempts: count(10, 'The refused credential that locks a client out.'),
    failed_login_lockout_secs: seconds(900, 'How long a client is locked out, and how long a failed attempt counts.'),
  },
}

/** Adds the default that belongs to the older option `rate_limiting_enabled`: 100 requests a minute below `/auth/`. */
export function withLegacyDefaults(options: RateLimitingOptions, legacy: EnterpriseKeys): RateLimitingOptions {
  if (legacy.rate_limiting_enabled !== true || options.auth_endpoint_max_requests !== undefined) return options
  return { ...options, auth_endpoint_max_requests: 100 }
}

export function warnOfLegacyKeys(legacy: EnterpriseKeys, warn: (message: string) => void): void {
  const written = LEGACY_KEYS.filter((key) => legacy[key] !== undefined)
  if (written.length === 0) return
  warn(`[security.enterprise] ${written.join(', ')}: old names. The section for this is [security.rate_limiting].`)
}
