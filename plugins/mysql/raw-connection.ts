import type { ConnectionOptions } from 'mysql2'
import { importPackages } from '../../core/doors/plugin.ts'
import type { ConnectionAttempts } from './connection-options.ts'
import { CLIENT_PACKAGE } from './packages.ts'
import { isServerError } from './read-error.ts'

/** What the driver uses of a connection of the package `mysql2`. Commands are executed one after the other. */
export interface RawConnection {
  /** Number of the connection on the server, as its greeting said. */
  readonly threadId: number
  readonly stream: { destroy(): void; once(event: 'close', listener: () => void): void }
  on(event: 'error', listener: (error: Error) => void): void
  once(event: 'connect', listener: () => void): void
  once(event: 'error', listener: (error: Error) => void): void
  removeListener(event: 'error' | 'connect', listener: (...values: never[]) => void): void
  /** Called for each packet of the server; for `undefined` when a queued command may be sent. */
  handlePacket(packet?: RawPacket): void
  query(options: { readonly sql: string }): RawCommand
  prepare(options: { readonly sql: string }, done: (error: Error | null, statement: RawStatement) => void): void
  /** Closes a prepared statement, which the package also remembers by its text. */
  unprepare(sql: string): void
  /** COM_RESET_CONNECTION */
  reset(done: (error: Error | null) => void): void
  /** Stops reading from the socket, so that the server has to wait. */
  pause(): void
  resume(): void
  end(done: () => void): void
}

/** A packet of the protocol, before it is read. */
export interface RawPacket {
  isEOF(): boolean
  eofWarningCount(): number
}

/** A prepared statement on a connection. */
export interface RawStatement {
  execute(values: readonly (string | null)[]): RawCommand
}

/** A running command. Without a callback, it emits its rows as they arrive. */
export interface RawCommand {
  on(event: 'fields', listener: (fields: readonly unknown[] | undefined) => void): this
  on(event: 'result', listener: (row: unknown) => void): this
  on(event: 'error', listener: (error: Error) => void): this
  on(event: 'end', listener: () => void): this
}

interface MysqlModule {
  createConnection(options: ConnectionOptions): unknown
}

/** @throws SvcError SVC_PACKAGE_MISSING when the package `mysql2` is not installed */
async function loadModule(): Promise<MysqlModule> {
  return (await importPackages('mysql', CLIENT_PACKAGE, () => import('mysql2'))).default
}

/** Problems with TLS, after which the next attempt is made. */
const TLS_CODE = /^(?:HANDSHAKE_NO_SSL_SUPPORT|HANDSHAKE_SSL_ERROR|ERR_SSL|ERR_TLS|EPROTO)/
/** The server accepts only encrypted connections: 3159, and 1045 or 1251 for users with REQUIRE SSL. */
const WANTS_TLS = new Set([1045, 3159])

/**
 * Opens a connection. If the server refuses an attempt (with or without TLS), it tries the next one.
 * @throws the error of the last attempt; SvcError SVC_PACKAGE_MISSING without the package `mysql2`
 */
export async function connectRaw(attempts: ConnectionAttempts, extra: ConnectionOptions = {}): Promise<RawConnection> {
  const { createConnection } = await loadModule()
  let failure: unknown
  for (const attempt of attempts) {
    const raw = createConnection({ ...attempt, ...extra }) as RawConnection
    try {
      await connected(raw)
      return raw
    } catch (error) {
      raw.stream.destroy()
      // What the server says is more useful than that it has no TLS.
      if (failure === undefined || isServerError(error)) failure = error
      if (!isRefusalOfTransport(error)) break
    }
  }
  throw failure
}

function isRefusalOfTransport(error: unknown): boolean {
  if (isServerError(error)) return WANTS_TLS.has(error.errno)
  if (!(error instanceof Error)) return false
  return TLS_CODE.test('code' in error ? String(error.code) : '') || /SSL|TLS/.test(error.message)
}

function connected(raw: RawConnection): Promise<void> {
  // Statements and the event 'close' report a broken connection. An 'error' event without a listener would end the process.
  raw.on('error', () => {})
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(error)
    raw.once('error', failed)
    raw.once('connect', () => {
      raw.removeListener('error', failed)
      resolve()
    })
  })
}

/**
 * Watches the number of warnings that the server reports at the end of the rows of a result. The package `mysql2` does
 * not pass it on.
 */
export function watchWarnings(raw: RawConnection, onWarnings: (count: number) => void): void {
  const handle = raw.handlePacket
  raw.handlePacket = function (packet) {
    if (packet?.isEOF() === true && packet.eofWarningCount() > 0) onWarnings(packet.eofWarningCount())
    handle.call(this, packet)
  }
}
