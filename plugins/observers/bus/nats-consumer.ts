import { setTimeout as sleep } from 'node:timers/promises'
import type { JsMsg } from '@nats-io/jetstream'
import { readEntry } from './bus-entry.ts'
import { type BusConsumer, MOST_FETCHED } from './event-bus.ts'
import { Unread } from './unread.ts'

const WAIT_MS = 2000

type Fetch = (options: { max_messages: number; expires: number }) => Promise<AsyncIterable<JsMsg>>

/** What a durable consumer of JetStream is given, as a relay takes it. @param fetch asks for the next ones */
export function consumeMessages(fetch: Fetch, arrived: () => void): BusConsumer {
  const unread = new Unread()
  const taken = new Map<string, JsMsg>()
  let failure: unknown = null
  let isOpen = true

  const run = async (): Promise<void> => {
    while (isOpen) {
      for await (const message of await fetch({ max_messages: MOST_FETCHED, expires: WAIT_MS })) {
        const entry = readEntry(message.string())
        if (entry === null) message.ack()
        else {
          taken.set(entry.event.position, message)
          unread.add([entry])
          arrived()
        }
        if (!isOpen) return
      }
      while (isOpen && unread.isFull) await sleep(5)
    }
  }
  const running = run().catch((error: unknown) => {
    failure = error
    arrived()
  })

  return {
    read(limit) {
      if (failure !== null && isOpen) throw failure
      return unread.take(limit)
    },
    done(position) {
      taken.get(position)?.ack()
      taken.delete(position)
    },
    async close() {
      isOpen = false
      await Promise.race([running, sleep(WAIT_MS + 500, undefined, { ref: false })])
    },
  }
}
