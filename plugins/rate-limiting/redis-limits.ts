import { createHash } from 'node:crypto'
import { type KeyValueStore, type RedisConnection, redisScript } from '../../core/index.ts'
import type { Kind, LimitRules, Limits, Taken } from './limits.ts'

/** KEYS: bucket, lock. ARGV: tokens per millisecond, burst. The clock is the server's: those of the instances may differ. */
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
return {allowed, string.format('%.6f', tokens), redis.call('PTTL', KEYS[2])}`)

/** KEYS: failed attempts, lock. ARGV: most attempts, milliseconds of a lock. */
const FAIL = redisScript(`if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if count >= tonumber(ARGV[1]) then
  redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
  redis.call('DEL', KEYS[1])
end
return count`)

/** Counts in a key-value server, for all instances that share it: one round trip for each request. */
export function createRedisLimits(
  { rates, maxAttempts, lockoutMs }: LimitRules,
  redis: RedisConnection,
  windows: KeyValueStore,
  prefix: string,
): Limits {
  const lockOf = (client: string): string => `${prefix}lock:${client}`
  const bucketOf = (kind: Kind, key: string): string => prefix + (kind === 'ip' ? `ip:${key}` : `user:${digest(key)}`)

  return {
    async take(kind, key, client): Promise<Taken> {
      const { perSecond, burst } = rates[kind]
      const answer = await redis.script(TAKE, [bucketOf(kind, key), lockOf(client)], [perSecond / 1000, burst])
      const [allowed, tokens, lockedMs] = answer as [number, string, number]
      return { allowed: allowed === 1, tokens: Number(tokens), lockedMs: Math.max(0, lockedMs) }
    },
    count: (window, client, windowMs) => windows.increment(`${window} ${client}`, windowMs),
    async fail(client) {
      await redis.script(FAIL, [`${prefix}failed:${client}`, lockOf(client)], [maxAttempts, lockoutMs])
    },
    async close() {
      await Promise.all([redis.close(), windows.close()])
    },
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
