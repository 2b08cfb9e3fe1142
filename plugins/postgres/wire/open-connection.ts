import { ResultTooLarge } from '../../../core/index.ts'
import type { Health } from '../health.ts'
import { connectClient } from './connect-client.ts'
import { Connection } from './connection.ts'
import type { ConnectionAttempts } from './connection-options.ts'
import type { PreparedMode } from './prepared-names.ts'
import type { RowOwner } from './row-gate.ts'

interface OpenerParts {
  readonly attempts: ConnectionAttempts
  readonly health: Health
  readonly mode: PreparedMode
  /** Of a read; 0 = no bound. */
  readonly maxResultBytes: number
}

/** Opens connections, and tells the health of the database what came of it. */
export function createOpener({ attempts, health, mode, maxResultBytes }: OpenerParts): () => Promise<Connection> {
  const all = new Set<Connection>()
  return async () => {
    let connection: Connection | null = null
    const owner: RowOwner = {
      maxBytes: maxResultBytes === 0 ? Number.POSITIVE_INFINITY : maxResultBytes,
      refuse: () => connection?.head?.refuseRow(new ResultTooLarge(maxResultBytes)) === true,
      takesRows: () => connection?.head?.takesRows === true,
      takeRow: (bytes, start, end) => connection?.head?.takeRow(bytes, start, end),
    }
    try {
      const { client, reported } = await connectClient(attempts, owner)
      const opened = new Connection(client, reported, mode)
      connection = opened
      all.add(opened)
      void opened.ended.then(() => {
        all.delete(opened)
        health.closed()
      })
      // The server takes writes again: the sessions that began before cannot write.
      if (health.opened(opened.isReadOnly)) letGo(all)
      return opened
    } catch (error) {
      health.failed(error)
      throw error
    }
  }
}

/** Those that can write nothing: one that is lent ends what it is at, the others are closed. */
function letGo(all: ReadonlySet<Connection>): void {
  for (const each of all) {
    if (!each.isReadOnly) continue
    each.distrust()
    if (each.use !== null) each.retire()
  }
}
