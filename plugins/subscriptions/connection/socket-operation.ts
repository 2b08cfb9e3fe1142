import { setTimeout as sleep } from 'node:timers/promises'
import type { Auth, Exchange, Reply, Result } from '../../../core/doors/plugin.ts'
import type { GraphQLApi } from '../../graphql/api.ts'
import type { OutgoingEvent, Sink, Subscriber } from '../transport/subscriptions.ts'
import { CLOSE } from './close-codes.ts'
import type { Codec } from './codec.ts'
import type { ConnectionParts } from './connection-parts.ts'
import type { SocketOwner } from './socket-owner.ts'

const NOTHING: Reply = { status: 204, headers: {}, body: null }
/** Interval of checks whether a slow client has caught up. */
const LOOK_MS = 20

/** An operation of a WebSocket connection. A query or mutation is handled like a subscription with a single event. */
export class SocketOperation implements Sink {
  readonly id: string
  readonly #connection: SocketOwner
  readonly #parts: ConnectionParts
  #abort: AbortController | null = new AbortController()
  #subscriber: Subscriber | null = null
  #exchange: Exchange | null = null
  #isSubscription = false
  #isOver = false

  constructor(id: string, connection: SocketOwner, parts: ConnectionParts) {
    this.id = id
    this.#connection = connection
    this.#parts = parts
  }

  /**
   * Runs the operation. Never rejects.
   * @param context context values from the accepted connection: `authenticate` does not run again for its operations
   */
  async run(
    payload: unknown,
    from: { readonly headers: Exchange['headers']; readonly address: string; readonly auth: Auth | null },
    context: Exchange['context'],
  ): Promise<void> {
    const { enter, graphql } = this.#parts
    const signal = this.#abort!.signal
    let isAnswered = false
    const renderError = (ctx: Exchange, error: unknown): Reply => {
      isAnswered = true
      if (this.#isSubscription) this.#parts.subscribed('refused')
      this.#end(() => this.#connection.codec.error(this.id, graphql.renderErrors(ctx, error)))
      return NOTHING
    }
    const reply = await enter({ transport: 'websocket', ...from, signal, renderError }, async (ctx) => {
      isAnswered = true
      ctx.context = { ...context, ...ctx.context }
      await this.#serve(ctx, payload)
      return NOTHING
    })
    this.#abort = null
    if (isAnswered) return
    // An onRequest hook replied instead of the handler.
    const message = `Refused with status ${reply.status}.`
    this.#end(() => this.#connection.codec.error(this.id, [{ message, extensions: { statusCode: reply.status } }]))
  }

  next(outgoing: OutgoingEvent): boolean {
    if (this.#isOver) return true
    if (this.#connection.isSlow) return false
    this.#connection.send(frameOf(this.#connection.codec, this.id, outgoing))
    return true
  }

  async room(): Promise<void> {
    while (!this.#isOver && this.#connection.isSlow) await sleep(LOOK_MS)
  }

  fail(error: unknown): void {
    this.#end(() => this.#connection.codec.error(this.id, this.#shown(error)))
  }

  away(): void {
    this.#connection.close(CLOSE.restart, 'What was subscribed cannot go on: connect again')
  }

  #shown(error: unknown): readonly unknown[] {
    if (this.#exchange !== null) return this.#parts.graphql.renderErrors(this.#exchange, error)
    // The operation was ended before it started.
    const { message, code, status } = this.#parts.toPublicError(error, null)
    return [{ message, extensions: { code, statusCode: status } }]
  }

  /** Ends the operation, because the client has completed it or has disconnected. */
  end(): void {
    this.#end(null)
  }

  async #serve(ctx: Exchange, payload: unknown): Promise<void> {
    const { graphql, run, subscriptions } = this.#parts
    this.#exchange = ctx
    const request = graphql.readRequest(payload as Readonly<Record<string, unknown>>)
    const operation = await graphql.prepare(ctx, request)
    if (this.#isOver) return
    if (operation.template.kind !== 'subscription') {
      const result = await run(ctx, operation)
      const text = responseText(ctx, result, graphql)
      if (this.#isOver) return
      this.#connection.send(this.#connection.codec.next(this.id, text))
      this.#end(() => this.#connection.codec.complete(this.id))
      return
    }
    this.#connection.count()
    this.#isSubscription = true
    const subscriber = await subscriptions.subscribe(ctx, request, operation, this, this.#connection.id)
    this.#parts.subscribed('accepted')
    if (this.#isOver) subscriber.end()
    else this.#subscriber = subscriber
  }

  /** Ends the operation. @param last makes the last message to the client; `null`: none */
  #end(last: (() => string) | null): void {
    if (this.#isOver) return
    this.#isOver = true
    if (last !== null) this.#connection.send(last())
    this.#subscriber?.end()
    this.#abort?.abort()
    this.#connection.left(this, this.#isSubscription)
  }
}

/** Renders a result as the payload of a message. */
function responseText(
  ctx: Exchange,
  { data, errors }: Result,
  { renderErrors }: Pick<GraphQLApi, 'renderErrors'>,
): string {
  if (errors === null || errors.length === 0) return `{"data":${data ?? 'null'}}`
  const shown = errors.flatMap((error) => renderErrors(ctx, error))
  return `{"errors":${JSON.stringify(shown)},"data":${data ?? 'null'}}`
}

/** Caches the last message: clients with the same subscription id, often thousands, get the same bytes. */
let last: {
  readonly outgoing: OutgoingEvent
  readonly id: string
  readonly codec: Codec
  readonly bytes: Buffer
} | null = null

function frameOf(codec: Codec, id: string, outgoing: OutgoingEvent): Buffer {
  if (last === null || last.outgoing !== outgoing || last.id !== id || last.codec !== codec) {
    last = { outgoing, id, codec, bytes: Buffer.from(codec.next(id, outgoing.text)) }
  }
  return last.bytes
}
