import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { Generation } from '../../contract/generation.ts'
import type { TakenConnection, Upgrade } from '../../contract/upgrade.ts'
import { HttpContext } from './http-context.ts'

/**
 * An HTTP request with an `Upgrade` header, such as a WebSocket handshake, with its connection, which a plugin may take
 * over.
 */
export class UpgradeContext extends HttpContext implements Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly #head: Buffer
  readonly #onTake: (ctx: UpgradeContext) => void
  #state: 'waiting' | 'taken' | 'answered' = 'waiting'

  constructor(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    generation: Generation,
    onTake: (ctx: UpgradeContext) => void,
  ) {
    // Such a request has no body: the connection that it would be read from belongs to the handler that takes it.
    super(request, generation, 0)
    this.request = request
    this.socket = socket
    this.#head = head
    this.#onTake = onTake
  }

  get isTaken(): boolean {
    return this.#state === 'taken'
  }

  /** Marks the request as answered. @returns `false` when it is too late for an HTTP reply: it was answered or taken */
  answer(): boolean {
    if (this.#state !== 'waiting') return false
    this.#state = 'answered'
    return true
  }

  take(): TakenConnection {
    if (this.#state === 'taken') throw new TypeError('The connection of this upgrade is taken already.')
    if (this.#state === 'answered' || this.aborted || this.socket.destroyed) throw tooLate()
    this.#state = 'taken'
    this.#onTake(this)
    return { socket: this.socket, head: this.#head }
  }
}

export function tooLate(): SvcError {
  return new SvcError('TIMEOUT', 'The handshake outlived server.request_timeout_ms, or the client went.')
}
