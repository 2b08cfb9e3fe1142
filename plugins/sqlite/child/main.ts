/** One SQLite connection in a process of its own: a statement that runs can be stopped only by ending its process. */
import { leaveWal } from './leave-wal.ts'
import { Fault, type Library } from './library.ts'
import type { Answer, OpenRequest, Reply, Request } from './protocol.ts'
import { Session } from './session.ts'

let session: Session | null = null

async function open(request: OpenRequest): Promise<Answer> {
  const { file, wasm } = request
  const library = wasm === null ? await openNode(file) : await openWasm(file, wasm)
  session = new Session(library, request)
  return { rows: [], columns: [], done: true }
}

async function openNode(file: string): Promise<Library> {
  return (await import('./node-library.ts')).openNodeLibrary(file)
}

async function openWasm(file: string, entry: string): Promise<Library> {
  const leave = leaveWal(file)
  const library = (await import('./wasm-library.ts')).openWasmLibrary(file, entry)
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
// The service is gone: nobody is left to answer.
process.on('disconnect', () => process.exit())
// Ctrl-C in a terminal reaches the whole group; the service closes its connections itself, in order.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
