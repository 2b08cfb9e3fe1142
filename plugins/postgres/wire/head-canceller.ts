import { connect, type Socket } from 'node:net'
import type pg from 'pg'
import type { RunningStatement } from './running-statement.ts'

/** A cancelled statement has this long to end by itself. */
const CANCEL_AFTER_MS = 5
/** How long it has before it is asked again; doubled each time. */
const CANCEL_AGAIN_MS = 10
/** A statement that lives on for this long after it was cancelled: the connection is taken for dead. */
const CANCEL_GRACE_MS = 5000
/** A statement may be hit by a cancel request that was meant for the one before it. It is run again for this long. */
const LATE_CANCEL_MS = 1000
/** Time limit of one cancel request. */
const TIMEOUT_MS = 2000
const CANCEL_REQUEST_CODE = (1234 << 16) | 5678

/** The parts of a connection that the canceller uses. */
interface Headed {
  readonly client: pg.Client
  readonly head: RunningStatement | null
  readonly broken: boolean
  destroy(): void
}

/** Asks the server to stop what it works on, the head of a connection. */
export class HeadCanceller {
  readonly #connection: Headed
  /** Called when a request has come to its end. */
  readonly #onEnd: () => void
  #cancelling = 0
  #lastCancel = Number.NEGATIVE_INFINITY
  #pending: NodeJS.Timeout | null = null

  constructor(connection: Headed, onEnd: () => void) {
    this.#connection = connection
    this.#onEnd = onEnd
  }

  /** Is a cancel request on its way, or about to be? */
  get isActive(): boolean {
    return this.#cancelling > 0
  }

  /** Was a cancel request sent so lately that it may have hit a statement it was not meant for? */
  get wasLately(): boolean {
    return this.#cancelling > 0 || performance.now() - this.#lastCancel < LATE_CANCEL_MS
  }

  /**
   * Nothing more is sent on this connection until the cancel request has come to its end: what comes after it cannot be
   * hit. What was sent before can, and is run again. A statement about to end by itself is not worth a request.
   */
  cancel(): void {
    if (this.#connection.broken || this.#pending !== null) return
    this.#cancelling++
    this.#pending = setTimeout(() => {
      this.#pending = null
      void this.#send(this.#connection.head!)
    }, CANCEL_AFTER_MS)
  }

  /** Asks until it stops: the server forgets a request that comes before it has begun with the statement. */
  async #send(statement: RunningStatement): Promise<void> {
    const connection = this.#connection
    const isRunning = () => connection.head === statement && !connection.broken
    const giveUp = performance.now() + CANCEL_GRACE_MS
    for (let wait = CANCEL_AGAIN_MS; isRunning(); wait *= 2) {
      if (performance.now() > giveUp) {
        connection.destroy()
        break
      }
      await sendCancelRequest(connection.client, isRunning)
      this.#lastCancel = performance.now()
      if (isRunning()) await new Promise((resolve) => setTimeout(resolve, wait).unref())
    }
    this.#cancelling--
    this.#onEnd()
  }

  /** The head has ended by itself. */
  drop(): void {
    if (this.#pending === null) return
    clearTimeout(this.#pending)
    this.#pending = null
    this.#cancelling--
  }
}

interface BackendKey {
  readonly processID: number | null
  readonly secretKey: number | null
  readonly host: string
  readonly port: number
  readonly connection: { readonly stream: Socket }
}

/**
 * Asks the server, over a connection of its own, to cancel what runs on this client's connection.
 * @param isStillRunning asked again once that connection stands: what is not running any more needs no cancelling
 * @returns settles when the server has passed the request on, or cannot; never rejects
 */
export function sendCancelRequest(client: pg.Client, isStillRunning: () => boolean): Promise<void> {
  const { processID, secretKey, host, port, connection } = client as unknown as BackendKey
  return new Promise((resolve) => {
    const { remoteAddress, remotePort } = connection.stream
    const isLocal = host.startsWith('/')
    // The same address that the connection has: a name may stand for several servers.
    const socket = isLocal ? connect(`${host}/.s.PGSQL.${port}`) : connect(remotePort ?? port, remoteAddress ?? host)
    // A limit on the whole exchange, since a server that keeps sending is never idle.
    const overdue = setTimeout(() => socket.destroy(), TIMEOUT_MS)
    socket.once('error', () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(overdue)
      resolve()
    })
    socket.once('connect', () => {
      if (processID === null || secretKey === null || !isStillRunning()) {
        socket.destroy()
        return
      }
      const message = Buffer.alloc(16)
      message.writeInt32BE(16, 0)
      message.writeInt32BE(CANCEL_REQUEST_CODE, 4)
      message.writeInt32BE(processID, 8)
      message.writeInt32BE(secretKey, 12)
      // The server closes its end when the signal is sent.
      socket.write(message)
      socket.resume()
    })
  })
}
