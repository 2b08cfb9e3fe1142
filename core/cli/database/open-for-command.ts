import { listSecrets } from '../../config/redact.ts'
import type { Database } from '../../contract/database.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import { createLog } from '../../service/signals/log.ts'
import type { CommandIo } from '../command/command.ts'
import type { Project } from '../project/load-project.ts'
import { openProjectDatabase } from './project-database.ts'

/**
 * Opens the database of a project for a command that does not start the service. Log lines about the connection go to
 * standard error. The caller closes the database.
 * @throws SvcError SERVICE_UNAVAILABLE and others of the driver: the database cannot be opened
 */
export async function openForCommand(project: Project, io: CommandIo): Promise<Database> {
  const secrets = listSecrets(project.config, project.schema)
  const log = createLog({ env: io.env, write: (line) => io.stderr(line), isTerminal: io.isTerminal, secrets })
  const progress = (line: string): void => io.stderr(`${line}\n`)
  const { database } = await openProjectDatabase(project, { purpose: 'run', signals: createSignals(), log, progress })
  return database
}
