import { type HttpExchange, type Reply, SvcError } from '../../../core/index.ts'
import { CHANGED, type Changed, type Changes, listChanged } from '../changes.ts'
import { isObject, type RequestId, type RpcRequest } from '../protocol/message.ts'
import { writeNotification, writeResult } from '../protocol/write-message.ts'
import { EventStream, streamReply } from './event-stream.ts'

export const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'

/** Streams on which clients wait for changes of what they are offered. */
export class Listeners {
  readonly #changes: Changes
  readonly #most: number
  readonly #open = new Map<EventStream, RequestId | null>()

  /** @param most open at once */
  constructor(changes: Changes, most: number) {
    this.#changes = changes
    this.#most = most
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * @param request `subscriptions/listen`; `null`: a GET of an older revision, which hears of everything
   * @throws SvcError SERVICE_UNAVAILABLE: there are too many
   */
  open(ctx: HttpExchange, request: RpcRequest | null): Reply {
    if (this.#open.size >= this.#most)
      throw new SvcError('SERVICE_UNAVAILABLE', 'Too many clients wait for changes.', { retryAfter: 30 })
    ctx.liftDeadline()
    const wanted = request === null ? CHANGED : wantedOf(request)
    const tag = request === null ? {} : { _meta: { [SUBSCRIPTION_KEY]: request.id } }
    const end = this.#changes.listen((what) => {
      if (wanted.includes(what)) stream.say(writeNotification(listChanged(what), tag))
    })
    const stream = new EventStream(() => {
      end()
      this.#open.delete(stream)
    })
    this.#open.set(stream, request?.id ?? null)
    if (request === null) stream.open()
    else stream.say(acknowledgement(wanted, tag))
    return streamReply(stream)
  }

  /** Ends them all. */
  close(): void {
    for (const [stream, id] of this.#open)
      stream.finish(id === null ? null : writeResult(id, '{"resultType":"complete"}'))
  }
}

/** What a client has asked to hear of, as far as it is told here. */
export function wantedOf({ params: { notifications } }: RpcRequest): readonly Changed[] {
  return isObject(notifications) ? CHANGED.filter((what) => notifications[`${what}ListChanged`] === true) : []
}

export function acknowledgement(wanted: readonly Changed[], tag: object): string {
  const notifications = Object.fromEntries(wanted.map((what) => [`${what}ListChanged`, true]))
  return writeNotification('notifications/subscriptions/acknowledged', { ...tag, notifications })
}
