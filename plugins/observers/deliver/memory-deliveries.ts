import type { DeliveryStore, PendingDelivery, StoredDelivery } from './delivery.ts'

interface Waiting extends StoredDelivery {
  dueAt: number
  attempts: number
  error: string | null
}

/** Limit on waiting deliveries. Further ones become dead letters at once. */
const MOST_WAITING = 10_000

const MOST_DEAD = 10_000

/**
 * Creates the delivery store of the backend `in-memory`, which is lost with the process.
 * @param now returns the time in milliseconds
 * @param mostDead maximum number of dead letters; the oldest ones are deleted
 */
export function createMemoryDeliveries(now: () => number = Date.now, mostDead = MOST_DEAD): DeliveryStore {
  const waiting = new Map<string, Waiting>()
  const dead = new Map<string, StoredDelivery>()
  let last = 0
  /** Number of deleted dead letters that `trim` has not reported yet. */
  let uncounted = 0

  function letGo(most: number): void {
    for (const id of dead.keys()) {
      if (dead.size <= most) return
      dead.delete(id)
      uncounted++
    }
  }

  function keepDead(letter: StoredDelivery): void {
    dead.set(letter.id, letter)
    letGo(mostDead)
  }

  function leave({ id, lane }: StoredDelivery): boolean {
    waiting.delete(id)
    for (const other of waiting.values()) {
      if (other.lane !== lane) continue
      if (other.dueAt === Number.POSITIVE_INFINITY) other.dueAt = now()
      return true
    }
    return false
  }

  const keep = (delivery: PendingDelivery, error: string | null): StoredDelivery => ({
    ...delivery,
    id: String(++last),
    error,
  })

  return {
    waitingLanes: async (limit) => [...new Set([...waiting.values()].map(({ lane }) => lane))].slice(0, limit),
    isWaiting: async (lane) => [...waiting.values()].some((other) => other.lane === lane),
    async park(delivery, delayMs) {
      if (waiting.size >= MOST_WAITING) {
        keepDead(keep(delivery, `more than ${MOST_WAITING} deliveries wait`))
        return
      }
      const kept = keep(delivery, delivery.error)
      const isBehind = delayMs === null && [...waiting.values()].some(({ lane }) => lane === kept.lane)
      waiting.set(kept.id, { ...kept, dueAt: isBehind ? Number.POSITIVE_INFINITY : now() + (delayMs ?? 0) })
    },
    async due(limit) {
      const at = now()
      return [...waiting.values()].filter(({ dueAt }) => dueAt <= at).slice(0, limit)
    },
    async nextDueMs() {
      let next = Number.POSITIVE_INFINITY
      for (const { dueAt } of waiting.values()) next = Math.min(next, dueAt)
      return next === Number.POSITIVE_INFINITY ? null : Math.max(0, next - now())
    },
    done: async (delivery) => leave(delivery),
    async again({ id, attempts, error }, delayMs) {
      const one = waiting.get(id)
      if (one !== undefined) Object.assign(one, { attempts, error, dueAt: now() + delayMs })
    },
    async bury(delivery) {
      keepDead('id' in delivery ? delivery : keep(delivery, delivery.error))
      return 'id' in delivery ? leave(delivery) : false
    },
    counts: async () => ({
      waiting: waiting.size,
      dead: dead.size,
      deadWebhooks: [...dead.values()].filter(({ actionType }) => actionType === 'webhook').length,
    }),
    async trim(most) {
      letGo(most)
      const dropped = uncounted
      uncounted = 0
      return dropped
    },
  }
}
