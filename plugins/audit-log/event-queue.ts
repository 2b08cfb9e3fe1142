import type { AuditEvent } from './audit-event.ts'

/** What takes events away. */
export interface Sink {
  /** Most events that it takes at once. */
  readonly batch: number
  /** @throws whatever keeps it from taking them; they are given again then */
  write(events: readonly AuditEvent[]): Promise<void>
  close(): Promise<void>
}

export interface QueueOptions {
  readonly maxQueued: number
  /** How many were lost since it was said last. */
  readonly lost: (count: number) => void
  /** The sink does not take them; said once until it does again. */
  readonly failed: (error: unknown) => void
  /** How long to leave a sink alone that has failed. */
  readonly retryMs?: number
  /** How long closing waits for what is queued. */
  readonly closeMs?: number
}

const CLOSE_MS = 3000
/** An overload is many losses. */
const TELL_MS = 1000

/**
 * Between requests, which never wait, and a sink, which may take its time or be away. What finds no place is lost, and that is
 * said.
 */
export class EventQueue {
  readonly #sink: Sink
  readonly #options: QueueOptions
  readonly #retryMs: number
  #waiting: AuditEvent[] = []
  #taken = 0
  #lost = 0
  #toldAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> | null = null
  #closed = false
  #wake: (() => void) | null = null

  constructor(sink: Sink, options: QueueOptions) {
    this.#sink = sink
    this.#options = options
    this.#retryMs = options.retryMs ?? 1000
  }

  /** Never waits and never throws. @returns was it taken? */
  add(event: AuditEvent): boolean {
    if (this.#closed || this.#waiting.length - this.#taken >= this.#options.maxQueued) {
      this.#lost++
      if (this.#closed || performance.now() - this.#toldAt >= TELL_MS) this.#tellLost()
      return false
    }
    this.#waiting.push(event)
    this.#running ??= this.#run()
    return true
  }

  /** Writes what waits, for some seconds at most; the rest is lost. */
  async close(): Promise<void> {
    this.#closed = true
    this.#wake?.()
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.closeMs ?? CLOSE_MS)
    })
    await Promise.race([this.#running, tooLong])
    clearTimeout(timer)
    this.#giveUp()
    this.#tellLost()
    await Promise.race([this.#sink.close(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
  }

  async #run(): Promise<void> {
    // What comes within the same turn goes along.
    await null
    let isDown = false
    while (this.#taken < this.#waiting.length) {
      const batch = this.#waiting.slice(this.#taken, this.#taken + this.#sink.batch)
      try {
        await this.#sink.write(batch)
        this.#taken += batch.length
        this.#compact()
        isDown = false
      } catch (error) {
        if (!isDown) this.#options.failed(error)
        isDown = true
        if (this.#closed) this.#giveUp()
        else await this.#pause()
      }
    }
    this.#running = null
    this.#tellLost()
  }

  #compact(): void {
    if (this.#taken < this.#waiting.length) {
      if (this.#taken < 4096) return
      this.#waiting = this.#waiting.slice(this.#taken)
    } else this.#waiting = []
    this.#taken = 0
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#retryMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #giveUp(): void {
    this.#lost += this.#waiting.length - this.#taken
    this.#waiting = []
    this.#taken = 0
  }

  #tellLost(): void {
    if (this.#lost === 0) return
    this.#toldAt = performance.now()
    this.#options.lost(this.#lost)
    this.#lost = 0
  }
}
