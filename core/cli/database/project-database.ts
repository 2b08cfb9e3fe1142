import { SvcError } from '../../base/errors/svc-error.ts'
import type { Database, DatabaseDriver } from '../../contract/database.ts'
import type { Log } from '../../contract/scope.ts'
import type { Signals } from '../../contract/signals.ts'
import { openDatabase } from '../../service/open-database.ts'
import { loadDrivers } from '../project/load-driver.ts'
import type { Project } from '../project/load-project.ts'
import {
  claimFolder,
  isBeingMade,
  readLayout,
  releaseFolder,
  removeFolder,
  shownPath,
  writeLayout,
} from './data-folder.ts'
import { applyInitScripts, fingerprintOf, type InitScript, readProjectScripts } from './init-scripts.ts'

export interface OpenProjectOptions {
  /**
   * What the caller needs the database for. `run` and `compile` create a missing embedded database; `check` writes
   * nothing to disk. `compile` and `check` use a database in memory, created by the same scripts, if they cannot use
   * the embedded one.
   */
  readonly purpose: 'run' | 'compile' | 'check'
  readonly signals: Signals
  readonly log: Log
  /** Receives a line for the user about a slow step, for standard error. */
  readonly progress: (line: string) => void
}

export interface ProjectDatabase {
  readonly database: Database
  /**
   * Set for an embedded database (PGlite, SQLite), with its data folder; `folder` is `null` for a database in memory.
   * `null`: the database is a server.
   */
  readonly embedded: { readonly folder: string | null } | null
}

interface Embedded extends OpenProjectOptions {
  readonly project: Project
  readonly drivers: readonly DatabaseDriver[]
  readonly scripts: readonly InitScript[]
}

/**
 * Opens the database that `database.url` of a project names; the caller closes it. An embedded database may be created
 * from the project's scripts first (see `purpose`).
 * @throws SvcError SVC_DATABASE_MISSING: no URL is configured, or no driver accepts it; SVC_DATABASE_UNREACHABLE: the
 * server does not respond, or another process has the embedded database open; SVC_DATABASE_INIT_FAILED: a script failed
 */
export async function openProjectDatabase(project: Project, options: OpenProjectOptions): Promise<ProjectDatabase> {
  const { url = '' } = project.config.database
  const drivers = await loadDrivers(project, options.signals, options.log)
  const driver = drivers.find((candidate) => candidate.accepts(url))
  if (driver?.exists === undefined) {
    return { database: await open(project, drivers, url, options.signals), embedded: null }
  }
  if (options.purpose === 'run' && project.config.server.workers > 1) throw sharedEmbedded(project)
  const folder = driver.folder?.(url, project.baseDir) ?? null
  const parts = { ...options, project, drivers, scripts: await readProjectScripts(project) }
  const database = folder === null ? await openInMemory(parts) : await openFolder(parts, folder, driver)
  return { database, embedded: { folder } }
}

function open(project: Project, drivers: readonly DatabaseDriver[], url: string, signals: Signals): Promise<Database> {
  const { config, baseDir } = project
  const context = { baseDir, signals, maxResultBytes: config.svc.max_response_bytes }
  return openDatabase(drivers, { ...config.database, url }, context)
}

async function openInMemory(parts: Embedded): Promise<Database> {
  if (parts.purpose !== 'run') return openToRead(parts)
  return create(parts, 'memory', parts.project.config.database.url ?? '')
}

/** Creates a database of the same kind in memory, to read its catalog. */
async function openToRead(parts: Embedded): Promise<Database> {
  const [scheme] = (parts.project.config.database.url ?? '').split(':')
  const database = await open(parts.project, parts.drivers, `${scheme}:memory`, parts.signals)
  return fill(database, parts.scripts, () => {})
}

async function openFolder(parts: Embedded, folder: string, driver: DatabaseDriver): Promise<Database> {
  const { project, purpose, scripts, progress } = parts
  const url = project.config.database.url ?? ''
  if (await isBeingMade(folder)) {
    if (purpose === 'run') throw beingMade(folder)
    return openToRead(parts)
  }
  const exists = await driver.exists!(url, project.baseDir)
  const layout = exists ? await readLayout(folder) : null
  const isStale = layout !== null && layout.scripts !== fingerprintOf(scripts)
  if (!exists || (isStale && !layout.served)) {
    if (purpose === 'check') return openToRead(parts)
    // No service has opened the database, so it contains no data of the user. It is created again with the current scripts.
    if (exists) await removeFolder(folder)
    return createFolder(parts, folder, url)
  }
  if (isStale) progress(changedSince(project, folder))
  if (purpose === 'run') {
    if (layout !== null && !layout.served) await writeLayout(folder, { ...layout, served: true })
    return open(project, parts.drivers, url, parts.signals)
  }
  try {
    return await open(project, parts.drivers, url, parts.signals)
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'SVC_DATABASE_UNREACHABLE') throw error
    progress(`${error.message}\nReading a fresh one in memory instead, laid out by the same scripts.`)
    return openToRead(parts)
  }
}

async function createFolder(parts: Embedded, folder: string, url: string): Promise<Database> {
  await claimFolder(folder)
  try {
    const database = await create(parts, shownPath(folder), url)
    await writeLayout(folder, { scripts: fingerprintOf(parts.scripts), served: parts.purpose === 'run' })
    await releaseFolder(folder)
    return database
  } catch (error) {
    await removeFolder(folder)
    throw error
  }
}

async function create({ project, drivers, scripts, signals, progress }: Embedded, shown: string, url: string) {
  const started = performance.now()
  progress(`Creating the embedded database in ${shown}`)
  const database = await fill(await open(project, drivers, url, signals), scripts, progress)
  progress(`Created in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return database
}

async function fill(
  database: Database,
  scripts: readonly InitScript[],
  progress: (line: string) => void,
): Promise<Database> {
  try {
    await applyInitScripts(database, scripts, progress)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

function changedSince({ config }: Project, folder: string): string {
  return (
    `The scripts in ${config.database.init_dir} have changed since they laid out ${shownPath(folder)}, which stays as ` +
    `it is. ${startAfresh(folder)}`
  )
}

/**
 * Returns the advice for a user whose embedded database must be created again from the scripts.
 * @param folder data folder of the database; `null`: it is in memory
 */
export function startAfresh(folder: string | null): string {
  return folder === null
    ? 'To start afresh: stop svc and run it again.'
    : `To start afresh, without the data: stop svc, delete ${shownPath(folder)}, and run it again.`
}

function sharedEmbedded({ config }: Project): SvcError {
  return new SvcError(
    'SVC_CONFIG_INVALID',
    `server.workers = ${config.server.workers} needs a database server: an embedded database lives in one process, and ` +
      'workers share nothing. Set server.workers = 1, or name a server in database.url.',
  )
}

function beingMade(folder: string): SvcError {
  const message = `Another process is creating the embedded database in ${shownPath(folder)}. Try again in a moment.`
  return new SvcError('SVC_DATABASE_UNREACHABLE', message)
}
