import type { AuditEvent } from './audit-event.ts'

/** Destination of audit events: a table, a file or stdout. */
export interface Sink {
  /** Maximum number of events that the queue passes to one call of `write`. */
  readonly batch: number
  /**
   * Writes events in their order. After an error, the queue calls it again with the same events.
   * @throws an error when the events could not be written
   */
  write(events: readonly AuditEvent[]): Promise<void>
  close(): Promise<void>
}

export interface QueueOptions {
  readonly maxQueued: number
  /** Called with the number of events lost since its last call, at most once per second while requests are served. */
  readonly lost: (count: number) => void
  /** Called with the error of a failed write. It is not called again until a write has succeeded. */
  readonly failed: (error: unknown) => void
  /** Milliseconds until the queue repeats a failed write. Default 1000. */
  readonly retryMs?: number
  /** Maximum milliseconds for writing the queued events when the service stops. The rest is lost. */
  readonly closeMs?: number
}

const CLOSE_MS = 3000
/** Minimum interval between two reports of lost events. */
const TELL_MS = 1000

/**
 * Queue of audit events between requests, which never wait, and a sink, which can be slow or down. When the queue is
 * full, it drops new events and reports their number.
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

  /** Adds an event. Never waits and never throws. @returns `false` when the event is lost */
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

  /** Writes queued events, for some seconds at most. The rest is lost. */
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
    // Includes events of the same turn of the event loop.
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
