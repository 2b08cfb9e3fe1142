import { LRUCache } from 'lru-cache'
import { openStore } from '../../core/index.ts'
import type { Kind, LimitRules, Limits, Rate, Taken } from './limits.ts'

/** Written into with each request; nothing else is made for one. */
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
  /** When they are forgotten. */
  endsAt: number
  lockedUntil: number
}

export interface MemoryLimitsOptions {
  readonly maxClients: number
  /** Milliseconds that never go back. */
  readonly now?: () => number
}

/** Counts in this process, within a bound: whoever has been silent for longest is forgotten first. */
export async function createMemoryLimits(
  { rates, maxAttempts, lockoutMs }: LimitRules,
  { maxClients, now = () => performance.now() }: MemoryLimitsOptions,
): Promise<Limits> {
  const buckets: Readonly<Record<Kind, LRUCache<string, Bucket>>> = {
    ip: new LRUCache({ max: maxClients }),
    user: new LRUCache({ max: maxClients }),
  }
  const failures = new LRUCache<string, Failures>({ max: maxClients })
  const windows = await openStore('', { backend: 'memory', maxEntries: maxClients, whenFull: 'evict', now })

  function lockedMs(client: string, at: number): number {
    if (failures.size === 0) return 0
    const found = failures.get(client)
    return found === undefined ? 0 : Math.max(0, found.lockedUntil - at)
  }

  return {
    take(kind, key, client) {
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
      bucket.lockedMs = lockedMs(client, at)
      return bucket
    },
    count: (window, client, windowMs) => windows.increment(`${window} ${client}`, windowMs),
    fail(client) {
      const at = now()
      let found = failures.get(client)
      // The end of a lock is a new beginning; what is tried meanwhile is refused, and makes it no longer.
      if (found === undefined || found.endsAt <= at) {
        found = { count: 0, endsAt: at + lockoutMs, lockedUntil: 0 }
        failures.set(client, found)
      }
      if (found.lockedUntil > 0) return
      found.count++
      if (found.count < maxAttempts) return
      found.lockedUntil = at + lockoutMs
      found.endsAt = found.lockedUntil
    },
    close: () => windows.close(),
  }
}

function refill(bucket: Bucket, { perSecond, burst }: Rate, at: number): void {
  const tokens = bucket.tokens + ((at - bucket.at) * perSecond) / 1000
  bucket.tokens = tokens > burst ? burst : tokens
  bucket.at = at
}
