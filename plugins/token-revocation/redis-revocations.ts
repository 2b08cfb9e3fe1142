import { createHash } from 'node:crypto'
import { type RedisConnection, redisScript } from '../../core/doors/plugin.ts'
import { isBefore, type RevocationStore, type TokenRef } from './revocation-store.ts'

/** KEYS: token, subject, tokens of the subject. ARGV: lifetime in milliseconds, expiry, name of the token, now. */
const CHECK = redisScript(`local state = ''
if ARGV[3] ~= '' then
  state = redis.call('GET', KEYS[1])
  if not state then
    state = '0'
    redis.call('SET', KEYS[1], state, 'PX', ARGV[1])
    redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[4])
    redis.call('ZADD', KEYS[3], ARGV[2], ARGV[3])
    local last = redis.call('ZRANGE', KEYS[3], -1, -1, 'WITHSCORES')
    redis.call('PEXPIREAT', KEYS[3], string.format('%.0f', tonumber(last[2])))
  end
end
return {state, redis.call('GET', KEYS[2]) or ''}`)

/** KEYS: subject, its tokens. ARGV: now, prefix of token keys. */
const REVOKE_ALL = redisScript(`local before = tonumber(redis.call('GET', KEYS[1]) or '0')
if tonumber(ARGV[1]) > before then redis.call('SET', KEYS[1], ARGV[1]) end
local count = 0
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf')) do
  local key = ARGV[2] .. name
  if redis.call('GET', key) == '0' then
    redis.call('SET', key, '1', 'KEEPTTL')
    count = count + 1
  end
end
return count`)

/**
 * Creates the store of revoked tokens in Redis. The server must not evict keys, because an evicted revocation has no
 * effect.
 * @param prefix prefix of the Redis keys
 */
export function createRedisRevocations(redis: RedisConnection, prefix: string): RevocationStore {
  const tokens = `${prefix}t:`
  const subjectKey = (subject: string): string => `${prefix}s:${digest(subject)}`
  const knownKey = (subject: string): string => `${prefix}u:${digest(subject)}`
  const nameOf = ({ issuer, jti }: TokenRef): string => (jti === null ? '' : digest(`${issuer}\0${jti}`))
  const livesFor = (endsAt: number): number => Math.max(1, endsAt - Date.now())

  return {
    async isRevoked(token) {
      const { subject, endsAt } = token
      const name = nameOf(token)
      const keys = [tokens + name, subjectKey(subject ?? ''), knownKey(subject ?? '')]
      const answer = await redis.script(CHECK, keys, [livesFor(endsAt), endsAt, name, Date.now()])
      const [state, notBefore] = answer as [string, string]
      if (state === '1') return true
      return subject !== null && notBefore !== '' && isBefore(token, Math.floor(Number(notBefore) / 1000))
    },
    async revoke(token) {
      await redis.call('SET', tokens + nameOf(token), '1', 'PX', livesFor(token.endsAt))
    },
    revokeAll: async (subject, nowMs) =>
      (await redis.script(REVOKE_ALL, [subjectKey(subject), knownKey(subject)], [nowMs, tokens])) as number,
    close: () => redis.close(),
  }
}

/** Digests a text to a short key, without collisions in practice. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
