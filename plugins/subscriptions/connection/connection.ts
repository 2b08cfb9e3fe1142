import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { Auth, Exchange } from '../../../core/doors/plugin.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import { EarlyWords, OpenOperations } from './bounded-operations.ts'
import { CLOSE, closeCodeOf, closeReason } from './close-codes.ts'
import type { ClientMessage, Codec } from './codec.ts'
import type { ConnectionParts } from './connection-parts.ts'
import { admit, withCredentials } from './credentials.ts'
import { SocketOperation } from './socket-operation.ts'
import type { SocketOwner } from './socket-owner.ts'

/** A client that reads nothing is disconnected when this multiple of `max_buffered_bytes` is buffered for it. */
const FAR_TOO_MUCH = 8
/** Limit on the message sizes of all open operations, as a multiple of the largest message. */
const MOST_KEPT = 16

/**
 * A WebSocket connection after its handshake. The client first authenticates with `connection_init`, and then sends
 * operations.
 */
export class Connection implements SocketOwner {
  readonly id = randomUUID()
  readonly socket: WebSocket
  readonly codec: Codec
  readonly #parts: ConnectionParts
  readonly #address: string
  #headers: Exchange['headers']
  #state: 'new' | 'asking' | 'ready' | 'over' = 'new'
  #auth: Auth | null = null
  #context: Exchange['context'] = {}
  readonly #operations: OpenOperations
  #subscriptions = 0
  #isAlive = true
  #timer: NodeJS.Timeout | undefined
  #ended: (() => void)[] = []
  /** Messages that arrived before the connection was authenticated. */
  readonly #early: EarlyWords

  constructor(socket: WebSocket, codec: Codec, from: Pick<Exchange, 'headers' | 'address'>, parts: ConnectionParts) {
    this.socket = socket
    this.codec = codec
    this.#headers = from.headers
    this.#address = from.address
    this.#parts = parts
    const { max_message_bytes: mostBytes } = parts.options
    this.#early = new EarlyWords(mostBytes)
    this.#operations = new OpenOperations(mostBytes * MOST_KEPT)
    this.#timer = setTimeout(
      () => this.close(CLOSE.initTimeout, 'Connection initialisation timeout'),
      parts.options.init_timeout_ms,
    )
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#take(data, isBinary))
    socket.on('pong', () => {
      this.#isAlive = true
    })
    // `ws` closes the connection itself after a protocol error.
    socket.on('error', () => {})
    socket.once('close', () => this.#over())
  }

  get isSlow(): boolean {
    return this.socket.bufferedAmount > this.#parts.options.max_buffered_bytes
  }

  get isOver(): boolean {
    return this.#state === 'over'
  }

  send(message: string | Buffer): void {
    if (this.socket.readyState !== this.socket.OPEN) return
    this.socket.send(message, { binary: false })
    if (this.socket.bufferedAmount > this.#parts.options.max_buffered_bytes * FAR_TOO_MUCH) this.socket.terminate()
  }

  close(code: number, reason: string): void {
    this.socket.close(code, closeReason(reason))
    this.#over()
  }

  /** Sends a ping. A client that sent nothing since the last ping is disconnected. */
  beat(): void {
    if (this.#state === 'new') return
    if (!this.#isAlive) {
      this.socket.terminate()
      return
    }
    this.#isAlive = false
    if (this.#state === 'ready') this.send(this.codec.beat)
    if (this.socket.readyState === this.socket.OPEN) this.socket.ping()
  }

  #over(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    clearTimeout(this.#timer)
    for (const operation of this.#operations.clear()) operation.end()
    this.#early.clear()
    for (const end of this.#ended) end()
    this.#parts.left(this)
  }

  /** Handles a message. It never throws, because an error in an event listener would end the process. */
  #take(data: Buffer, isBinary: boolean): void {
    if (this.#state === 'over') return
    this.#isAlive = true
    try {
      this.#handle(this.#read(data, isBinary), data.length)
    } catch (error) {
      this.#fail(error)
    }
  }

  #read(data: Buffer, isBinary: boolean): ClientMessage {
    try {
      if (isBinary) throw new Error('Messages are text')
      return this.codec.read(data.toString('utf8'))
    } catch (cause) {
      throw new SvcError('REQUEST_ERROR', (cause as Error).message, { cause })
    }
  }

  #handle(message: ClientMessage, bytes: number): void {
    switch (message.type) {
      case 'init':
        this.#init(message.payload).catch((error: unknown) => this.#fail(error))
        return
      case 'subscribe':
        this.#begin(message.id, message.payload, bytes)
        return
      case 'complete':
        // It may end a queued operation, so that it has to wait in the queue too.
        if (this.#early.isEmpty) this.#forget(message.id)
        else if (!this.#early.add(bytes, () => this.#forget(message.id))) this.close(CLOSE.unauthorized, 'Unauthorized')
        return
      case 'ping': {
        const pong = this.codec.pong(message.echo)
        if (pong !== null) this.send(pong)
        return
      }
      case 'terminate':
        this.close(1000, 'Terminated')
        return
      case 'pong':
    }
  }

  /** Closes this connection after an error of the client or of the service. */
  #fail(error: unknown): void {
    const { status, message } = this.#parts.toPublicError(error, null)
    this.close(closeCodeOf({ status }), message)
  }

  async #init(payload: unknown): Promise<void> {
    if (this.#state !== 'new') {
      this.close(CLOSE.tooManyInits, 'Too many initialisation requests')
      return
    }
    this.#state = 'asking'
    clearTimeout(this.#timer)
    const parts = this.#parts
    this.#headers = withCredentials(this.#headers, payload, parts.credentialHeaders())
    const from = { headers: this.#headers, address: this.#address }
    const { failure, auth, context, ended } = await admit(this.id, payload, from, parts)
    if (this.isOver) {
      ended?.()
      return
    }
    if (failure !== null) {
      parts.counted('refused')
      const words = this.codec.refused(failure.message)
      if (words !== null) this.send(words)
      this.close(closeCodeOf(failure), failure.message)
      return
    }
    if (ended !== null) this.#ended.push(ended)
    this.#auth = auth
    this.#context = context
    this.#state = 'ready'
    parts.counted('accepted')
    this.send(this.codec.ack)
    if (this.codec.afterAck !== null) this.send(this.codec.afterAck)
    const session = { transport: 'websocket', headers: this.#headers, address: this.#address, auth } as const
    this.#ended.push(parts.subscriptions.watch(session, (error) => this.#expire(error)))
    this.#early.run()
  }

  /**
   * Closes the connection because its credential has expired or was revoked. Clients do not reconnect after an error of an
   * operation or code 4401. After 4403 and 1013 they connect again, with a new token, and subscribe again.
   */
  #expire(error: unknown): void {
    const { message, status, code } = this.#parts.toPublicError(error, null)
    const end = closeCodeOf({ status })
    this.close(end === CLOSE.unauthorized ? CLOSE.forbidden : end, message === '' ? code : message)
  }

  #begin(id: string, payload: unknown, bytes: number): void {
    if (this.#state === 'asking' && this.codec.isEager) {
      if (this.#early.add(bytes, () => this.#begin(id, payload, bytes))) return
    }
    if (this.#state !== 'ready') {
      this.close(CLOSE.unauthorized, 'Unauthorized')
      return
    }
    if (this.#operations.has(id)) {
      if (!this.codec.replaces) {
        this.close(CLOSE.duplicate, `Subscriber for ${id} already exists`)
        return
      }
      this.#forget(id)
    }
    const operation = new SocketOperation(id, this, this.#parts)
    if (!this.#operations.add(operation, bytes)) {
      this.close(CLOSE.badMessage, 'Too many operations at once')
      return
    }
    operation
      .run(payload, { headers: this.#headers, address: this.#address, auth: this.#auth }, this.#context)
      .catch((error: unknown) => this.#fail(error))
  }

  count(): void {
    const { max_subscriptions_per_connection: most = Number.POSITIVE_INFINITY } = this.#parts.options
    if (this.#subscriptions >= most) {
      throw new SvcError('VALIDATION_ERROR', `A connection has at most ${most} subscriptions.`)
    }
    this.#subscriptions++
  }

  left(operation: { readonly id: string }, isSubscription: boolean): void {
    if (isSubscription) this.#subscriptions--
    this.#operations.delete(operation)
  }

  #forget(id: string): void {
    this.#operations.take(id)?.end()
  }
}
