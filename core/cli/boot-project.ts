import { type App, createApp } from '../app.ts'
import { loadPlugins } from '../config/plugin-list.ts'
import { listSecrets } from '../config/redact.ts'
import { loadSchema } from '../load-schema.ts'
import { createLog, logSignals } from '../signals/log.ts'
import { createSignals } from '../signals/signals.ts'
import type { CommandIo } from './command.ts'
import type { Project } from './load-project.ts'
import { readVersion } from './own-package.ts'
import { openProjectDatabase } from './project-database.ts'

/** Boots the service of a project in this process, without listening. The caller closes it. */
export async function bootProject(project: Project, io: CommandIo): Promise<App> {
  const { config, schema, baseDir, list, artifact } = project
  const write = (line: string): void => io.stderr(line)
  const secrets = listSecrets(config, schema)
  const log = createLog({ env: io.env, write, isTerminal: io.isTerminal, secrets })
  const signals = createSignals()
  logSignals(signals, log)
  const plugins = await loadPlugins(list.listed)
  const progress = (line: string): void => io.stderr(`${line}\n`)
  const { database } = await openProjectDatabase(project, { purpose: 'run', signals, log, progress })
  try {
    const known = list.left
    const version = readVersion()
    const load = () => loadSchema(artifact)
    return await createApp({ config, baseDir, log, signals, plugins, known, version, loadSchema: load, database })
  } catch (error) {
    await database.close()
    throw error
  }
}
