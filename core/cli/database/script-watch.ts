import type { Database } from '../../contract/database.ts'
import type { RootLog } from '../../service/signals/log.ts'
import type { Project } from '../load-project.ts'
import { startAfresh } from '../project-database.ts'
import { applyChangedScripts } from './apply-changes.ts'
import { writeLayout } from './data-folder.ts'
import { fingerprintOf, readProjectScripts } from './init-scripts.ts'

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
