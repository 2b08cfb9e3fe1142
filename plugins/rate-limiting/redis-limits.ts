import { createHash } from 'node:crypto'
import { type KeyValueStore, type RedisConnection, redisScript } from '../../core/doors/plugin.ts'
import type { Kind, LimitRules, Limits, Lock, Taken } from './limits.ts'

/** KEYS: bucket, locks. ARGV: tokens per millisecond, burst. Uses the clock of the server, because those of instances may differ. */
const TAKE = redisScript(`local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(state[1]) or burst, tonumber(state[2]) or now
tokens = math.min(burst, tokens + math.max(0, now - at) * rate)
local allowed = 0
if tokens >= 1 then
  allowed = 1
  tokens = tokens - 1
  redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%.3f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) / rate) + 1000)
end
local locked = 0
for i = 2, #KEYS do locked = math.max(locked, redis.call('PTTL', KEYS[i])) end
return {allowed, string.format('%.6f', tokens), locked}`)

/** KEYS: failed attempts and lock, for each lock. ARGV: milliseconds of a lockout, limit of attempts for each. */
const FAIL = redisScript(`for i = 2, #KEYS, 2 do
  if redis.call('EXISTS', KEYS[i]) == 1 then return 0 end
end
for i = 2, #KEYS, 2 do
  local count = redis.call('INCR', KEYS[i - 1])
  if count == 1 then redis.call('PEXPIRE', KEYS[i - 1], ARGV[1]) end
  if count >= tonumber(ARGV[1 + i / 2]) then
    redis.call('SET', KEYS[i], '1', 'PX', ARGV[1])
    redis.call('DEL', KEYS[i - 1])
  end
end
return 1`)

/**
 * Creates rate limits in Redis, which all instances share, with one round trip per request.
 * @param windows store of the counts per time window
 * @param prefix prefix of the Redis keys
 */
export function createRedisLimits(
  { rates, lockoutMs }: LimitRules,
  redis: RedisConnection,
  windows: KeyValueStore,
  prefix: string,
): Limits {
  const lockOf = ({ name }: Lock): string => `${prefix}lock:${name}`
  const bucketOf = (kind: Kind, key: string): string => prefix + (kind === 'ip' ? `ip:${key}` : `user:${digest(key)}`)

  return {
    async take(kind, key, locks): Promise<Taken> {
      const { perSecond, burst } = rates[kind]
      const keys = [bucketOf(kind, key), ...locks.map(lockOf)]
      const answer = await redis.script(TAKE, keys, [perSecond / 1000, burst])
      const [allowed, tokens, lockedMs] = answer as [number, string, number]
      return { allowed: allowed === 1, tokens: Number(tokens), lockedMs: Math.max(0, lockedMs) }
    },
    count: (window, client, windowMs) => windows.increment(`${window} ${client}`, windowMs),
    async fail(locks) {
      const keys = locks.flatMap((lock) => [`${prefix}failed:${lock.name}`, lockOf(lock)])
      await redis.script(FAIL, keys, [lockoutMs, ...locks.map(({ max }) => max)])
    },
    async close() {
      await Promise.all([redis.close(), windows.close()])
    },
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
