/** One SQLite connection in a process of its own: a running statement can be stopped only by ending its process. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { Fault, type Library } from './library.ts'
import type { Answer, OpenRequest, Reply, Request } from './protocol.ts'
import { Session } from './session.ts'

/** Offsets 18 and 19 of a database file: 2 = write-ahead log. */
const WAL = 2

/** SQLite's result code for a file whose journal has to be rolled back, in a connection that only reads. */
const READONLY_ROLLBACK = 776

let session: Session | null = null

async function open(request: OpenRequest): Promise<Answer> {
  const { file, wasm, keepsMode } = request
  const library =
    wasm === null ? await openNode(file, keepsMode && existsSync(file)) : await openWasm(file, wasm, keepsMode)
  try {
    session = new Session(library, request)
  } catch (error) {
    throw error instanceof Fault && error.failure.result === READONLY_ROLLBACK ? journalIsHot() : error
  }
  return { rows: [], columns: [], done: true }
}

async function openNode(file: string, readOnly: boolean): Promise<Library> {
  return (await import('./node-library.ts')).openNodeLibrary(file, readOnly)
}

async function openWasm(file: string, entry: string, keepsMode: boolean): Promise<Library> {
  const leave = leaveWal(file, keepsMode)
  const library = (await import('./wasm-library.ts')).openWasmLibrary(file, entry, keepsMode && existsSync(file))
  leave?.(library)
  return library
}

function handle(open: Session, request: Exclude<Request, OpenRequest>): Answer {
  switch (request.op) {
    case 'run':
      return open.run(request)
    case 'cursor':
      return open.openCursor(request)
    case 'fetch':
      return open.fetch()
    case 'leave':
      return open.leave()
    case 'spool':
      return open.spool(request.text, request.parameters, request.settings, request.to)
    case 'end':
      return open.end(request.commit)
    case 'script':
      return open.script(request.sql)
    case 'describe':
      return open.describe(request.names)
    case 'close':
      return open.close()
  }
}

async function reply(request: Request): Promise<Reply> {
  try {
    if (request.op === 'open') return { answer: await open(request) }
    if (session === null) throw Fault.sqlite(1, 'the connection is not open')
    return { answer: handle(session, request) }
  } catch (error) {
    return { failure: error instanceof Fault ? error.failure : Fault.sqlite(1, String(error)).failure }
  }
}

process.on('message', async (request: Request) => {
  process.send?.(await reply(request))
})
// The parent process has ended.
process.on('disconnect', () => process.exit())
// Ctrl-C in a terminal reaches all processes of the group. The parent closes its connections itself, in order.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

function journalIsHot(): Fault {
  return Fault.sqlite(
    14,
    'a program was stopped in a transaction on it, and has left a journal. Only a program that may write can undo the transaction. ' +
      'Run: sqlite3 <file> "SELECT count(*) FROM sqlite_schema"',
  )
}

/**
 * Prepares a file in WAL mode for the WebAssembly build, which has no write-ahead log. A file that was closed properly is switched
 * back, unless it has to keep its mode. A file that another program may have open is refused, because neither would see the locks of the other.
 * @returns the function that switches the mode once the file is open; `null`: nothing to do
 * @throws Fault
 */
function leaveWal(file: string, keepsMode: boolean): ((library: Library) => void) | null {
  if (!isWal(file)) return null
  if (keepsMode) {
    throw Fault.sqlite(
      14,
      'it is in WAL mode, which this version of Node can read only after a change of the file. Node 22.16 and 24 can read it ' +
        'as it is; or serve a copy: sqlite3 <file> "VACUUM INTO \'copy.db\'" && sqlite3 copy.db "PRAGMA journal_mode = DELETE"',
    )
  }
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
