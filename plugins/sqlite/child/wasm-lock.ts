import fs from 'node:fs'

/** A lock file without an owner, or one that somebody was about to break, is let stand so long. */
const GRACE_MS = 5000

/**
 * The WebAssembly build locks a database by making the folder `<file>.lock`, which stays when its process is killed, and
 * takes its own lock for somebody else's when it looks for a journal to roll back: half of a killed transaction would
 * stay in the file. Here the lock is a file with the process that holds it, and one of a process that is gone is broken.
 * Other programs with the same build respect it, as it respects their folder.
 *
 * Replaces functions of `node:fs` for this one path: a process of its own is needed.
 */
export function installWasmLock(path: string): void {
  const { accessSync, mkdirSync, rmdirSync } = fs
  fs.mkdirSync = ((at: fs.PathLike, ...rest: [fs.MakeDirectoryOptions]) =>
    at === path ? take(path) : mkdirSync(at, ...rest)) as typeof fs.mkdirSync
  fs.rmdirSync = ((at: fs.PathLike, ...rest: [fs.RmDirOptions]) =>
    at === path ? fs.unlinkSync(path) : rmdirSync(at, ...rest)) as typeof fs.rmdirSync
  fs.accessSync = ((at: fs.PathLike, mode?: number) => {
    // Asked only by who holds the lock: nobody else does.
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

/** One at a time breaks a lock: a second one could break the lock that the first has taken meanwhile. */
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
    // A folder is the lock of another program, which says nothing about itself; nothing at all is a lock given back.
    return false
  }
  // Killed between making the file and writing into it.
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

/** Process ids are used again: tells one life from the next, where there is a /proc. */
function startTime(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
