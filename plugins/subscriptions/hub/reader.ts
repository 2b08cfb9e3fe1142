import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { OutgoingEvent } from '../transport/subscriptions.ts'
import { passes } from './events-lost.ts'
import type { LiveEvent } from './live-event.ts'
import type { Member } from './member.ts'
import type { Watch } from './watch.ts'

/** Most events that a reader queues. One more is an overflow. */
const MOST_WAITING = 2000
/** Most events that are read together. */
const BATCH = 100
/** Pause between attempts while the database cannot be reached. */
const RETRY_MS = 250

export interface ReaderParts {
  /** Waits until a read may start. @returns a function to call after the read */
  readonly begin: () => Promise<() => void>
  /** Checks the access of the subscribers again. Those whose access has changed leave the reader. */
  readonly refresh: (reader: Reader) => Promise<void>
  readonly read: (watch: Watch, events: readonly LiveEvent[]) => Promise<readonly (string | null)[]>
  readonly deliver: (member: Member, outgoing: OutgoingEvent, at: bigint | null) => void
  /** Called when too many events wait for a reader, before its queue is emptied. Its subscribers must catch up. */
  readonly overflow: (reader: Reader) => void
  /** Called with the error of a read, for the log. */
  readonly failed: (error: unknown) => void
  /** Ends the subscription of a subscriber with an error that a repeated read would not avoid. */
  readonly fail: (member: Member, error: unknown) => void
}

/** Reads rows once for all subscribers with the same selection and access, and sends them the result. */
export class Reader {
  readonly key: string
  readonly members = new Set<Member>()
  readonly #parts: ReaderParts
  #waiting: LiveEvent[] = []
  #running: Promise<void> | null = null
  /** The events of the present batch that have not been sent yet. */
  #batch: readonly LiveEvent[] = []

  constructor(key: string, parts: ReaderParts) {
    this.key = key
    this.#parts = parts
  }

  /** The watch of any member, since all have an equal one; `null` without members. */
  get watch(): Watch | null {
    for (const { watch } of this.members) return watch
    return null
  }

  /** Returns the position up to which its members got all events. @param position that of the hub */
  doneUpTo(position: bigint): bigint {
    for (const { at } of [...this.#batch, ...this.#waiting]) if (at !== null) return at - 1n
    return position
  }

  /** Messages without a position that have not been sent yet. */
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

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && this.members.size > 0) {
      // Events that arrive until its turn begins are read together.
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

  /** @returns `false` when the batch could not be read; it is queued again */
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
        // Later events queue after these, up to the limit.
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
    const outgoing: OutgoingEvent = { event, text }
    for (const member of this.members) {
      if (at !== null && at <= member.since) continue
      this.#parts.deliver(member, outgoing, at)
    }
  }
}

/**
 * Limits the number of concurrent reads of subscriptions. A read that had to wait starts in a later iteration of the
 * event loop, so that requests run in between.
 */
export class Turns {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Waits for a turn. @returns the function that ends the turn; call it once */
  async begin(): Promise<() => void> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    return () => this.#end()
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const end = await this.begin()
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Passes the turn to the next piece, or frees it. */
  #end(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running--
    else setImmediate(next)
  }
}
