import { randomUUID } from 'node:crypto'
import type { Database } from '../../../core/doors/plugin.ts'

const CHANNEL = 'svc_outbox'
const NOTIFY = { name: 'svc_outbox_notify', text: `SELECT pg_notify('svc_outbox', $1)` } as const
/** Many commits in this time are one call. NOTIFY stands in no transaction of a write: commits would wait for each other. */
const COALESCE_MS = 5

/** Tells whoever reads the outbox, wherever it runs, that there is something. What is lost is found by polling. */
export class Notifier {
  readonly #database: () => Database
  /** By which a process knows its own call: it has heard. */
  readonly #id = randomUUID()
  readonly #hearers = new Set<() => void>()
  #listening: Promise<() => Promise<void>> | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(database: () => Database) {
    this.#database = database
  }

  /** @returns ends it */
  hear(heard: () => void): () => void {
    this.#hearers.add(heard)
    return () => void this.#hearers.delete(heard)
  }

  /** @throws SvcError SERVICE_UNAVAILABLE */
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

  /** Listeners of this process. */
  heard(): void {
    for (const heard of this.#hearers) heard()
  }

  /** Those of other processes. */
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
