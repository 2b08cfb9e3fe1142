import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchDatabase } from '../bench-database.ts'
import { postGraphQL } from '../post.ts'
import { median, percentile } from '../stats.ts'
import { withNotes } from './measure-throughput.ts'
import { openNoteSink } from './note-sink.ts'
import { SUBSCRIBE, WRITE } from './notes.ts'
import { openSubscribers } from './subscribers.ts'

export interface LatencyRow {
  readonly perSecond: number
  readonly to: string
  readonly heard: number
  /** Milliseconds from the moment the row was written, in the transaction, until it was there. */
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Mutations at a steady rate; a subscriber and a webhook hear of each. */
export async function measureLatency(
  database: BenchDatabase,
  perSecond: number,
  seconds: number,
): Promise<readonly LatencyRow[]> {
  const sink = await openNoteSink()
  try {
    return await withNotes(database, sink.url, sink.host, async ({ url }) => {
      const subscribers = await openSubscribers(url, 1, SUBSCRIBE)
      try {
        await write(url, perSecond, 3)
        await sleep(500)
        await subscribers.heard()
        await sink.received()
        await write(url, perSecond, seconds)
        await sleep(500)
        const { latencies } = await subscribers.heard()
        return [
          row(perSecond, 'a subscriber', latencies),
          row(perSecond, 'a webhook', (await sink.received()).latencies),
        ]
      } finally {
        await subscribers.stop()
      }
    })
  } finally {
    await sink.close()
  }
}

async function write(url: string, perSecond: number, seconds: number): Promise<void> {
  const count = perSecond * seconds
  const started = performance.now()
  const sent: Promise<void>[] = []
  while (sent.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - started) / 1000) * perSecond))
    while (sent.length < due) {
      sent.push(
        postGraphQL(url, WRITE).then(({ body }) => {
          if (body.includes('"errors"')) throw new Error(body)
        }),
      )
    }
    await sleep(1)
  }
  await Promise.all(sent)
}

function row(perSecond: number, to: string, latencies: readonly number[]): LatencyRow {
  const max = latencies.reduce((most, each) => Math.max(most, each), 0)
  return { perSecond, to, heard: latencies.length, p50: median(latencies), p99: percentile(latencies, 0.99), max }
}
