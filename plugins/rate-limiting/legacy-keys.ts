import type { RateLimitingOptions } from './options.ts'

type Config = Readonly<Record<string, unknown>>
const KEYS = ['rate_limiting_enabled', 'auth_endpoint_max_requests', 'auth_endpoint_window_seconds'] as const

/** What stands in `[security.enterprise]`, where rate limiting was before. */
function legacyOf(config: Config): Readonly<Record<string, unknown>> {
  const { enterprise } = (config.security ?? {}) as { readonly enterprise?: Readonly<Record<string, unknown>> }
  return enterprise ?? {}
}

/** Switched on by its old name it has its old bound: 100 requests a minute for everything under `/auth/`. */
export function withLegacyDefaults(options: RateLimitingOptions, config: Config): RateLimitingOptions {
  if (legacyOf(config).rate_limiting_enabled !== true || options.auth_endpoint_max_requests !== undefined)
    return options
  return { ...options, auth_endpoint_max_requests: 100 }
}

export function warnOfLegacyKeys(config: Config, warn: (message: string) => void): void {
  const written = KEYS.filter((key) => legacyOf(config)[key] !== undefined)
  if (written.length === 0) return
  warn(`[security.enterprise] ${written.join(', ')}: old names. The section for this is [security.rate_limiting].`)
}
