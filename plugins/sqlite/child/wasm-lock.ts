import fs from 'node:fs'

/** Age up to which a lock file without an owner, or the lock for breaking it, is respected. */
const GRACE_MS = 5000

/**
 * Replaces the file lock of `node-sqlite3-wasm` by one that names its process. The lock of a killed process can then be
 * taken over, and its transaction is rolled back. It patches `node:fs` for this path, so it needs a process of its own.
 * @param path path of the lock, `<file>.lock`
 */
export function installWasmLock(path: string): void {
  const { accessSync, mkdirSync, rmdirSync } = fs
  fs.mkdirSync = ((at: fs.PathLike, ...rest: [fs.MakeDirectoryOptions]) =>
    at === path ? take(path) : mkdirSync(at, ...rest)) as typeof fs.mkdirSync
  fs.rmdirSync = ((at: fs.PathLike, ...rest: [fs.RmDirOptions]) =>
    at === path ? fs.unlinkSync(path) : rmdirSync(at, ...rest)) as typeof fs.rmdirSync
  fs.accessSync = ((at: fs.PathLike, mode?: number) => {
    // Only the holder of the lock asks, so that no other lock exists.
    if (at === path) throw Object.assign(new Error('no other lock'), { code: 'ENOENT' })
    accessSync(at, mode)
  }) as typeof fs.accessSync
}

/** @throws EEXIST while another process holds the lock */
function take(path: string): void {
  try {
    create(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isAbandoned(path) || !breakLock(path)) throw error
    create(path)
  }
}

function create(path: string): void {
  const file = fs.openSync(path, 'wx')
  try {
    fs.writeSync(file, `${process.pid} ${startTime(process.pid)}`)
  } finally {
    fs.closeSync(file)
  }
}

/** Breaks a lock. Only one process may do so at a time: a second one could break the lock that the first has taken meanwhile. */
function breakLock(path: string): boolean {
  const guard = `${path}.break`
  try {
    fs.closeSync(fs.openSync(guard, 'wx'))
  } catch {
    if (ageOf(guard) > GRACE_MS) fs.rmSync(guard, { force: true })
    return false
  }
  try {
    if (!isAbandoned(path)) return false
    fs.unlinkSync(path)
    return true
  } finally {
    fs.rmSync(guard, { force: true })
  }
}

function isAbandoned(path: string): boolean {
  let content: string
  try {
    content = fs.readFileSync(path, 'utf8')
  } catch {
    // A folder is the lock of another program, whose owner is unknown. If nothing is there, the lock was released.
    return false
  }
  // The process was killed between creating the file and writing to it.
  if (content === '') return ageOf(path) > GRACE_MS
  const [, pid, started] = /^(\d+) (\d*)$/.exec(content) ?? []
  if (pid === undefined) return false
  const owner = Number(pid)
  return owner === process.pid || !isAlive(owner) || (started !== '' && startTime(owner) !== started)
}

function ageOf(path: string): number {
  const found = fs.statSync(path, { throwIfNoEntry: false })
  return found === undefined ? 0 : Date.now() - found.mtimeMs
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Start time of a process, which tells it from an earlier one with the same id. Needs /proc. */
function startTime(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
