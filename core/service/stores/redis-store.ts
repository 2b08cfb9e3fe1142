import type { KeyValueStore } from '../../contract/store.ts'
import { type RedisConnection, redisScript } from './redis.ts'
import { storeKey } from './store-key.ts'

const TAKE = redisScript(`local value = redis.call('GET', KEYS[1])
redis.call('DEL', KEYS[1])
return value`)
const INCREMENT = redisScript(`local value = redis.call('INCRBY', KEYS[1], ARGV[1])
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  ttl = tonumber(ARGV[2])
end
return {value, ttl}`)

/**
 * Creates a key-value store in a Redis server. Processes with the same server and prefix share its keys.
 * @param prefix prefix of all keys
 */
export function createRedisStore(redis: RedisConnection, prefix: string): KeyValueStore {
  const keyOf = (key: string): string => storeKey(prefix, key)
  const ttlOf = (ttlMs: number): number => Math.max(1, Math.ceil(ttlMs))
  return {
    kind: 'kvstore',
    get: async (key) => (await redis.call('GET', keyOf(key))) as string | null,
    async set(key, value, ttlMs) {
      await redis.call('SET', keyOf(key), value, 'PX', ttlOf(ttlMs))
    },
    async add(key, value, ttlMs) {
      return (await redis.call('SET', keyOf(key), value, 'PX', ttlOf(ttlMs), 'NX')) !== null
    },
    take: async (key) => (await redis.script(TAKE, [keyOf(key)], [])) as string | null,
    delete: async (key) => (await redis.call('DEL', keyOf(key))) === 1,
    async increment(key, ttlMs, by = 1) {
      const [value, left] = (await redis.script(INCREMENT, [keyOf(key)], [by, ttlOf(ttlMs)])) as [number, number]
      return { value, ttlMs: left }
    },
    close: () => redis.close(),
  }
}
