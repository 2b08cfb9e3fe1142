import type pg from 'pg'
import type { ConnectionAttempts } from './connection-options.ts'
import { isServerError } from './driver-errors.ts'
import { gatedSocket } from './gated-socket.ts'
import { pgModule } from './pg-module.ts'
import { ReportedParameters } from './reported-parameters.ts'
import type { RowOwner } from './row-gate.ts'

/** `invalid_authorization_specification`: what pg_hba.conf says to encrypted or unencrypted clients it has no line for. */
const REFUSED_BY_HBA = '28000'

export interface ConnectedClient {
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
