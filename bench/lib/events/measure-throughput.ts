import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchDatabase } from '../bench-database.ts'
import { writeBenchProject } from '../bench-project.ts'
import { cpuSeconds } from '../process-tree.ts'
import { compileProject, type SvcProcess, startSvc } from '../svc-process.ts'
import { type NoteSink, openNoteSink } from './note-sink.ts'
import { type NoteWriter, openNoteWriter } from './note-writer.ts'
import { notesSchema, SUBSCRIBE } from './notes.ts'
import { openSubscribers, type Subscribers } from './subscribers.ts'
import { waitFor } from './wait-for.ts'

export interface ThroughputRow {
  /** Whom events went to. */
  readonly to: string
  readonly events: number
  /** Events per second, from the first one that came to the last. */
  readonly perSecond: number
  readonly messagesPerSecond: number
  /** Processor time of the server, in microseconds. */
  readonly cpuUs: number
}

/** Events at once. */
const CHUNK = 5000
/** Maximum number of undelivered events: below the limit of a subscriber. */
const AHEAD = 1500
const PIECE = 500

/** Starts a server with the events of notes in the outbox, for as long as `work` lasts. */
export async function withNotes<T>(
  database: BenchDatabase,
  url: string | null,
  host: string | null,
  work: (server: SvcProcess) => Promise<T>,
): Promise<T> {
  const observers = { enabled: true, backend: 'sqldb', ...(host === null ? {} : { allow_hosts: [host] }) }
  const settings = { plugins: { preset: 'full' }, observers, subscriptions: { enabled: true } }
  const project = writeBenchProject(notesSchema(url), settings)
  try {
    compileProject(project.dir, database.url)
    const server = await startSvc({ project: project.dir, databaseUrl: database.url })
    try {
      return await work(server)
    } finally {
      await server.stop()
    }
  } finally {
    project.remove()
  }
}

/** The relay, as fast as it can: everything stands in the outbox, the webhook answers at once. */
export async function measureWebhooks(database: BenchDatabase, events: number): Promise<ThroughputRow> {
  const sink = await openNoteSink()
  const writer = await openNoteWriter(database.url)
  try {
    return await withNotes(database, sink.url, sink.host, async (server) => {
      await writer.write(CHUNK)
      await arrived(sink, CHUNK)
      const before = cpuSeconds(server.pid)
      const started = performance.now()
      for (let left = events; left > 0; left -= CHUNK) await writer.write(Math.min(left, CHUNK))
      await arrived(sink, events)
      const seconds = (performance.now() - started) / 1000
      return row('a webhook', events, seconds, 1, cpuSeconds(server.pid) - before)
    })
  } finally {
    await writer.close()
    await sink.close()
  }
}

async function arrived(sink: NoteSink, events: number): Promise<void> {
  let count = 0
  await waitFor('webhooks', async () => {
    count += (await sink.received()).count
    return count >= events
  })
}

/** Subscribers that read all events, while new ones are written as fast as they read. */
export async function measureSubscribers(
  database: BenchDatabase,
  events: number,
  count: number,
): Promise<ThroughputRow> {
  return withNotes(database, null, null, async (server) => {
    const subscribers = await openSubscribers(server.url, count, SUBSCRIBE)
    const writer = await openNoteWriter(database.url)
    try {
      await tell(writer, subscribers, CHUNK)
      const before = cpuSeconds(server.pid)
      const seconds = await tell(writer, subscribers, events)
      const to = count === 1 ? 'a subscriber' : `${count} subscribers`
      return row(to, events, seconds, count, cpuSeconds(server.pid) - before)
    } finally {
      await writer.close()
      await subscribers.stop()
    }
  })
}

/** @returns seconds until all of them heard all of it */
async function tell(writer: NoteWriter, subscribers: Subscribers, events: number): Promise<number> {
  await subscribers.heard()
  const started = performance.now()
  let heard = 0
  let written = 0
  while (heard < events * subscribers.count) {
    const isRoom = written - heard / subscribers.count < AHEAD
    if (isRoom && written < events) {
      const size = Math.min(PIECE, events - written)
      await writer.write(size)
      written += size
    } else await sleep(2)
    heard += (await subscribers.heard()).messages
    if (performance.now() - started > 300_000) throw new Error(`${heard} messages of ${events} events came`)
  }
  return (performance.now() - started) / 1000
}

function row(to: string, events: number, seconds: number, each: number, cpu: number): ThroughputRow {
  const perSecond = events / seconds
  return { to, events, perSecond, messagesPerSecond: perSecond * each, cpuUs: (cpu / events) * 1e6 }
}
