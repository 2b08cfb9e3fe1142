import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchDatabase } from '../bench-database.ts'
import { postData } from '../post.ts'
import { cpuSeconds } from '../process-tree.ts'
import { median } from '../stats.ts'
import { readMemory } from '../svc-process.ts'
import { withNotes } from './measure-throughput.ts'
import { SUBSCRIBE, WRITE } from './notes.ts'
import { openSubscribers } from './subscribers.ts'
import { waitFor } from './wait-for.ts'

export interface FanOutRow {
  readonly subscribers: number
  /** Resident, before the first of them came and with all of them idle, MiB. */
  readonly beforeMiB: number
  readonly idleMiB: number
  /** Time until one event reached the first subscriber, and the last; medians. */
  readonly firstMs: number
  readonly lastMs: number
  /** The slowest round. */
  readonly worstMs: number
  /** Processor time of the server for one event, in milliseconds. */
  readonly cpuMs: number
}

const ROUNDS = 7

/** Clients with a connection each; then one event for all of them, some times. */
export async function measureFanOut(database: BenchDatabase, count: number): Promise<FanOutRow> {
  return withNotes(database, null, null, async ({ url, pid }) => {
    await postData(url, WRITE)
    await sleep(1000)
    const beforeMiB = readMemory(pid).rss
    const subscribers = await openSubscribers(url, count, SUBSCRIBE)
    try {
      await sleep(3000)
      const idleMiB = readMemory(pid).rss
      const rounds: { first: number; last: number; cpu: number }[] = []
      for (let round = 0; round <= ROUNDS; round++) {
        await subscribers.heard()
        const cpu = cpuSeconds(pid)
        const sent = performance.timeOrigin + performance.now()
        await postData(url, WRITE)
        const heard = { messages: 0, first: Number.POSITIVE_INFINITY, last: 0 }
        await waitFor('one event', async () => {
          const { messages, first, last } = await subscribers.heard()
          if (messages === 0) return false
          heard.messages += messages
          heard.first = Math.min(heard.first, first)
          heard.last = last
          return heard.messages >= count
        })
        // The first one is read by code that never ran before.
        if (round > 0) rounds.push({ first: heard.first - sent, last: heard.last - sent, cpu: cpuSeconds(pid) - cpu })
        await sleep(1200)
      }
      return {
        subscribers: count,
        beforeMiB,
        idleMiB,
        firstMs: median(rounds.map(({ first }) => first)),
        lastMs: median(rounds.map(({ last }) => last)),
        worstMs: Math.max(...rounds.map(({ last }) => last)),
        cpuMs: median(rounds.map(({ cpu }) => cpu)) * 1000,
      }
    } finally {
      await subscribers.stop()
    }
  })
}
