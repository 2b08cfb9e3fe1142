import { SvcError } from '../../base/errors/svc-error.ts'
import type { Database } from '../../contract/database.ts'
import type { RootLog } from '../../service/signals/log.ts'
import type { Project } from '../project/load-project.ts'
import { writeLayout } from './data-folder.ts'
import { describeScriptError, fingerprintOf, type InitScript, readProjectScripts } from './init-scripts.ts'
import { startAfresh } from './project-database.ts'
import { splitStatements } from './split-statements.ts'

/**
 * Prepares to apply later changes of the project's SQL scripts to the running embedded database of `svc dev`.
 * @param folder data folder of the database; `null`: in memory
 * @param onRefused receives the reason when changed scripts cannot be applied
 * @returns a function that applies the scripts after a change of files. If they cannot be applied, it returns `false`
 * and logs the remedy once
 */
export async function followScripts(
  project: Project,
  database: Database,
  folder: string | null,
  log: RootLog,
  onRefused: (error: unknown) => void = () => {},
): Promise<() => Promise<boolean>> {
  let applied = await readProjectScripts(project)
  let refused: string | null = null
  return async () => {
    try {
      const now = await readProjectScripts(project)
      const fingerprint = fingerprintOf(now)
      if (fingerprint === refused) return true
      refused = fingerprint
      const statements = await applyChangedScripts(database, applied, now)
      refused = null
      applied = now
      if (statements === 0) return true
      if (folder !== null) await writeLayout(folder, { scripts: fingerprint, served: true })
      log.info({ statements }, 'what changed in the scripts is applied to the running database')
      return true
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.error({}, `${reason}. The running database stays as it is, and nothing is reloaded. ${startAfresh(folder)}`)
      onRefused(error)
      return false
    }
  }
}

/**
 * Applies changed SQL scripts to a database that earlier versions of them created: runs new and changed statements, in
 * order and in one transaction. Views, functions, procedures and triggers are replaced. Objects of removed statements
 * stay in the database.
 * @param before scripts as they were last applied
 * @returns number of statements that ran
 * @throws SvcError SVC_DATABASE_INIT_FAILED with file, line and the message of the database; the transaction is rolled
 * back
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
