import { randomUUID } from 'node:crypto'

const MINUTE_MS = 60_000
/** Most outages in memory, because their keys may all differ. */
const MOST = 100

export interface OutageId {
  readonly errorId: string
  /** The failure is the first of its outage, and the one to log. */
  readonly isFirst: boolean
}

/**
 * Ids of outages. All requests that one outage fails within a minute share an `errorId`, so that the log has one line for it, and clients
 * still get an id that leads to this line.
 */
export class OutageIds {
  readonly #now: () => number
  readonly #open = new Map<string, { readonly errorId: string; readonly since: number }>()

  /** @param now milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Returns the id of an outage. @param outage key of the outage: the messages of the error and its causes */
  of(outage: string): OutageId {
    const now = this.#now()
    const known = this.#open.get(outage)
    if (known !== undefined && now - known.since < MINUTE_MS) return { errorId: known.errorId, isFirst: false }
    this.#open.delete(outage)
    if (this.#open.size >= MOST) this.#open.delete(this.#open.keys().next().value as string)
    const errorId = randomUUID()
    this.#open.set(outage, { errorId, since: now })
    return { errorId, isFirst: true }
  }
}
