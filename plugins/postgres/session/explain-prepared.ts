import { randomBytes } from 'node:crypto'
import { encodeParameters, type Session } from '../../../core/doors/driver.ts'
import type { Parameter } from '../../../core/doors/plugin.ts'

/**
 * The plan that the server makes once for any values, of a session with `plan_cache_mode = force_generic_plan`: EXPLAIN of a statement with
 * parameters would show the one for its values.
 * @param session of a transaction
 * @returns JSON text; `undefined`: the server gave none
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
  // The end of the transaction takes no statement back that was prepared in it.
  await run('SAVEPOINT svc_explained')
  try {
    return (await run(`EXPLAIN (FORMAT JSON) EXECUTE ${call}`)).rows[0]?.[0]
  } finally {
    await run('ROLLBACK TO svc_explained')
    await run(`DEALLOCATE ${name}`)
  }
}

/** A value whose type is that of its place. */
function literalOf(value: string | null): string {
  return value === null ? 'NULL' : ` E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
