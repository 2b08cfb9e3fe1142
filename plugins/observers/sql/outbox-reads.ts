import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Database } from '../../../core/doors/plugin.ts'
import { OUTBOX_COLUMNS, toEvent } from './outbox-row.ts'

const READ = {
  name: 'svc_outbox_read',
  text: [
    'SELECT',
    OUTBOX_COLUMNS,
    // Qualified with the table: the bare name is the text column of the result, which sorts '10' before '9'.
    'FROM svc_outbox o WHERE o.position > $1::bigint ORDER BY o.position LIMIT $2::int',
  ].join(' '),
} as const
/** Delay that combines the rows of several commits in one read: a read costs more than its rows. */
const PACE_MS = 4

/**
 * Reads the event table once for all readers of a process that are at the same position, such as the delivery and
 * subscriptions.
 */
export class OutboxReads {
  readonly #database: () => Database
  readonly #waiting = new Map<string, Promise<readonly ChangeEvent[]>>()
  #sentAt = Number.NEGATIVE_INFINITY

  constructor(database: () => Database) {
    this.#database = database
  }

  /**
   * Reads visible rows, in the order of positions.
   * @param isHasty `true` if more rows are known to exist. Then the read does not wait for further commits
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
    // Later callers may know of rows that this read does not see.
    this.#waiting.delete(key)
    this.#sentAt = performance.now()
    const { rows } = await this.#database().query(READ, parameters, null)
    return rows.map(toEvent)
  }
}
