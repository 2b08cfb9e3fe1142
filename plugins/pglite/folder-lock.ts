import { readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../../core/doors/plugin.ts'

const LOCK_FILE = 'svc.lock'

interface Owner {
  readonly pid: number
  /** Start time of the process, if the system provides it, because process ids are reused. */
  readonly started: string | null
}

/** Folders that are open in this process. */
const held = new Set<string>()

/**
 * Locks the folder of the embedded database for this process, because two processes would destroy the data. The lock of
 * a process that has ended is taken over.
 * @returns a function that unlocks the folder
 * @throws SvcError SVC_DATABASE_UNREACHABLE when a process has the folder open
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw unreachable(folder, 'cannot be made', error)
  })
  const file = join(folder, LOCK_FILE)
  const own: Owner = { pid: process.pid, started: startTime(process.pid) }
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await writeFile(file, JSON.stringify(own), { flag: 'wx' })
      held.add(folder)
      return async () => {
        held.delete(folder)
        await rm(file, { force: true })
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unreachable(folder, 'cannot be written to', error)
    }
    const owner = await readOwner(file)
    if (owner !== null && isAlive(owner, folder)) throw inUse(folder, file, owner.pid)
    await rm(file, { force: true })
  }
  throw unreachable(folder, 'is being opened by another process at this moment')
}

async function readOwner(file: string): Promise<Owner | null> {
  try {
    const { pid, started } = JSON.parse(await readFile(file, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? { pid, started: typeof started === 'string' ? started : null } : null
  } catch {
    return null
  }
}

function isAlive({ pid, started }: Owner, folder: string): boolean {
  // In a container the service may get the same process id after each restart.
  if (pid === process.pid) return held.has(folder)
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const now = startTime(pid)
  return started === null || now === null || started === now
}

/** Start time of a process in the system's own unit; `null` where there is no /proc. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name in parentheses and may contain anything; the start time is the 22nd.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

function inUse(folder: string, file: string, pid: number): SvcError {
  const owner = pid === process.pid ? 'this process already' : `process ${pid}`
  return new SvcError(
    'SVC_DATABASE_UNREACHABLE',
    `The embedded database in ${folder} is open in ${owner}, and only one can have it. Stop that one, ` +
      `set another database.url, or, if process ${pid} is not svc, delete ${file}.`,
  )
}

function unreachable(folder: string, fault: string, cause?: unknown): SvcError {
  return new SvcError('SVC_DATABASE_UNREACHABLE', `The folder of the embedded database, ${folder}, ${fault}.`, {
    cause,
  })
}
