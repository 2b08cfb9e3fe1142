import { type HttpExchange, type Reply, SvcError } from '../../../core/doors/plugin.ts'
import { CHANGED, type Changed, type Changes, listChanged } from '../protocol/changes.ts'
import { isObject, type RequestId, type RpcRequest } from '../protocol/message.ts'
import { writeNotification, writeResult } from '../protocol/write-message.ts'
import { EventStream, streamReply } from './event-stream.ts'
import { ownerOf } from './owner-of.ts'

export const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'

export interface ListenerParts {
  readonly changes: Changes
  /** Maximum number of open event streams in this process. */
  readonly most: number
  /** Maximum number of open event streams per caller in this process. */
  readonly mostOfOne: number
  /** Returns the client address, by which streams of anonymous callers are counted. */
  readonly clientOf: (ctx: HttpExchange) => string
  /** Calls `ended` when the credential of a request expires or is revoked. @returns a function that stops watching */
  readonly watch: (ctx: HttpExchange, ended: () => void) => () => void
}

interface Open {
  readonly caller: string
  /** `null`: no session. */
  readonly session: string | null
  /** Id of the request that the stream answers; `null` for GET, which has no response message. */
  readonly id: RequestId | null
}

/** Open event streams of clients that want to know when lists of tools, resources or prompts change. */
export class Listeners {
  readonly #parts: ListenerParts
  readonly #open = new Map<EventStream, Open>()
  readonly #byCaller = new Map<string, number>()

  constructor(parts: ListenerParts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * Opens a stream.
   * @param request `subscriptions/listen`; `null`: a GET of an older revision, which receives all notifications
   * @param session session that closes the stream when it ends
   * @throws SvcError SERVICE_UNAVAILABLE for too many streams, RATE_LIMITED for too many streams of this caller
   */
  open(ctx: HttpExchange, request: RpcRequest | null, session: string | null): Reply {
    const { changes, watch } = this.#parts
    const caller = this.#admit(ctx)
    ctx.liftDeadline()
    const wanted = request === null ? CHANGED : wantedOf(request)
    const tag = request === null ? {} : { _meta: { [SUBSCRIPTION_KEY]: request.id } }
    const stream: EventStream = new EventStream(() => {
      for (const end of ends) end()
      this.#forget(stream)
    })
    const ends = [
      changes.listen((what) => {
        if (wanted.includes(what)) stream.say(writeNotification(listChanged(what), tag))
      }),
      watch(ctx, () => this.#finish(stream)),
    ]
    this.#open.set(stream, { caller, session, id: request?.id ?? null })
    this.#byCaller.set(caller, this.#openOf(caller) + 1)
    if (request === null) stream.open()
    else stream.say(acknowledgement(wanted, tag))
    return streamReply(stream)
  }

  /** Closes the streams of a session. */
  endOf(session: string): void {
    for (const [stream, open] of this.#open) if (open.session === session) this.#finish(stream)
  }

  /** Closes all streams. */
  close(): void {
    for (const stream of this.#open.keys()) this.#finish(stream)
  }

  /** Checks the limits. @returns key of the caller */
  #admit(ctx: HttpExchange): string {
    const { most, mostOfOne, clientOf } = this.#parts
    if (this.#open.size >= most)
      throw new SvcError('SERVICE_UNAVAILABLE', 'Too many clients wait for changes.', { retryAfter: RETRY_SECS })
    const caller = ctx.auth === null ? clientOf(ctx) : ownerOf(ctx.auth)
    if (this.#openOf(caller) >= mostOfOne)
      throw new SvcError('RATE_LIMITED', `${mostOfOne} streams of yours wait for changes already: end one of them.`, {
        retryAfter: RETRY_SECS,
      })
    return caller
  }

  #openOf(caller: string): number {
    return this.#byCaller.get(caller) ?? 0
  }

  #finish(stream: EventStream): void {
    const { id } = this.#open.get(stream)!
    stream.finish(id === null ? null : writeResult(id, '{"resultType":"complete"}'))
  }

  #forget(stream: EventStream): void {
    const open = this.#open.get(stream)
    if (open === undefined) return
    this.#open.delete(stream)
    const left = this.#openOf(open.caller) - 1
    if (left > 0) this.#byCaller.set(open.caller, left)
    else this.#byCaller.delete(open.caller)
  }
}

const RETRY_SECS = 30

/** Returns the lists whose changes a client subscribes to with `subscriptions/listen`. Unknown ones are ignored. */
export function wantedOf({ params: { notifications } }: RpcRequest): readonly Changed[] {
  return isObject(notifications) ? CHANGED.filter((what) => notifications[`${what}ListChanged`] === true) : []
}

export function acknowledgement(wanted: readonly Changed[], tag: object): string {
  const notifications = Object.fromEntries(wanted.map((what) => [`${what}ListChanged`, true]))
  return writeNotification('notifications/subscriptions/acknowledged', { ...tag, notifications })
}
