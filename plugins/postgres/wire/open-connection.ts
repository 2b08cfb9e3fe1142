import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Health, ResultTooLarge } from '../../../core/doors/driver.ts'
import { Connection } from './connection.ts'
import { type ConnectionAttempts, checkStartupSettings, isRefusalOfOptions } from './connection-options.ts'
import { isOutOfConnections, isServerError, markParameterErrors } from './driver-errors.ts'
import { gatedSocket } from './gated-socket.ts'
import { pgModule } from './pg-module.ts'
import type { PreparedMode } from './prepared-names.ts'
import { ReportedParameters } from './reported-parameters.ts'
import type { RowOwner } from './row-gate.ts'

/** Number of attempts to open the first connection, and their longest delay: about two seconds in all. */
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
  /** @throws the error of connecting */
  open(): Promise<Connection>
  /** Retires all open connections: lent ones after their statement, the others at once. */
  letGoOfAll(): void
}

/**
 * Creates the function that opens connections to the database, and reports their success to the health of the database.
 */
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
      // The server accepts writes again: sessions that started before are read-only.
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
 * Retries the first connection. Connections that are requested at the same time count against each other on the server, so
 * that it may refuse all of them. If no connection is open yet, the request is repeated after a pause.
 * @throws the error of connecting
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

/** Retires connections: lent ones after their statement, the others at once. */
function letGo(connections: readonly Connection[]): void {
  for (const each of connections) {
    each.distrust()
    if (each.use !== null) each.retire()
  }
}

/** `invalid_authorization_specification`: pg_hba.conf has no line for encrypted, or for unencrypted, clients of this host. */
const REFUSED_BY_HBA = '28000'

interface ConnectedClient {
  readonly client: pg.Client
  readonly reported: ReportedParameters
}

/**
 * Opens one connection in pipeline mode. If the server refuses an attempt (with or without TLS), it tries the next one. If
 * a pooler refuses the start-up options, it connects without them, and checks the settings of the session.
 * @param owner receives the rows of the connection
 * @throws the error of the last attempt, from the package `pg`
 */
export async function connectClient(attempts: ConnectionAttempts, owner: RowOwner): Promise<ConnectedClient> {
  let failure: unknown
  let refused: string | undefined
  const left = [...attempts]
  for (let attempt = left.shift(); attempt !== undefined; attempt = left.shift()) {
    const { socket, gate } = gatedSocket(owner, attempt.ssl === false)
    const client = new pgModule.Client({ ...attempt, pipeline: true, stream: () => socket } as pg.ClientConfig)
    // Statements and the event 'end' report a broken connection. An 'error' event without a listener would end the process.
    client.on('error', () => {})
    gate(client)
    const reported = new ReportedParameters(client)
    try {
      await client.connect()
      // PgBouncer may also ignore them (ignore_startup_parameters); the server always reports this setting.
      const isIgnored = reported.initial('IntervalStyle') !== 'iso_8601'
      if (refused !== undefined || isIgnored) await checkStartupSettings(client, refused ?? attempt.options ?? '')
      markParameterErrors(client, reported.initial('server_version'))
      return { client, reported }
    } catch (error) {
      failure = error
      // The server may not close the connection, so that the socket is destroyed too.
      client.end().catch(() => {})
      socket.destroy()
      if (refused === undefined && isRefusalOfOptions(error)) {
        refused = attempt.options
        left.unshift({ ...attempt, options: undefined })
      } else if (!isRefusalOfTransport(error)) break
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
