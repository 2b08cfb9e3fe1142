import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'

/** Record about the folder of an embedded database. It is stored in a file next to the folder. */
export interface LayoutRecord {
  /** Fingerprint of the scripts that created the database. */
  readonly scripts: string
  /** `true` after a service has opened the database, which may then hold data that the scripts cannot create again. */
  readonly served: boolean
}

/** Reads the record about the folder of an embedded database. @returns `null`: the record is missing or unreadable */
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
 * Marks the folder as one that this process is creating.
 * @throws SvcError SVC_CONFIG_INVALID when the folder is not empty and holds no database: a failure would delete its files
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

/** Removes the mark that `claimFolder` sets: the database in the folder is complete. */
export async function releaseFolder(folder: string): Promise<void> {
  await rm(markerOf(folder), { force: true })
}

/**
 * Removes an incomplete database, whose scripts were interrupted, so that it is created again.
 * @returns `true` while another process is creating it
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

/** Returns the path for messages: relative if the folder is in the working directory. */
export function shownPath(folder: string): string {
  const near = relative(process.cwd(), folder)
  return near === '' || near.startsWith('..') ? folder : near
}

/** Returns the path of the marker file beside the folder. It exists while scripts are applied, and contains the id of the process. */
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
