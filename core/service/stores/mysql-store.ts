import type { Database, Session } from '../../contract/database.ts'
import type { Parameter, Rows } from '../../contract/statement.ts'

/** Operations of the key-value store in SQL, whose parameters are the same in every dialect. */
export type StoreOperation = 'get' | 'set' | 'add' | 'take' | 'delete' | 'increment' | 'sweep'

/** SQLSTATE of a duplicate key. */
const DUPLICATE = '23505'

/**
 * Statements of each operation, which run in one transaction: MySQL cannot return the rows that a statement writes. The
 * rows of the first SELECT are the result.
 */
const STEPS: Readonly<Record<StoreOperation, readonly string[]>> = {
  get: ['SELECT value FROM svc_store WHERE `key` = $1 AND expires_at > $2'],
  set: [
    `INSERT INTO svc_store (\`key\`, value, expires_at) VALUES ($1, $2, $3)
      ON DUPLICATE KEY UPDATE value = VALUES(value), expires_at = VALUES(expires_at)`,
  ],
  add: [
    'DELETE FROM svc_store WHERE `key` = $1 AND expires_at <= $4',
    'INSERT INTO svc_store (`key`, value, expires_at) VALUES ($1, $2, $3)',
    'SELECT $1',
  ],
  take: [
    'SELECT value, expires_at FROM svc_store WHERE `key` = $1 FOR UPDATE',
    'DELETE FROM svc_store WHERE `key` = $1',
  ],
  delete: ['SELECT expires_at FROM svc_store WHERE `key` = $1 FOR UPDATE', 'DELETE FROM svc_store WHERE `key` = $1'],
  increment: [
    // Assignments are made from left to right, so that the end is changed last.
    `INSERT INTO svc_store (\`key\`, value, expires_at) VALUES ($1, $2, $3) ON DUPLICATE KEY UPDATE
      value = IF(expires_at <= $4, VALUES(value), CAST(value AS SIGNED) + CAST(VALUES(value) AS SIGNED)),
      expires_at = IF(expires_at <= $5, VALUES(expires_at), expires_at)`,
    'SELECT value, expires_at FROM svc_store WHERE `key` = $1',
  ],
  sweep: ['DELETE FROM svc_store WHERE expires_at <= $1'],
}

/** Runs an operation of the store on MariaDB or MySQL. @throws the errors of the database */
export async function runMysqlStore(
  database: Database,
  operation: StoreOperation,
  parameters: readonly Parameter[],
): Promise<Rows['rows']> {
  const steps = STEPS[operation]
  const statementOf = (step: string, index: number) => ({
    name: `svc_store_${operation}_${index}`,
    text: step.replace(/\$(\d)/g, (_, number) => database.dialect.placeholder(Number(number))),
    readOnly: operation === 'get',
  })
  if (steps.length === 1) return (await database.query(statementOf(steps[0]!, 0), parameters, null)).rows
  const work = async (session: Session): Promise<Rows['rows']> => {
    let rows: Rows['rows'] = []
    for (const [index, step] of steps.entries()) {
      const result = await session.query(statementOf(step, index), parameters)
      if (step.startsWith('SELECT')) rows = result.rows
    }
    return rows
  }
  return database.transaction(work, {}).catch((error: unknown) => {
    // Another process has added the key.
    if (operation === 'add' && (error as { readonly code?: unknown }).code === DUPLICATE) return []
    throw error
  })
}
