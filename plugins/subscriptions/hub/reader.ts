import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Told } from '../api.ts'
import { passes } from './events-lost.ts'
import type { LiveEvent } from './live-event.ts'
import type { Member } from './member.ts'
import type { Watch } from './watch.ts'

/** Events that wait for one read. What comes on top is too much for it. */
const MOST_WAITING = 2000
/** Rows that are read at once. */
const BATCH = 100
/** Between attempts, while the database is away. */
const RETRY_MS = 250

export interface ReaderParts {
  /** Waits for a turn to read. @returns ends the turn */
  readonly begin: () => Promise<() => void>
  /** Asks again what its members may see; who may see something else by now leaves it. */
  readonly refresh: (reader: Reader) => Promise<void>
  readonly read: (watch: Watch, events: readonly LiveEvent[]) => Promise<readonly (string | null)[]>
  readonly deliver: (member: Member, told: Told, at: bigint | null) => void
  /** It had more to read than it may keep. */
  readonly overflow: (reader: Reader) => void
  readonly failed: (error: unknown) => void
  /** What it wants cannot be read, and another attempt would not help. */
  readonly fail: (member: Member, error: unknown) => void
}

/** Those who want the same and may see the same: what an event tells them is read once. */
export class Reader {
  readonly key: string
  readonly members = new Set<Member>()
  readonly #parts: ReaderParts
  #waiting: LiveEvent[] = []
  #running: Promise<void> | null = null
  /** What of a batch is not told yet. */
  #batch: readonly LiveEvent[] = []

  constructor(key: string, parts: ReaderParts) {
    this.key = key
    this.#parts = parts
  }

  /** Anybody's: all want the same. */
  get watch(): Watch | null {
    for (const { watch } of this.members) return watch
    return null
  }

  /** Everything up to here was told to its members, if this is how far the hub is. */
  doneUpTo(position: bigint): bigint {
    for (const { at } of [...this.#batch, ...this.#waiting]) if (at !== null) return at - 1n
    return position
  }

  /** Messages that stand in no order, and are not told yet. */
  get unordered(): readonly ChangeEvent[] {
    return [...this.#batch, ...this.#waiting].flatMap(({ at, event }) => (at === null ? [event] : []))
  }

  push(event: LiveEvent): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#parts.overflow(this)
      this.#waiting = []
      return
    }
    this.#waiting.push(event)
    this.#running ??= this.#run()
  }

  /** Resolves when all that waits is told. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && this.members.size > 0) {
      // What comes until it is its turn is read together.
      const end = await this.#parts.begin()
      let isDone: boolean
      try {
        isDone = await this.#readBatch(this.#waiting.splice(0, BATCH))
      } finally {
        end()
      }
      if (!isDone) await sleep(RETRY_MS)
    }
    if (this.members.size === 0) this.#waiting = []
    this.#running = null
  }

  /** @returns `false`: it could not be read, and waits */
  async #readBatch(batch: readonly LiveEvent[]): Promise<boolean> {
    this.#batch = batch
    try {
      await this.#parts.refresh(this)
      const { watch } = this
      const texts = watch === null ? [] : await this.#parts.read(watch, batch)
      for (const [index, text] of texts.entries()) {
        const event = batch[index]!
        if (text !== null) this.#tell(event, text)
        this.#batch = batch.slice(index + 1)
      }
    } catch (error) {
      this.#parts.failed(error)
      if (passes(error)) {
        // They wait, and so do those who come behind them, up to the bound.
        this.#waiting.unshift(...batch)
        return false
      }
      for (const member of [...this.members]) this.#parts.fail(member, error)
    } finally {
      this.#batch = []
    }
    return true
  }

  #tell({ event, at }: LiveEvent, text: string): void {
    const told: Told = { event, text }
    for (const member of this.members) {
      if (at !== null && at <= member.since) continue
      this.#parts.deliver(member, told, at)
    }
  }
}
