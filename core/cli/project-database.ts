import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { SvcError } from '../errors/svc-error.ts'
import type { Database, DatabaseDriver } from '../front/database.ts'
import type { Log } from '../kernel/scope.ts'
import { openDatabase } from '../open-database.ts'
import type { Signals } from '../signals/signals.ts'
import { applyInitScripts, type InitScript, readInitScripts } from './init-scripts.ts'
import { loadDrivers } from './load-driver.ts'
import type { Project } from './load-project.ts'

export interface OpenProjectOptions {
  /**
   * `run` creates an embedded database that is not there yet. `compile` leaves no traces: where the embedded database
   * is not there, or a server holds it, it reads the catalog of one in memory that the same scripts lay out.
   */
  readonly purpose: 'run' | 'compile'
  readonly signals: Signals
  readonly log: Log
  /** A line for people, on stderr. */
  readonly progress: (line: string) => void
}

const IN_MEMORY = 'pglite:memory'

/**
 * Opens the database of a project; the caller closes it.
 * @throws SvcError SVC_DATABASE_MISSING, SVC_DATABASE_UNREACHABLE (`run`, another process has it), SVC_DATABASE_INIT_FAILED
 */
export async function openProjectDatabase(project: Project, options: OpenProjectOptions): Promise<Database> {
  const { url = '' } = project.config.database
  const drivers = await loadDrivers(project, options.signals, options.log)
  const driver = drivers.find((candidate) => candidate.accepts(url))
  if (driver?.exists === undefined) return open(project, drivers, url, options.signals)
  if (options.purpose === 'run' && project.config.server.workers > 1) throw sharedEmbedded(project)
  const folder = driver.folder?.(url, project.baseDir) ?? null
  const isBeingMade = folder !== null && (await isUnfinished(folder))
  if (options.purpose === 'run' && isBeingMade) throw beingMade(folder)
  const exists = !isBeingMade && (await driver.exists(url, project.baseDir))
  if (options.purpose === 'compile') return openToRead(project, drivers, exists, options)
  return exists ? open(project, drivers, url, options.signals) : create(project, drivers, folder, options)
}

function open(project: Project, drivers: readonly DatabaseDriver[], url: string, signals: Signals): Promise<Database> {
  const { config, baseDir } = project
  const context = { baseDir, signals, maxResultBytes: config.svc.max_response_bytes }
  return openDatabase(drivers, { ...config.database, url }, context)
}

async function openToRead(
  project: Project,
  drivers: readonly DatabaseDriver[],
  exists: boolean,
  options: OpenProjectOptions,
): Promise<Database> {
  if (exists) {
    try {
      return await open(project, drivers, project.config.database.url ?? '', options.signals)
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'SVC_DATABASE_UNREACHABLE') throw error
      options.progress(`${error.message}\nReading a fresh one in memory instead, laid out by the same scripts.`)
    }
  }
  const scripts = await scriptsOf(project)
  const database = await open(project, drivers, IN_MEMORY, options.signals)
  return fill(database, scripts, () => {})
}

async function create(
  project: Project,
  drivers: readonly DatabaseDriver[],
  folder: string | null,
  { signals, progress }: OpenProjectOptions,
): Promise<Database> {
  const scripts = await scriptsOf(project)
  const started = performance.now()
  progress(`Creating the embedded database in ${folder === null ? 'memory' : shownPath(folder)}`)
  if (folder !== null) await claim(folder)
  try {
    const database = await open(project, drivers, project.config.database.url ?? '', signals)
    await fill(database, scripts, progress)
    if (folder !== null) await rm(markerOf(folder))
    progress(`Created in ${((performance.now() - started) / 1000).toFixed(1)} s`)
    return database
  } catch (error) {
    if (folder !== null) await remove(folder)
    throw error
  }
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

async function scriptsOf({ baseDir, config, sources }: Project): Promise<readonly InitScript[]> {
  const { init_dir: folder } = config.database
  const scripts = await readInitScripts(baseDir, folder)
  if (scripts !== null) return scripts
  const source = sources.get('database.init_dir')
  if (source === undefined || source.layer === 'default') return []
  const message = `${source.place}: database.init_dir names ${folder}, and there is no such folder in ${baseDir}.`
  throw new SvcError('SVC_CONFIG_INVALID', message)
}

function sharedEmbedded({ config }: Project): SvcError {
  return new SvcError(
    'SVC_CONFIG_INVALID',
    `server.workers = ${config.server.workers} needs a database server: an embedded database lives in one process, and ` +
      'workers share nothing. Set server.workers = 1, or name a server in database.url.',
  )
}

function shownPath(folder: string): string {
  const near = relative(process.cwd(), folder)
  return near === '' || near.startsWith('..') ? folder : near
}

/** Stands beside the folder as long as the scripts are not all applied, and holds the id of the process at work. */
function markerOf(folder: string): string {
  return `${folder}.incomplete`
}

/**
 * Marks the folder as one that this process makes.
 * @throws SvcError SVC_CONFIG_INVALID when it holds something that is no database: a failure would remove it
 */
async function claim(folder: string): Promise<void> {
  const content = await readdir(folder).catch(() => [])
  if (content.length > 0) {
    const message = `database.url names the folder ${shownPath(folder)}, which is not empty and holds no database. Name another folder.`
    throw new SvcError('SVC_CONFIG_INVALID', message)
  }
  await mkdir(dirname(folder), { recursive: true })
  await writeFile(markerOf(folder), String(process.pid))
}

/**
 * A database whose scripts were interrupted is no database: its remains are removed, and the next start begins anew.
 * @returns `true` while another process is at it
 */
async function isUnfinished(folder: string): Promise<boolean> {
  const marker = await readFile(markerOf(folder), 'utf8').catch(() => null)
  if (marker === null) return false
  if (isAlive(Number(marker))) return true
  await remove(folder)
  return false
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await rm(markerOf(folder), { force: true })
}

function beingMade(folder: string): SvcError {
  const message = `Another process is creating the embedded database in ${shownPath(folder)}. Try again in a moment.`
  return new SvcError('SVC_DATABASE_UNREACHABLE', message)
}
