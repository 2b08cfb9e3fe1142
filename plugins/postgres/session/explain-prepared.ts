import { randomBytes } from 'node:crypto'
import { encodeParameters, type Session } from '../../../core/doors/driver.ts'
import type { Parameter } from '../../../core/doors/plugin.ts'

/**
 * Returns the generic plan of a statement: the plan for any values. EXPLAIN of the statement itself would return the
 * plan for its values.
 * @param session a transaction with `plan_cache_mode = force_generic_plan`
 * @returns JSON text of EXPLAIN; `undefined`: the server returned no plan
 */
export async function explainPrepared(
  session: Session,
  text: string,
  parameters: readonly Parameter[],
): Promise<string | null | undefined> {
  const name = `svc_explained_${randomBytes(6).toString('hex')}`
  const values = encodeParameters(parameters).map(literalOf)
  const call = values.length === 0 ? name : `${name}(${values.join(', ')})`
  const run = (sql: string) => session.query({ name: null, text: sql, readOnly: true }, [])
  await run(`PREPARE ${name} AS ${text}`)
  // Prepared statements outlive the transaction in which they were prepared.
  await run('SAVEPOINT svc_explained')
  try {
    return (await run(`EXPLAIN (FORMAT JSON) EXECUTE ${call}`)).rows[0]?.[0]
  } finally {
    await run('ROLLBACK TO svc_explained')
    await run(`DEALLOCATE ${name}`)
  }
}

/** An untyped literal, which takes the type of its context. */
function literalOf(value: string | null): string {
  return value === null ? 'NULL' : ` E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
