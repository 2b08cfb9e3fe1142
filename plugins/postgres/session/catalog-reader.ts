import type { CatalogReader } from '../../../core/doors/driver.ts'
import type { Connection } from '../wire/connection.ts'
import { describeStatement } from '../wire/describe-statement.ts'
import { ASIDE_MS } from './cancelled-in-time.ts'

/**
 * Creates a reader of the database catalog on a reserved connection. If an answer takes too long, the connection is
 * destroyed.
 */
export function catalogReader(connection: Connection): CatalogReader {
  const { client } = connection
  const inTime = async <T>(answer: Promise<T>): Promise<T> => {
    const overdue = setTimeout(() => connection.destroy(), ASIDE_MS)
    try {
      return await answer
    } finally {
      clearTimeout(overdue)
    }
  }
  return {
    async query(text, parameters) {
      const { rows } = await inTime(client.query({ text, values: [...parameters], rowMode: 'array' }))
      return rows as readonly (readonly (string | null)[])[]
    },
    describe: (text) => inTime(describeStatement(client, text)),
  }
}
