import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { ResultTooLarge } from '../../../core/doors/driver.ts'
import { Connection } from './connection.ts'
import type { ConnectionAttempts } from './connection-options.ts'
import { isOutOfConnections, isServerError } from './driver-errors.ts'
import { gatedSocket } from './gated-socket.ts'
import type { Health } from './health.ts'
import { pgModule } from './pg-module.ts'
import type { PreparedMode } from './prepared-names.ts'
import { ReportedParameters } from './reported-parameters.ts'
import type { RowOwner } from './row-gate.ts'

/** How often, and after how long at the most, a first connection is requested again: about two seconds in all. */
const MOST_TRIES = 8
const TRY_AGAIN_MS = 100

interface OpenerParts {
  readonly attempts: ConnectionAttempts
  readonly health: Health
  readonly mode: PreparedMode
  /** Limit on the result of a read; 0 = no limit. */
  readonly maxResultBytes: number
}

interface Opener {
  /** @throws what connecting throws */
  open(): Promise<Connection>
  /** Takes all connections out of use that are open now: a lent one ends its statement first, the others are closed. */
  letGoOfAll(): void
}

/** Opens connections, and tells the health of the database what came of it. */
export function createOpener({ attempts, health, mode, maxResultBytes }: OpenerParts): Opener {
  const all = new Set<Connection>()
  async function open(): Promise<Connection> {
    let connection: Connection | null = null
    const owner: RowOwner = {
      maxBytes: maxResultBytes === 0 ? Number.POSITIVE_INFINITY : maxResultBytes,
      refuse: () => connection?.head?.refuseRow(new ResultTooLarge(maxResultBytes)) === true,
      takesRows: () => connection?.head?.takesRows === true,
      takeRow: (bytes, start, end) => connection?.head?.takeRow(bytes, start, end),
    }
    try {
      const { client, reported } = await connectFirst(() => connectClient(attempts, owner), all)
      const opened = new Connection(client, reported, mode)
      connection = opened
      all.add(opened)
      void opened.ended.then(() => {
        all.delete(opened)
        health.closed()
      })
      // The server takes writes again: the sessions that began before cannot write.
      if (health.opened(opened.isReadOnly)) letGo([...all].filter(({ isReadOnly }) => isReadOnly))
      return opened
    } catch (error) {
      health.failed(error)
      throw error
    }
  }
  return { open, letGoOfAll: () => letGo([...all]) }
}

/**
 * Connections that are requested at the same moment count against each other on the server, so that it may refuse all of them.
 * Where none stands yet, one is requested again after a moment.
 * @throws what connecting throws
 */
async function connectFirst<T>(connect: () => Promise<T>, standing: ReadonlySet<Connection>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await connect()
    } catch (error) {
      if (standing.size > 0 || tries === MOST_TRIES || !isOutOfConnections(error)) throw error
      await sleep(Math.random() * TRY_AGAIN_MS * tries)
    }
  }
}

/** A lent connection ends its statement first, the others are closed. */
function letGo(connections: readonly Connection[]): void {
  for (const each of connections) {
    each.distrust()
    if (each.use !== null) each.retire()
  }
}

/** `invalid_authorization_specification`: what pg_hba.conf says to encrypted or unencrypted clients it has no line for. */
const REFUSED_BY_HBA = '28000'

interface ConnectedClient {
  readonly client: pg.Client
  readonly reported: ReportedParameters
}

/**
 * Opens one connection in pipeline mode, trying the next way where the server does not speak the first (TLS or none).
 * @param owner of the rows that arrive
 * @throws the driver's error of the last way tried
 */
export async function connectClient(attempts: ConnectionAttempts, owner: RowOwner): Promise<ConnectedClient> {
  let failure: unknown
  for (const attempt of attempts) {
    const { socket, gate } = gatedSocket(owner, attempt.ssl === false)
    const client = new pgModule.Client({ ...attempt, pipeline: true, stream: () => socket } as pg.ClientConfig)
    // A connection that breaks says so to its statements and through 'end'; an unheard 'error' would end the process.
    client.on('error', () => {})
    gate(client)
    const reported = new ReportedParameters(client)
    try {
      await client.connect()
      return { client, reported }
    } catch (error) {
      failure = error
      // The server may have no mind to close it.
      client.end().catch(() => {})
      socket.destroy()
      if (!isRefusalOfTransport(error)) break
    }
  }
  throw failure
}

function isRefusalOfTransport(error: unknown): boolean {
  if (isServerError(error)) return error.code === REFUSED_BY_HBA
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return error.message.includes('SSL') || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code === 'EPROTO'
}
