import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Database } from '../../../core/doors/plugin.ts'
import { haveEnded, openWriters } from './open-writers.ts'
import type { OutboxReads } from './outbox-reads.ts'

const TABLE = 'svc_outbox'

/** Between looks at a gap: most are transactions that are about to commit, some stay open. */
const SOON_MS = 5
const LATE_MS = 250

/** A gap that did not close by itself: up to `upTo` nothing more comes once these transactions have ended. */
interface Fence {
  readonly upTo: bigint
  readonly writers: ReadonlySet<string>
}

interface Gap {
  /** The position before it. */
  readonly at: bigint
  looks: number
}

export interface OutboxBatch {
  readonly events: readonly ChangeEvent[]
  /** There is more, behind a gap that is not decided yet: it is worth another look after so long. `null`: there is none. */
  readonly waitMs: number | null
}

/**
 * Reads the outbox in the order of positions, and goes past a position only when it is decided: its row is there, or can
 * never come, because every transaction that had written to the outbox when it was missed has ended. Positions are taken while the row is locked
 * that was written, so that their order is that of the changes of a row, whichever transaction began first.
 */
export class OutboxReader {
  readonly #database: () => Database
  readonly #reads: OutboxReads
  #position: bigint
  /** When the last read ended at one. */
  #gap: Gap | null = null
  #fence: Fence | null = null
  /** The last read found as much as was asked for. */
  #isMore = false

  constructor(database: () => Database, reads: OutboxReads, position: string) {
    this.#database = database
    this.#reads = reads
    this.#position = BigInt(position)
  }

  async read(limit: number): Promise<OutboxBatch> {
    const fence = this.#fence
    if (fence !== null && this.#gap !== null && !(await haveEnded(this.#database(), TABLE, fence.writers))) {
      // A transaction that stays open is asked about again and again: what is behind it is not read each time.
      this.#gap.looks++
      return { events: [], waitMs: waitOf(this.#gap) }
    }
    // Read behind the look at the locks: a transaction lets go of them when its rows are there.
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

  /** Most gaps are transactions that are about to commit; what is left when it is looked at again gets a fence. */
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
