import type { EventBackend, EventConsumer } from './backend.ts'
import type { ChangeEvent } from './change/change-event.ts'
import { createMemoryDeliveries } from './deliver/memory-deliveries.ts'
import type { EventSink } from './feed/event-source.ts'

/** Events that wait; what comes on top is lost, and counted. */
const MOST_WAITING = 10_000

/** Events of this process alone, for as long as it lives: at most once across a restart. */
export function createMemoryBackend(dropped: (count: number) => void, mostDead: number): EventBackend {
  const pending = new Map<string, ChangeEvent>()
  let consumer: EventConsumer | null = null
  const always = new AbortController().signal
  let sink: EventSink | null = null
  // Above all positions of the process before: whoever reads on from one of those is told that it is too old.
  let last = BigInt(Date.now()) * 1_000_000n
  let done = String(last)

  async function deliver(to: EventConsumer, event: ChangeEvent): Promise<void> {
    try {
      await to.deliver(event)
    } catch {
      // The process is stopping: nobody else has it.
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
        sink = to
        if (from === null) to.begin(String(last))
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        sink = null
      },
      history: async () => ({ events: [], isTooOld: true }),
      positionOf: async () => null,
    },
    turn: () => always,
    start(given) {
      consumer = given
      void given.start()
    },
    committed(events) {
      const own = events().map((event) => ({ ...event, position: String(++last) }))
      if (own.length > 0) sink?.take(own, String(last))
      if (consumer === null) return
      for (const event of own) {
        if (pending.size >= MOST_WAITING) {
          dropped(1)
          continue
        }
        pending.set(event.id, event)
        void deliver(consumer, event)
      }
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
