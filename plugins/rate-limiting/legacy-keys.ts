import type { EnterpriseKeys, RateLimitingOptions } from './options.ts'

const KEYS = ['rate_limiting_enabled', 'auth_endpoint_max_requests', 'auth_endpoint_window_seconds'] as const

/** Switched on by its old name it has its old bound: 100 requests a minute for everything under `/auth/`. */
export function withLegacyDefaults(options: RateLimitingOptions, legacy: EnterpriseKeys): RateLimitingOptions {
  if (legacy.rate_limiting_enabled !== true || options.auth_endpoint_max_requests !== undefined) return options
  return { ...options, auth_endpoint_max_requests: 100 }
}

export function warnOfLegacyKeys(legacy: EnterpriseKeys, warn: (message: string) => void): void {
  const written = KEYS.filter((key) => legacy[key] !== undefined)
  if (written.length === 0) return
  warn(`[security.enterprise] ${written.join(', ')}: old names. The section for this is [security.rate_limiting].`)
}
