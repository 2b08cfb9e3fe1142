import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { Fault, type Library } from './library.ts'

/** Offsets 18 and 19 of a database file: 2 = write-ahead log. */
const WAL = 2

/**
 * The WebAssembly build has no write-ahead log. A file that was left in that mode, and closed, is turned back; one that
 * another program may have open is refused: that program and this one would not see each other's locks.
 * @returns turns it back, once the file is open; `null` = nothing to do
 * @throws Fault
 */
export function leaveWal(file: string): ((library: Library) => void) | null {
  if (!isWal(file)) return null
  if (existsSync(`${file}-wal`) || existsSync(`${file}-shm`)) {
    throw Fault.sqlite(
      14,
      'it is in WAL mode and was not closed, or is open in another program. Node 22.16 and 24 can open it; or stop ' +
        'that program and run: sqlite3 <file> "PRAGMA journal_mode = DELETE"',
    )
  }
  return (library) => {
    for (const pragma of ['locking_mode = EXCLUSIVE', 'journal_mode = DELETE', 'locking_mode = NORMAL']) {
      const statement = library.prepare(`PRAGMA ${pragma}`)
      statement.start([])
      statement.step()
      statement.finalize()
    }
  }
}

function isWal(file: string): boolean {
  if (!existsSync(file)) return false
  const head = Buffer.alloc(20)
  const opened = openSync(file, 'r')
  readSync(opened, head, 0, 20, 0)
  closeSync(opened)
  return head[18] === WAL || head[19] === WAL
}
