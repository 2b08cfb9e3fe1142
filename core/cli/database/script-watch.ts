import { SvcError } from '../../base/errors/svc-error.ts'
import type { Database } from '../../contract/database.ts'
import type { RootLog } from '../../service/signals/log.ts'
import type { Project } from '../project/load-project.ts'
import { writeLayout } from './data-folder.ts'
import { describeScriptError, fingerprintOf, type InitScript, readProjectScripts } from './init-scripts.ts'
import { startAfresh } from './project-database.ts'
import { splitStatements } from './split-statements.ts'

/**
 * Keeps the embedded database that runs with the scripts of its project.
 * @param folder of its data; `null` = in memory
 * @returns to be called when something changed: `false` when the scripts say what the database cannot become, which is
 * logged once, with the way out
 */
export async function followScripts(
  project: Project,
  database: Database,
  folder: string | null,
  log: RootLog,
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
      return false
    }
  }
}

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
