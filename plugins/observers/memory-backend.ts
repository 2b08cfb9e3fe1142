import type { EventBackend, EventConsumer } from './backend.ts'
import type { ChangeEvent } from './change/change-event.ts'
import { createMemoryDeliveries } from './deliver/memory-deliveries.ts'

/** Events that wait; what comes on top is lost, and counted. */
const MOST_WAITING = 10_000

/** Events of this process alone, for as long as it lives: at most once across a restart. */
export function createMemoryBackend(dropped: (count: number) => void): EventBackend {
  const pending = new Map<string, ChangeEvent>()
  let consumer: EventConsumer | null = null
  let last = 0
  let done = '0'

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
    store: createMemoryDeliveries(),
    mayAct: () => true,
    start(given) {
      consumer = given
      void given.start()
    },
    committed(events) {
      if (consumer === null) return
      for (const event of events) {
        if (pending.size >= MOST_WAITING) {
          dropped(1)
          continue
        }
        const own = { ...event, position: String(++last) }
        pending.set(own.id, own)
        void deliver(consumer, own)
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
