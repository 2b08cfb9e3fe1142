import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { TakenConnection, Upgrade } from '../contract/upgrade.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { Generation } from '../schema/generation.ts'
import { HttpContext } from './http-context.ts'

/** A request that asks for an upgrade, and its connection until somebody takes it. */
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
    // Its body would be read from a connection that is somebody else's by then: there is none.
    super(request, generation, 0)
    this.request = request
    this.socket = socket
    this.#head = head
    this.#onTake = onTake
  }

  get isTaken(): boolean {
    return this.#state === 'taken'
  }

  /** @returns `false`: it is too late to answer in HTTP */
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
