import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Cancellable } from '../../core/doors/driver.ts'
import type { Answer, OpenRequest, Reply, Request } from './child/protocol.ts'
import { abortedError, unavailable, watchAbort } from './driver-errors.ts'
import { readFailure } from './read-error.ts'

/** A statement whose caller is gone may finish by itself for so long: most do, and a new process costs more. */
const GRACE_MS = 50

interface Pending {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** The process's end of one connection. One request at a time. */
export class ChildConnection {
  readonly #child: ChildProcess
  readonly #maxResultBytes: number
  readonly #graceMs: number
  #pending: Pending | null = null
  #whenQuiet: (() => void) | null = null
  #failure: unknown = null
  /** Settles when the process of the connection is gone. */
  readonly ended: Promise<void>
  /** The process is gone, or going. */
  broken = false
  idleSince = 0

  private constructor(child: ChildProcess, maxResultBytes: number, graceMs: number) {
    this.#graceMs = graceMs
    this.#child = child
    this.#maxResultBytes = maxResultBytes
    child.on('message', (reply: Reply) => this.#settle(reply))
    // A process that is being ended refuses what is sent to it; its end tells the rest.
    child.on('error', (error) => {
      this.#failure = error
      this.kill()
    })
    this.ended = new Promise((resolve) => {
      child.once('exit', () => {
        this.broken = true
        this.#lose()
        resolve()
      })
    })
  }

  /** Starts a process and opens the file in it. @throws as `request` */
  static async open(
    options: Omit<OpenRequest, 'op'>,
    maxResultBytes: number,
    graceMs = GRACE_MS,
  ): Promise<ChildConnection> {
    const connection = new ChildConnection(startChild(), maxResultBytes, graceMs)
    try {
      await connection.request({ op: 'open', ...options })
      return connection
    } catch (error) {
      connection.kill()
      throw error
    }
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /**
   * @param cancel its abort fails the request at once, and ends the process unless it is done soon
   * @throws SqliteError, SvcError SERVICE_UNAVAILABLE (process gone, file locked), TIMEOUT (aborted), VALIDATION_ERROR
   */
  request(request: Request, cancel: Cancellable | null = null): Promise<Answer> {
    if (cancel?.aborted === true) return Promise.reject(abortedError(cancel))
    if (this.broken) return Promise.reject(this.#lost())
    return new Promise((resolve, reject) => {
      const unwatch = watchAbort(cancel, () => {
        unwatch()
        this.#pending = { resolve: () => {}, reject: () => {} }
        const timer = setTimeout(() => this.kill(), this.#graceMs)
        this.onQuiet(() => clearTimeout(timer))
        reject(abortedError(cancel!))
      })
      this.#pending = {
        resolve: (answer) => {
          unwatch()
          resolve(answer)
        },
        reject: (error) => {
          unwatch()
          reject(error)
        },
      }
      this.#child.send(request, (error) => {
        if (error !== null) this.kill()
      })
    })
  }

  /** Calls back once nothing is in flight; at once when nothing is. */
  onQuiet(then: () => void): void {
    if (this.#pending === null) {
      then()
      return
    }
    const before = this.#whenQuiet
    this.#whenQuiet = () => {
      before?.()
      then()
    }
  }

  /** Ends the process, whatever it does. The file stays as the last commit left it. */
  kill(): void {
    this.broken = true
    this.#child.kill('SIGKILL')
  }

  /** Closes the file and ends the process. */
  async close(): Promise<void> {
    await this.request({ op: 'close' }).catch(() => {})
    this.broken = true
    if (this.#child.connected) this.#child.disconnect()
    await this.ended
  }

  #settle(reply: Reply): void {
    const pending = this.#take()
    if ('failure' in reply && reply.failure.kind === 'broken') this.kill()
    if ('answer' in reply) pending?.resolve(reply.answer)
    else pending?.reject(readFailure(reply.failure, this.#maxResultBytes))
    this.#becomeQuiet()
  }

  #lose(): void {
    this.#take()?.reject(this.#lost())
    this.#becomeQuiet()
  }

  #take(): Pending | null {
    const pending = this.#pending
    this.#pending = null
    return pending
  }

  #becomeQuiet(): void {
    const then = this.#whenQuiet
    this.#whenQuiet = null
    then?.()
  }

  #lost(): unknown {
    return unavailable('The connection to the database broke under the statement.', this.#failure ?? undefined)
  }
}

const ENTRY = fileURLToPath(new URL(`./child/main${extname(import.meta.filename)}`, import.meta.url))

/** A checkout on a Node that cannot read TypeScript needs tsx in the child too. */
function startChild(): ChildProcess {
  const reads = (process.features as { readonly typescript?: unknown }).typescript
  const loader = ENTRY.endsWith('.ts') && !reads ? ['--import', import.meta.resolve('tsx')] : []
  return fork(ENTRY, [], {
    execArgv: [...loader, '--no-warnings'],
    env: { ...process.env, NODE_OPTIONS: '' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
