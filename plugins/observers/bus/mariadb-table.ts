import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise'

export interface MariadbTable {
  readonly table: string
  readonly columns: string
  /** Milliseconds after which a silent server counts as unreachable. */
  readonly answerMs: number
}

/**
 * Runs a statement on the table of {@link createMariadbTable}. The first `??` in the statement is replaced by its name.
 */
export type QueryTable = <T extends RowDataPacket[] | ResultSetHeader = RowDataPacket[]>(
  sql: string,
  values?: readonly unknown[],
) => Promise<T>

/**
 * Creates a function that runs statements on one MariaDB table. Before the first statement, the
 * function creates the table if it does not exist.
 * @throws the returned function throws when the server is unreachable or does not answer in time
 */
export function createMariadbTable(pool: Pool, { table, columns, answerMs }: MariadbTable): QueryTable {
  let made: Promise<unknown> | null = null

  async function ask<T extends RowDataPacket[] | ResultSetHeader>(sql: string, values: readonly unknown[]): Promise<T> {
    const connection = await pool.getConnection()
    try {
      const [rows] = await connection.query<T>({ sql, values: [table, ...values], timeout: answerMs })
      connection.release()
      return rows
    } catch (error) {
      // A connection with an outstanding answer cannot be used for anything else.
      if ((error as { code?: string }).code === 'PROTOCOL_SEQUENCE_TIMEOUT') connection.destroy()
      else connection.release()
      throw error
    }
  }

  return async (sql, values = []) => {
    made ??= ask<ResultSetHeader>(`CREATE TABLE IF NOT EXISTS ?? (${columns})`, []).catch((error: unknown) => {
      made = null
      throw error
    })
    await made
    try {
      return await ask(sql, values)
    } catch (error) {
      // The table was dropped, so it is created again.
      if ((error as { code?: string }).code === 'ER_NO_SUCH_TABLE') made = null
      throw error
    }
  }
}
