import { Readable } from 'node:stream'
import type { Reply } from '../../../core/doors/plugin.ts'

/** Bytes buffered for a slow client. Beyond that, notifications are dropped. */
const MOST_WAITING = 1_048_576
const HEARTBEAT_MS = 30_000

/** Body of an HTTP reply that sends several MCP messages as server-sent events. */
export class EventStream extends Readable {
  readonly #timer: NodeJS.Timeout
  #isOver = false

  /** @param over called once, when the stream has ended or the client has disconnected */
  constructor(over: () => void = () => {}) {
    super({ highWaterMark: MOST_WAITING })
    this.#timer = setInterval(() => {
      if (this.readableLength === 0) this.push(':\n\n')
    }, HEARTBEAT_MS)
    this.#timer.unref()
    this.once('close', () => {
      this.#end()
      over()
    })
  }

  override _read(): void {}

  /** Sends a comment, so that the client receives the headers of the reply before the first message. */
  open(): void {
    this.push(':\n\n')
  }

  /** Sends a notification. @param json without line breaks outside of strings, as JSON.stringify writes it */
  say(json: string): void {
    if (!this.#isOver && this.readableLength < MOST_WAITING) this.push(eventOf(json), 'utf8')
  }

  /** Ends the stream. @param last the response; `null`: none */
  finish(last: string | null): void {
    if (this.#isOver) return
    if (last !== null) this.push(eventOf(last), 'utf8')
    this.push(null)
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    clearInterval(this.#timer)
  }
}

function eventOf(json: string): string {
  return `event: message\ndata: ${/[\r\n]/.test(json) ? json.replace(/[\r\n]+/g, ' ') : json}\n\n`
}

export function streamReply(body: EventStream, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status: 200,
    headers: {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
    body,
    saysWhy: true,
  }
}
