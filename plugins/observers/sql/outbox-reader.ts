import type { Database } from '../../../core/index.ts'
import type { ChangeEvent } from '../change/change-event.ts'
import type { OutboxReads } from './outbox-reads.ts'

/** A number above that of every transaction that has one by now. */
const FENCE = { name: 'svc_outbox_fence', text: 'SELECT pg_current_xact_id()::text' } as const
/** Between looks at a gap: most are transactions that are about to commit, some stay open. */
const SOON_MS = 5
const LATE_MS = 250

/** A gap that did not close by itself: below `upTo` nothing more comes once all transactions before `tx` have ended. */
interface Fence {
  readonly upTo: bigint
  readonly tx: bigint
}

interface Gap {
  /** The position before it. */
  readonly at: bigint
  /** The next one that was there. */
  readonly next: bigint
  looks: number
}

export interface OutboxBatch {
  readonly events: readonly ChangeEvent[]
  /** There is more, behind a gap that is not decided yet: it is worth another look after so long. `null`: there is none. */
  readonly waitMs: number | null
}

/**
 * Reads the outbox in the order of positions, and goes past a position only when it is decided: its row is there, or can
 * never come, because every transaction that might have taken it has ended. Positions are taken while the row is locked
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
    // A transaction that stays open is asked about again and again: what is behind it is not read each time.
    const most = this.#gap !== null && this.#fence !== null ? 1 : limit
    const found = await this.#reads.read(this.#position, most, this.#isMore)
    const events: ChangeEvent[] = []
    const decided = this.#fence !== null && found.oldestOpen >= this.#fence.tx ? this.#fence.upTo : -1n
    let position = this.#position
    let gap: Gap | null = null
    for (const event of found.events) {
      const next = BigInt(event.position)
      if (next !== position + 1n && next > decided) {
        gap = { at: position, next, looks: 0 }
        break
      }
      position = next
      events.push(event)
    }
    this.#position = position
    this.#isMore = events.length === limit
    if (gap === null) {
      this.#gap = null
      this.#fence = null
    } else await this.#mindGap(gap, BigInt(found.events.at(-1)!.position), decided)
    return { events, waitMs: this.#gap === null ? null : waitOf(this.#gap) }
  }

  /** Most gaps are transactions that are about to commit; what is left when it is looked at again gets a fence. */
  async #mindGap(gap: Gap, upTo: bigint, decided: bigint): Promise<void> {
    const known = this.#gap?.at === gap.at ? this.#gap : null
    this.#gap = known === null ? gap : { ...gap, looks: known.looks + 1 }
    if (known === null || (this.#fence !== null && decided === -1n && gap.at < this.#fence.upTo)) return
    const { rows } = await this.#database().query(FENCE, [], null)
    this.#fence = { upTo, tx: BigInt(rows[0]![0]!) }
  }
}

function waitOf({ looks }: Gap): number {
  return Math.min(SOON_MS * 2 ** Math.min(looks, 10), LATE_MS)
}
