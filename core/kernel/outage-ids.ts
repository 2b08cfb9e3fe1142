import { randomUUID } from 'node:crypto'

const MINUTE_MS = 60_000
/** Messages that are never the same twice must not fill the memory. */
const MOST = 100

export interface OutageId {
  readonly errorId: string
  /** Is this the failure that the log is to have under the id? */
  readonly isFirst: boolean
}

/**
 * One `errorId` for all requests that an outage refuses within a minute. Each of them would be a line of the log that says
 * nothing new and hides the rest; without a line the id that the client is told would lead nowhere.
 */
export class OutageIds {
  readonly #now: () => number
  readonly #open = new Map<string, { readonly errorId: string; readonly since: number }>()

  /** @param now milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** @param outage what tells one outage from another: the messages of the error and its causes */
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
