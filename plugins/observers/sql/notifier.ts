import { randomUUID } from 'node:crypto'
import type { Database } from '../../../core/doors/plugin.ts'

const CHANNEL = 'svc_outbox'
const NOTIFY = { name: 'svc_outbox_notify', text: `SELECT pg_notify('svc_outbox', $1)` } as const
/** Commits within this time share one NOTIFY. It is sent outside the transactions of writes, because commits would wait for each other. */
const COALESCE_MS = 5

/**
 * Tells the readers of the event table in all processes that there are new events, with NOTIFY. Readers also poll, so a
 * notification may be lost.
 */
export class Notifier {
  readonly #database: () => Database
  /** Identifies the notifications of this process, which it ignores. */
  readonly #id = randomUUID()
  readonly #hearers = new Set<() => void>()
  #listening: Promise<() => Promise<void>> | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(database: () => Database) {
    this.#database = database
  }

  /** Registers a callback. @returns the function that unregisters it */
  hear(heard: () => void): () => void {
    this.#hearers.add(heard)
    return () => void this.#hearers.delete(heard)
  }

  /** Listens to other processes. @throws SvcError SERVICE_UNAVAILABLE */
  async listen(): Promise<void> {
    const database = this.#database()
    if (database.listen === undefined) return
    this.#listening ??= database.listen(CHANNEL, (from) => from !== this.#id && this.heard())
    try {
      await this.#listening
    } catch (error) {
      this.#listening = null
      throw error
    }
  }

  /** Notifies listeners in this process. */
  heard(): void {
    for (const heard of this.#hearers) heard()
  }

  /** Notifies other processes. */
  tell(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      void this.#database()
        .query(NOTIFY, [this.#id], null)
        .catch(() => {})
    }, COALESCE_MS)
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#listening?.then(
      (end) => end(),
      () => {},
    )
  }
}
