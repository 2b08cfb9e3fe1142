import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../../core/doors/plugin.ts'
import type { OutgoingEvent, Sink, Subscriber } from '../subscriptions/api.ts'

/** Interval of checks whether a slow client has caught up. */
const LOOK_MS = 20

export interface EventBodyParts {
  readonly maxBufferedBytes: number
  readonly heartbeatMs: number
  /** Text that is sent on an idle stream, so that proxies keep it open. */
  readonly heartbeat: string
  readonly write: (outgoing: OutgoingEvent) => string
  /** Returns the text to send before the stream is closed because of an error. */
  readonly failure: (error: unknown) => string
}

/** Body of an HTTP reply that sends the events of a subscription until the client disconnects. */
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

  /** Calls `end` when the stream has ended, at once if it already has. */
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

  next(outgoing: OutgoingEvent): boolean {
    if (this.#isOver) return true
    if (this.#isSlow) return false
    this.say(this.#parts.write(outgoing))
    return true
  }

  async room(): Promise<void> {
    while (!this.#isOver && this.#isSlow) await sleep(LOOK_MS)
  }

  fail(error: unknown): void {
    this.finish(this.#parts.failure(error))
  }

  /** Ends the stream without a last event, so that the client connects again. */
  away(): void {
    this.finish()
  }

  /** Ends the stream. @param last last text */
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

/** Replaces line breaks in a JSON text by spaces, because a field of a server-sent event is one line. */
export function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]+/g, ' ') : json
}
