import type { ChangeEvent, changes } from '../../../core/doors/front.ts'
import { createMemoryDeliveries } from '../deliver/memory-deliveries.ts'
import type { EventBackend, EventConsumer } from './backend.ts'

/** Limit on waiting events. Further ones are dropped and counted. */
const MOST_WAITING = 10_000

interface MemoryMessages {
  /** The events of one transaction, for the feed. */
  readonly committed: readonly ChangeEvent[]
  /** One event of the transaction, for observers. */
  readonly event: ChangeEvent
}

/**
 * Creates the backend `in-memory`: a queue for events of this process. Queued events are lost when the process ends.
 * @param dropped called with the number of events dropped because the queue is full
 * @param mostDead maximum number of failed deliveries to keep
 */
export function createMemoryBackend(
  dropped: (count: number) => void,
  mostDead: number,
  Bus: typeof changes.InProcessBus,
  failed: (error: unknown) => void = (error) => process.emitWarning(error as Error),
): EventBackend {
  const bus = new Bus<MemoryMessages>(failed)
  const pending = new Map<string, ChangeEvent>()
  let consumer: EventConsumer | null = null
  const always = new AbortController().signal
  // Above all positions of an earlier process, so that a reader that resumes from one of those learns that it is too old.
  let last = BigInt(Date.now()) * 1_000_000n
  let done = String(last)

  async function deliver(to: EventConsumer, event: ChangeEvent): Promise<void> {
    try {
      await to.deliver(event)
    } catch {
      // The process is stopping, and no other process has the event.
      dropped(1)
    } finally {
      pending.delete(event.id)
      done = event.position
    }
  }

  return {
    insert: null,
    store: createMemoryDeliveries(Date.now, mostDead),
    source: {
      isDurable: false,
      async follow(from, to, signal) {
        if (from === null) to.begin(String(last))
        const end = bus.subscribe('committed', (events) => to.take(events, events.at(-1)!.position))
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
        end()
      },
      history: async () => ({ events: [], isTooOld: true }),
      positionOf: async () => null,
    },
    turn: () => always,
    start(given) {
      consumer = given
      bus.subscribe('event', (event) => {
        if (pending.size >= MOST_WAITING) {
          dropped(1)
          return
        }
        pending.set(event.id, event)
        void deliver(given, event)
      })
      void given.start()
    },
    committed(events) {
      const own = events().map((event) => ({ ...event, position: String(++last) }))
      if (own.length > 0) bus.publish('committed', own)
      for (const event of own) bus.publish('event', event)
    },
    async status() {
      const [oldest] = pending.values()
      const lagSeconds = oldest === undefined ? 0 : Math.max(0, Date.now() - Date.parse(oldest.time)) / 1000
      return { active: true, position: done, last: String(last), pending: pending.size, lagSeconds }
    },
    async stop() {
      while (pending.size > 0) await new Promise((resolve) => setTimeout(resolve, 20))
      await consumer?.stop()
    },
  }
}
