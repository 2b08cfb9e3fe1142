import { connect, type Socket } from 'node:net'
import type pg from 'pg'
import type { RunningStatement } from './running-statement.ts'

/** Time that an aborted statement has to end by itself before a cancel request is sent. */
const CANCEL_AFTER_MS = 5
/** Delay before the cancel request is repeated; doubled each time. */
const CANCEL_AGAIN_MS = 10
/** Time after the first cancel request after which the connection counts as dead. */
const CANCEL_GRACE_MS = 5000
/** Time after a cancel request during which a later statement may be hit by it. Such a statement is run again. */
const LATE_CANCEL_MS = 1000
/** Time limit of a single cancel request. */
const TIMEOUT_MS = 2000
const CANCEL_REQUEST_CODE = (1234 << 16) | 5678

/** The parts of a connection that the canceller uses. */
interface Headed {
  readonly client: pg.Client
  readonly head: RunningStatement | null
  readonly broken: boolean
  destroy(): void
}

/** Sends cancel requests for the statement that a connection is executing. */
export class HeadCanceller {
  readonly #connection: Headed
  /** Called when a cancel request has ended. */
  readonly #onEnd: () => void
  #cancelling = 0
  #lastCancel = Number.NEGATIVE_INFINITY
  #pending: NodeJS.Timeout | null = null

  constructor(connection: Headed, onEnd: () => void) {
    this.#connection = connection
    this.#onEnd = onEnd
  }

  /** Is a cancel request pending or scheduled? */
  get isActive(): boolean {
    return this.#cancelling > 0
  }

  /** Was a cancel request sent so recently that it may have hit another statement than intended? */
  get wasLately(): boolean {
    return this.#cancelling > 0 || performance.now() - this.#lastCancel < LATE_CANCEL_MS
  }

  /**
   * Cancels the head. No statement is sent on this connection until the cancel request has ended, so that later ones cannot be
   * hit. Statements that were sent before can be hit, and are run again. A head that ends soon needs no request.
   */
  cancel(): void {
    if (this.#connection.broken || this.#pending !== null) return
    this.#cancelling++
    this.#pending = setTimeout(() => {
      this.#pending = null
      void this.#send(this.#connection.head!)
    }, CANCEL_AFTER_MS)
  }

  /** Repeats the request until the statement stops: the server ignores one that arrives before it has begun the statement. */
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

  /** Drops the scheduled request, because the head has ended. */
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
 * Asks the server over a separate connection to cancel the statement that a client is executing.
 * @param isStillRunning called when the separate connection is open; `false`: no request is sent
 * @returns resolves when the server has processed the request, or on failure; never rejects
 */
export function sendCancelRequest(client: pg.Client, isStillRunning: () => boolean): Promise<void> {
  const { processID, secretKey, host, port, connection } = client as unknown as BackendKey
  return new Promise((resolve) => {
    const { remoteAddress, remotePort } = connection.stream
    const isLocal = host.startsWith('/')
    // The address of the connection itself, because a host name may resolve to several servers.
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
      // The server closes the connection after it has signalled the process.
      socket.write(message)
      socket.resume()
    })
  })
}
