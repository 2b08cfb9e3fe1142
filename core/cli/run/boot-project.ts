import { resolve } from 'node:path'
import { readVersion } from '../../base/packages/own-package.ts'
import { loadPlugins } from '../../config/plugin-list.ts'
import { listSecrets, redactConfig } from '../../config/redact.ts'
import type { PluginInstance } from '../../kernel/kernel-options.ts'
import { type App, createApp } from '../../service/app.ts'
import { loadSchema } from '../../service/load-schema.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import { createLog, logSignals, type RootLog } from '../../service/signals/log.ts'
import type { CommandIo } from '../command/command.ts'
import { openProjectDatabase, type ProjectDatabase } from '../database/project-database.ts'
import type { Project } from '../project/load-project.ts'
import type { WorkerLink } from '../workers/worker-link.ts'

/** A service that has booted but does not listen yet. */
export interface BootedProject extends ProjectDatabase {
  readonly app: App
  readonly log: RootLog
  /** Closes the service, then its database, then its log. */
  close(): Promise<void>
}

/**
 * Object that `bootProject` updates during the boot: the log, as soon as it is created, and the current step as text.
 */
export interface BootProgress {
  log: RootLog | null
  doing: string
}

/**
 * Boots the service of a project in this process, without listening for requests yet. The caller closes it.
 * @param link connection to the supervisor process; `null`: this process is no worker
 * @param boot receives the progress, so that the caller can report where a boot failed
 * @param added plugins that the command adds to those of the project
 */
export async function bootProject(
  project: Project,
  io: CommandIo,
  link: WorkerLink | null = null,
  boot: BootProgress = { log: null, doing: '' },
  added: readonly PluginInstance[] = [],
): Promise<BootedProject> {
  const { config, schema, baseDir, list, artifact } = project
  const root = createLog({
    env: io.env,
    write: (line) => io.stderr(line),
    isTerminal: io.isTerminal,
    secrets: listSecrets(config, schema),
  })
  const log = link === null ? root : root.child({ worker: link.index })
  boot.log = log
  const signals = createSignals()
  const endLog = logSignals(signals, log)
  // Steps that can fail without a database come before a database is created.
  boot.doing = 'the plugins were being loaded'
  const plugins = await loadPlugins(list.listed)
  const first = await loadSchema(artifact)
  boot.doing = 'the database was being opened'
  const progress = (line: string) => (log.format === 'json' ? log.info({}, line.trim()) : io.stderr(`${line}\n`))
  const { database, embedded } = await openProjectDatabase(project, { purpose: 'run', signals, log, progress })
  const app = await createApp({
    config,
    baseDir,
    log,
    signals,
    plugins: [...plugins, ...added],
    known: list.left,
    version: readVersion(),
    loadSchema: startingWith(first, (path) => loadSchema(path === undefined ? artifact : resolve(baseDir, path))),
    database,
    onBootStep(doing) {
      boot.doing = doing
    },
    describeConfig: () => redactConfig(config, schema),
    ...(link === null ? {} : { workers: link.workers, peers: link.peers }),
  }).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  return {
    app,
    database,
    embedded,
    log,
    async close() {
      await app.close()
      endLog()
    },
  }
}

/** Returns the loaded value at the first call, and loads from the second call on. */
function startingWith<T>(first: T, load: (path?: string) => Promise<T>): (path?: string) => Promise<T> {
  let isFirst = true
  return async (path) => {
    if (!isFirst) return load(path)
    isFirst = false
    return first
  }
}
