import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../../core/doors/plugin.ts'
import type { Sink, Subscriber, Told } from '../subscriptions/api.ts'

/** How often a client that was too slow is looked at. */
const LOOK_MS = 20

export interface EventBodyParts {
  readonly maxBufferedBytes: number
  readonly heartbeatMs: number
  /** Keep-alive text. */
  readonly heartbeat: string
  readonly write: (told: Told) => string
  /** Last text of a failed stream. */
  readonly failure: (error: unknown) => string
}

/** The body of a reply that has no end: events, as they are told. */
export class EventBody extends Readable implements Sink {
  readonly #parts: EventBodyParts
  readonly #timer: NodeJS.Timeout
  readonly #ends: (() => void)[] = []
  #isOver = false

  constructor(parts: EventBodyParts) {
    super({ highWaterMark: parts.maxBufferedBytes })
    this.#parts = parts
    this.#timer = setInterval(() => {
      if (this.readableLength === 0) this.say(parts.heartbeat)
    }, parts.heartbeatMs)
    this.#timer.unref()
    this.once('close', () => this.#over())
  }

  override _read(): void {}

  /** Runs when it is over, at once if it is. */
  whenOver(end: () => void): void {
    if (this.#isOver) end()
    else this.#ends.push(end)
  }

  serve(subscriber: Subscriber): void {
    this.whenOver(() => subscriber.end())
  }

  say(text: string): void {
    if (!this.#isOver) this.push(text, 'utf8')
  }

  next(told: Told): boolean {
    if (this.#isOver) return true
    if (this.#isSlow) return false
    this.say(this.#parts.write(told))
    return true
  }

  async room(): Promise<void> {
    while (!this.#isOver && this.#isSlow) await sleep(LOOK_MS)
  }

  fail(error: unknown): void {
    this.finish(this.#parts.failure(error))
  }

  /** A stream that ends without a last word is one to begin again. */
  away(): void {
    this.finish()
  }

  /** @param last what is said before it ends */
  finish(last = ''): void {
    if (this.#isOver) return
    if (last !== '') this.push(last, 'utf8')
    this.push(null)
    this.#over()
  }

  get #isSlow(): boolean {
    return this.readableLength > this.#parts.maxBufferedBytes
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#timer)
    for (const end of this.#ends.splice(0)) end()
  }
}

export function streamReply(body: Readable): Reply {
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      vary: 'Accept',
    },
    body,
  }
}

/** One field of an event may not hold a line break; outside of texts JSON has them as white space alone. */
export function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]+/g, ' ') : json
}
