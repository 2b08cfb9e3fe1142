import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { type BusEntry, readEntry } from './bus-entry.ts'
import { type BusConsumer, MOST_FETCHED } from './event-bus.ts'
import { Unread } from './unread.ts'

const GROUP = 'observers'
/** Milliseconds that a blocking read of a Redis stream waits for entries. */
export const BLOCK_MS = 2000

export type Entries = readonly (readonly [id: string, fields: readonly string[] | null])[]

interface Consuming {
  readonly main: Redis
  readonly own: (work: (redis: Redis) => Promise<void>) => Promise<void>
  readonly stream: string
}

/**
 * Reads a Redis stream as the consumer group of the observers. It starts with entries that another process read and did
 * not acknowledge.
 * @param floor position up to which all events are delivered
 * @param arrived called when entries can be read
 */
export async function consumeStream(
  { main, own, stream }: Consuming,
  floor: string,
  arrived: () => void,
): Promise<BusConsumer> {
  const name = randomUUID()
  await main.xgroup('CREATE', stream, GROUP, `${floor}-0`, 'MKSTREAM').catch((error: Error) => {
    if (!error.message.startsWith('BUSYGROUP')) throw error
  })
  const unread = new Unread()
  let failure: unknown = null
  let isOpen = true
  let connection: Redis | null = null

  function add(entries: Entries): void {
    // Entries that were trimmed after another process took them have no fields.
    unread.add(entries.flatMap(toEntry))
    arrived()
  }

  const running = own(async (redis) => {
    connection = redis
    // The process that had the turn before has ended or lost its lease, so that all entries that it took are stale.
    for (let from = '0-0'; isOpen; ) {
      const claim = await redis.xautoclaim(stream, GROUP, name, 0, from, 'COUNT', MOST_FETCHED)
      const [next, entries] = claim as [string, Entries]
      add(entries)
      if (next === '0-0') break
      from = next
      while (isOpen && unread.isFull) await sleep(5)
    }
    while (isOpen) {
      const read = ['GROUP', GROUP, name, 'COUNT', MOST_FETCHED, 'BLOCK', BLOCK_MS, 'STREAMS', stream, '>'] as const
      const found = (await redis.xreadgroup(...read)) as [string, Entries][] | null
      add(found?.[0]?.[1] ?? [])
      while (isOpen && unread.isFull) await sleep(5)
    }
  }).catch((error: unknown) => {
    if (!isOpen) return
    failure = error
    arrived()
  })

  return {
    read(limit) {
      if (failure !== null) throw failure
      return unread.take(limit)
    },
    done(position) {
      // An entry without acknowledgement is delivered again, and recognized as handled by its position.
      void main.xack(stream, GROUP, `${position}-0`).catch(() => {})
    },
    async close() {
      isOpen = false
      connection?.disconnect()
      await running
      // Pending entries stay until the next process claims them. The name of a consumer without any would stay forever.
      const pending = (await main.xpending(stream, GROUP, '-', '+', 1, name).catch(() => [null])) as unknown[]
      if (pending.length === 0) await main.xgroup('DELCONSUMER', stream, GROUP, name).catch(() => {})
    },
  }
}

export function toEntry([, fields]: Entries[number]): readonly BusEntry[] {
  const entry = fields === null ? null : readEntry(fields[1] ?? '')
  return entry === null ? [] : [entry]
}

export function toPosition(id: string): string {
  return id.split('-')[0]!
}
