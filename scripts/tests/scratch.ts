import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Memory as a folder, where the system has it. */
const MEMORY = '/dev/shm'
/** What the tests of a run hold at once, several times over; containers often have 64 MB. */
const ENOUGH_BYTES = 4 * 2 ** 30

/** Makes a folder for what tests write, in memory where there is room: most of it is gone within seconds. */
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
