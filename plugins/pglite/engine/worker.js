/**
 * The thread of the embedded database: it takes bytes of PostgreSQL's protocol and answers with bytes. JavaScript, so
 * that no loader is needed in the thread.
 */
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'

const PARAMETERS = {
  // PostgreSQL measures its own stack alone, of which a call takes a tenth of what it takes of the thread's (32 MB): with
  // this bound a statement that nests too deeply is refused with an error of SQL (54001), and soon.
  max_stack_depth: '512kB',
  // Touched at start and never given back; the system's file cache stands behind it.
  shared_buffers: '16MB',
}
/** How PGlite leaves a command that failed with an error of SQL: it goes on by itself. */
const ERROR_OF_SQL = 100
const ENTRIES = [
  '_PostgresMainLoopOnce',
  '_PostgresMainLongJmp',
  '_PostgresSendReadyForQueryIfNecessary',
  '_pgl_pq_flush',
]

const READY_FOR_QUERY = 0x5a

/** What ended the engine; nothing runs in it after that. */
let fault = null

/** PGlite swallows a trap or an exhausted stack, and answers on with what is left of the engine. */
function guard(engine) {
  for (const name of ENTRIES) {
    const enter = engine[name]
    engine[name] = () => {
      if (fault !== null) return undefined
      try {
        return enter()
      } catch (error) {
        if (error?.status === ERROR_OF_SQL) throw error
        fault = error
        // PGlite's loop would try the same again, for ever. It reads the status of what it catches: that throws out of it.
        throw Object.defineProperty({}, 'status', {
          get() {
            throw error
          },
        })
      }
    }
  }
}

function describe(error) {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error?.message ?? error)
}

/** Each comes in a file of its own, whose export has its name; some in a package of their own. */
async function loadExtensions(names) {
  const load = async (name) => {
    const module = await (name === 'vector'
      ? import('@electric-sql/pglite-pgvector')
      : import(`@electric-sql/pglite/contrib/${name}`))
    return [name, module[name]]
  }
  return Object.fromEntries(await Promise.all(names.map(load)))
}

async function start({ folder, extensions, template, image, module }) {
  const data = image ?? (template === null ? null : gunzipSync(await readFile(template)))
  const database = await PGlite.create(folder ?? 'memory://', {
    pgliteWasmModule: module,
    ...(extensions.length === 0 ? {} : { extensions: await loadExtensions(extensions) }),
    startParams: [
      ...PGlite.defaultStartParams,
      ...Object.entries(PARAMETERS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    ...(data === null ? {} : { loadDataDir: new Blob([data]) }),
  })
  guard(database.Module)
  return database
}

/** Every exchange ends in ReadyForQuery: an answer that does not is the beginning of one. */
function isWhole(answer) {
  const at = answer.length - 6
  return at >= 0 && answer[at] === READY_FOR_QUERY && answer[at + 4] === 5
}

async function exchange(database, bytes) {
  const chunks = []
  let length = 0
  await database.execProtocolRawStream(bytes, {
    onRawData(chunk) {
      chunks.push(chunk.slice())
      length += chunk.length
    },
  })
  const answer = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    answer.set(chunk, at)
    at += chunk.length
  }
  if (!isWhole(answer)) throw new Error('the engine left a statement without its answer')
  return answer
}

/** The files of a database in memory, for the engine that takes its place. */
async function saveImage(database) {
  if (workerData.folder !== null) return null
  const file = await database.fs.dumpTar('data', 'none')
  return new Uint8Array(await file.arrayBuffer())
}

try {
  const database = await start(workerData)
  parentPort.on('message', async (message) => {
    try {
      if (message === 'close') {
        await database.close()
        parentPort.postMessage({ closed: true })
        return
      }
      if (message === 'give up') throw new Error('given up')
      const answer = await exchange(database, message)
      parentPort.postMessage({ answer }, [answer.buffer])
    } catch (error) {
      const image = await saveImage(database).catch(() => null)
      parentPort.postMessage({ fault: describe(fault ?? error), image }, image === null ? [] : [image.buffer])
    }
  })
  parentPort.postMessage({ ready: true })
} catch (error) {
  parentPort.postMessage({ fault: describe(error), image: null })
}
