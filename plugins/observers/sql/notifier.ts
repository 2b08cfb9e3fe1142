import type { Database } from '../../../core/index.ts'

const CHANNEL = 'svc_outbox'
const NOTIFY = { name: 'svc_outbox_notify', text: `SELECT pg_notify('svc_outbox', '')` } as const
/** Many commits in this time are one call. NOTIFY stands in no transaction of a write: commits would wait for each other. */
const COALESCE_MS = 5

/** Tells the process that delivers, wherever it runs, that there is something. What is lost is found by its polling. */
export class Notifier {
  readonly #database: () => Database
  readonly #heard: () => void
  #end: (() => Promise<void>) | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(database: () => Database, heard: () => void) {
    this.#database = database
    this.#heard = heard
  }

  /** @throws SvcError SERVICE_UNAVAILABLE */
  async listen(): Promise<void> {
    this.#end ??= (await this.#database().listen?.(CHANNEL, this.#heard)) ?? null
  }

  tell(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      void this.#database()
        .query(NOTIFY, [], null)
        .catch(() => {})
    }, COALESCE_MS)
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#end?.()
  }
}
