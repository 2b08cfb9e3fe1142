import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Database } from '../../../core/doors/plugin.ts'
import { haveEnded, openWriters } from './open-writers.ts'
import type { OutboxReads } from './outbox-reads.ts'

const TABLE = 'svc_outbox'

/** Delay before a gap is checked again: most are filled by transactions that are about to commit, some stay open. */
const SOON_MS = 5
const LATE_MS = 250

/** A gap that stays open: no row up to `upTo` can appear once these transactions have ended. */
interface Fence {
  readonly upTo: bigint
  readonly writers: ReadonlySet<string>
}

interface Gap {
  /** The position before the gap. */
  readonly at: bigint
  looks: number
}

export interface OutboxBatch {
  readonly events: readonly ChangeEvent[]
  /**
   * Milliseconds before the next read, because an earlier transaction may still insert a row before the next one;
   * `null`: read on.
   */
  readonly waitMs: number | null
}

/**
 * Reads the event table in the order of positions. It waits at a missing position until all transactions that could
 * still insert it have ended. The changes of one row are in order, because a transaction takes a position while it
 * locks the row.
 */
export class OutboxReader {
  readonly #database: () => Database
  readonly #reads: OutboxReads
  #position: bigint
  /** The gap at which the last read ended. */
  #gap: Gap | null = null
  #fence: Fence | null = null
  /** Did the last read return as many rows as requested? */
  #isMore = false

  constructor(database: () => Database, reads: OutboxReads, position: string) {
    this.#database = database
    this.#reads = reads
    this.#position = BigInt(position)
  }

  async read(limit: number): Promise<OutboxBatch> {
    const fence = this.#fence
    if (fence !== null && this.#gap !== null && !(await haveEnded(this.#database(), TABLE, fence.writers))) {
      // An open transaction is checked many times. The rows behind it are not read each time.
      this.#gap.looks++
      return { events: [], waitMs: waitOf(this.#gap) }
    }
    // Rows are read after the check of locks: a transaction releases its locks after its rows are visible.
    const found = await this.#reads.read(this.#position, limit, this.#isMore)
    const events: ChangeEvent[] = []
    const decided = fence?.upTo ?? -1n
    let position = this.#position
    let gap: Gap | null = null
    for (const event of found) {
      const next = BigInt(event.position)
      if (next !== position + 1n && next > decided) {
        gap = { at: position, looks: 0 }
        break
      }
      position = next
      events.push(event)
    }
    this.#position = position
    this.#isMore = events.length === limit
    this.#fence = null
    if (gap === null) this.#gap = null
    else await this.#mindGap(gap, BigInt(found.at(-1)!.position))
    return { events, waitMs: this.#gap === null ? null : waitOf(this.#gap) }
  }

  /** Checks a gap. Most transactions are about to commit; a gap that is still open at the second check gets a fence. */
  async #mindGap(gap: Gap, upTo: bigint): Promise<void> {
    const isKnown = this.#gap?.at === gap.at
    this.#gap = gap
    if (!isKnown) return
    gap.looks = 1
    this.#fence = { upTo, writers: await openWriters(this.#database(), TABLE) }
  }
}

function waitOf({ looks }: Gap): number {
  return Math.min(SOON_MS * 2 ** Math.min(looks, 10), LATE_MS)
}
