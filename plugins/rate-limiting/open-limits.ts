import { openRedis, openStore, type Scope, SvcError } from '../../core/doors/plugin.ts'
import type { LimitRules, Limits } from './limits.ts'
import { createMemoryLimits } from './memory-limits.ts'
import type { RateLimitingOptions } from './options.ts'
import { createRedisLimits } from './redis-limits.ts'

export function toRules(options: RateLimitingOptions): LimitRules {
  const { requests_per_second: perSecond, burst_size: burst } = options
  const perUser = options.requests_per_second_per_user ?? 10 * perSecond
  return {
    rates: {
      ip: { perSecond, burst },
      user: { perSecond: perUser, burst: Math.max(1, Math.round((burst * perUser) / perSecond)) },
    },
    lockoutMs: options.failed_login_lockout_secs * 1000,
  }
}

/**
 * Opens the store of rate limits: Redis if `kvstore_url` is set, otherwise memory. It never falls back to memory.
 * @throws SvcError SVC_CONFIG_INVALID
 */
export async function openLimits(
  scope: Scope,
  { kvstore_url: url, max_clients: maxClients }: RateLimitingOptions,
  rules: LimitRules,
  warn: (message: string) => void,
): Promise<Limits> {
  if (url === undefined) {
    if (process.env.SVC_REQUIRE_KVSTORE === '1') {
      const message = 'SVC_REQUIRE_KVSTORE is 1, and security.rate_limiting has no kvstore_url.'
      throw new SvcError('SVC_CONFIG_INVALID', message)
    }
    const { configured } = scope.process.workers
    if (configured > 1) {
      warn(
        `server.workers is ${configured}, and each of them counts by itself: a client may get ${configured} times its limit. ` +
          'Set security.rate_limiting.kvstore_url to let them count together.',
      )
    }
    return createMemoryLimits(rules, { maxClients })
  }
  const prefix = `svc:${scope.config.project.name}:rate:`
  const { signals } = scope
  const windows = await openStore(`${prefix}window:`, { backend: 'kvstore', url, signals })
  return createRedisLimits(rules, await openRedis(url, { signals }), windows, prefix)
}
