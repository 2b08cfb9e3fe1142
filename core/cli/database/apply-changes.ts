import { SvcError } from '../../base/errors/svc-error.ts'
import type { Database } from '../../contract/database.ts'
import { describeScriptError, type InitScript } from './init-scripts.ts'
import { splitStatements } from './split-statements.ts'

/**
 * Applies what scripts say now and did not say before to a database that they laid out: statements that are new or
 * changed, in order and in one transaction. Views, functions, procedures and triggers are replaced; what was taken out
 * of a script stays in the database.
 * @returns how many statements were run
 * @throws SvcError SVC_DATABASE_INIT_FAILED with file, line and what the database said; nothing was applied
 */
export async function applyChangedScripts(
  database: Database,
  before: readonly InitScript[],
  now: readonly InitScript[],
): Promise<number> {
  const known = new Set(before.flatMap(({ sql }) => splitStatements(sql)).map(({ text }) => text))
  const changes = now.flatMap((script) =>
    splitStatements(script.sql)
      .filter(({ text }) => !known.has(text))
      .map((statement) => ({ script, statement })),
  )
  if (changes.length === 0) return 0
  await database.transaction(async (session) => {
    for (const { script, statement } of changes) {
      for (const text of database.dialect.replacing(statement.text)) {
        try {
          await session.query({ name: null, text }, [])
        } catch (cause) {
          const said = describeScriptError(script, cause, statement.offset, text.length - statement.text.length)
          throw new SvcError('SVC_DATABASE_INIT_FAILED', said, { cause })
        }
      }
    }
  }, {})
  return changes.length
}
