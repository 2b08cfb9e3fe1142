import { LRUCache } from 'lru-cache'
import { openStore } from '../../core/doors/plugin.ts'
import type { Kind, LimitRules, Limits, Lock, Rate, Taken } from './limits.ts'

/** The state of a bucket. It is updated with each request, so that no other object is created. */
class Bucket implements Taken {
  allowed = true
  tokens: number
  lockedMs = 0
  at: number

  constructor(tokens: number, at: number) {
    this.tokens = tokens
    this.at = at
  }
}

interface Failures {
  count: number
  /** Time at which the entry is removed. */
  endsAt: number
}

export interface MemoryLimitsOptions {
  readonly maxClients: number
  /** Monotonic clock in milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

/**
 * Creates rate limits in the memory of this process. When `maxClients` is reached, the least recently used entry is
 * removed.
 */
export async function createMemoryLimits(
  { rates, lockoutMs }: LimitRules,
  { maxClients, now = () => performance.now() }: MemoryLimitsOptions,
): Promise<Limits> {
  const buckets: Readonly<Record<Kind, LRUCache<string, Bucket>>> = {
    ip: new LRUCache({ max: maxClients }),
    user: new LRUCache({ max: maxClients }),
  }
  const failures = new LRUCache<string, Failures>({ max: maxClients })
  const windows = await openStore('', { backend: 'memory', maxEntries: maxClients, whenFull: 'evict', now })

  /** Ends of locks by name, in order. Separate from failures, so that failures of very many addresses cannot evict a lock. */
  const locked = new Map<string, number>()

  function lockedMs(locks: readonly Lock[], at: number): number {
    if (locks.length === 0 || locked.size === 0) return 0
    return locks.reduce((most, { name }) => Math.max(most, (locked.get(name) ?? 0) - at), 0)
  }

  function lock(name: string, at: number): void {
    for (const [other, until] of locked) {
      if (until > at && locked.size < maxClients) break
      locked.delete(other)
    }
    locked.set(name, at + lockoutMs)
  }

  function count({ name, max }: Lock, at: number): void {
    let found = failures.get(name)
    if (found === undefined || found.endsAt <= at) {
      found = { count: 0, endsAt: at + lockoutMs }
      failures.set(name, found)
    }
    if (++found.count < max) return
    failures.delete(name)
    locked.delete(name)
    lock(name, at)
  }

  return {
    take(kind, key, locks) {
      const rate = rates[kind]
      const at = now()
      let bucket = buckets[kind].get(key)
      if (bucket === undefined) {
        bucket = new Bucket(rate.burst, at)
        buckets[kind].set(key, bucket)
      }
      refill(bucket, rate, at)
      bucket.allowed = bucket.tokens >= 1
      if (bucket.allowed) bucket.tokens--
      bucket.lockedMs = lockedMs(locks, at)
      return bucket
    },
    count: (window, client, windowMs) => windows.increment(`${window} ${client}`, windowMs),
    fail(locks) {
      const at = now()
      // Counting starts again after the lockout. Attempts during it are rejected, and do not extend it.
      if (lockedMs(locks, at) > 0) return
      for (const one of locks) count(one, at)
    },
    close: () => windows.close(),
  }
}

function refill(bucket: Bucket, { perSecond, burst }: Rate, at: number): void {
  const tokens = bucket.tokens + ((at - bucket.at) * perSecond) / 1000
  bucket.tokens = tokens > burst ? burst : tokens
  bucket.at = at
}
