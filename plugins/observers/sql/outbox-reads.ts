import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Database } from '../../../core/doors/plugin.ts'
import { OUTBOX_COLUMNS, toEvent } from './outbox-row.ts'

const READ = {
  name: 'svc_outbox_read',
  text: [
    'SELECT',
    OUTBOX_COLUMNS,
    // By the column: the name alone is that of the text, of which '10' comes before '9'.
    'FROM svc_outbox o WHERE o.position > $1::bigint ORDER BY o.position LIMIT $2::int',
  ].join(' '),
} as const
/** What commits within so long is read together: a read costs more than the rows that it finds. */
const PACE_MS = 4

/** The reads of one process: the relay and those who read for subscribers stand at one place most of the time, and read it once. */
export class OutboxReads {
  readonly #database: () => Database
  readonly #waiting = new Map<string, Promise<readonly ChangeEvent[]>>()
  #sentAt = Number.NEGATIVE_INFINITY

  constructor(database: () => Database) {
    this.#database = database
  }

  /**
   * Those that are there, in the order of positions.
   * @param isHasty there is more than was read last: it does not wait for what else commits
   */
  read(after: bigint, limit: number, isHasty: boolean): Promise<readonly ChangeEvent[]> {
    const key = `${after} ${limit}`
    const same = this.#waiting.get(key)
    if (same !== undefined) return same
    const own = this.#send(key, [String(after), String(limit)], isHasty)
    this.#waiting.set(key, own)
    return own
  }

  async #send(key: string, parameters: readonly string[], isHasty: boolean): Promise<readonly ChangeEvent[]> {
    const rest = isHasty ? 0 : this.#sentAt + PACE_MS - performance.now()
    await new Promise<void>((resolve) => void (rest > 0 ? setTimeout(resolve, rest) : setImmediate(resolve)))
    // Whoever asks from now on may have heard of what this does not see any more.
    this.#waiting.delete(key)
    this.#sentAt = performance.now()
    const { rows } = await this.#database().query(READ, parameters, null)
    return rows.map(toEvent)
  }
}
