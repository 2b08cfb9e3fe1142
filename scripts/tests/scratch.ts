import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder in memory, if the system has one. */
const MEMORY = '/dev/shm'
/** Several times the space that the tests of a run need; containers often have 64 MB. */
const ENOUGH_BYTES = 4 * 2 ** 30

/** Creates a folder for test output, in memory if there is room: most of it is deleted within seconds. */
export function makeScratch(name: string): string {
  return mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), `${name}-`))
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ENOUGH_BYTES
  } catch {
    return false
  }
}
