import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'

/** How the embedded database in a data folder was created. It is stored in a JSON file beside the folder. */
export interface LayoutRecord {
  /** Hash of the SQL scripts that created the database, to detect that they have changed. */
  readonly scripts: string
  /**
   * `true` after a service has opened the database. It may then contain data of users, which running the scripts again
   * would not restore.
   */
  readonly served: boolean
}

/**
 * Reads the file beside the data folder of an embedded database that records how the database was created.
 * @returns `null`: the file is missing or invalid
 */
export async function readLayout(folder: string): Promise<LayoutRecord | null> {
  try {
    const { scripts, served } = JSON.parse(await readFile(layoutOf(folder), 'utf8'))
    return typeof scripts === 'string' ? { scripts, served: served !== false } : null
  } catch {
    // Without a record, the database may contain data of the user.
    return null
  }
}

export function writeLayout(folder: string, record: LayoutRecord): Promise<void> {
  return writeFile(layoutOf(folder), JSON.stringify(record))
}

/**
 * Writes a marker file beside the data folder of an embedded database: this process is creating the database.
 * `releaseFolder` removes the file.
 * @throws SvcError SVC_CONFIG_INVALID when the folder holds other files, which would be deleted if the creation failed
 */
export async function claimFolder(folder: string): Promise<void> {
  const content = await readdir(folder).catch(() => [])
  if (content.length > 0) {
    const message = `database.url names the folder ${shownPath(folder)}, which is not empty and holds no database. Name another folder.`
    throw new SvcError('SVC_CONFIG_INVALID', message)
  }
  await mkdir(dirname(folder), { recursive: true })
  await writeFile(markerOf(folder), String(process.pid))
}

/** Removes the marker file that `claimFolder` writes, once the database in the folder is complete. */
export async function releaseFolder(folder: string): Promise<void> {
  await rm(markerOf(folder), { force: true })
}

/**
 * Tests whether another process is creating the embedded database in the folder. If that process has died, removes the
 * incomplete database, so that it can be created again.
 */
export async function isBeingMade(folder: string): Promise<boolean> {
  const marker = await readFile(markerOf(folder), 'utf8').catch(() => null)
  if (marker === null) return false
  if (isAlive(Number(marker))) return true
  await removeFolder(folder)
  return false
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await rm(layoutOf(folder), { force: true })
  await rm(markerOf(folder), { force: true })
}

/** Returns a folder's path for messages: relative if the folder is in the working directory, otherwise unchanged. */
export function shownPath(folder: string): string {
  const near = relative(process.cwd(), folder)
  return near === '' || near.startsWith('..') ? folder : near
}

/**
 * Returns the path of the marker file beside the folder. It exists while scripts are applied, and contains the id of
 * the process.
 */
function markerOf(folder: string): string {
  return `${folder}.incomplete`
}

function layoutOf(folder: string): string {
  return `${folder}.layout.json`
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
