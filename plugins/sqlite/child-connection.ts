import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Cancellable } from '../../core/doors/driver.ts'
import type { Answer, OpenRequest, Reply, Request } from './child/protocol.ts'
import { abortedError, unavailable, watchAbort } from './driver-errors.ts'
import { readFailure } from './read-error.ts'

/** Time that a statement has to end by itself after its caller has gone: most do, and a new process costs more. */
const GRACE_MS = 50

interface Pending {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Connection to a SQLite database in a child process, as the parent process sees it. It handles one request at a time.
 */
export class ChildConnection {
  readonly #child: ChildProcess
  readonly #maxResultBytes: number
  readonly #graceMs: number
  #pending: Pending | null = null
  #whenQuiet: (() => void) | null = null
  #failure: unknown = null
  /** Resolves when the process of the connection has ended. */
  readonly ended: Promise<void>
  /** Has the process ended, or is it ending? */
  broken = false
  idleSince = 0

  private constructor(child: ChildProcess, maxResultBytes: number, graceMs: number) {
    this.#graceMs = graceMs
    this.#child = child
    this.#maxResultBytes = maxResultBytes
    child.on('message', (reply: Reply) => this.#settle(reply))
    // Sending to a process that is ending fails. Its exit event rejects the requests.
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
   * Sends a request to the process.
   * @param cancel its abort fails the request at once, and ends the process unless the request ends soon
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

  /** Calls `then` once no request is in flight; at once if there is none. */
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

  /** Ends the process, even during a request. The file stays as the last commit left it. */
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

/** Starts a child process. In a checkout on a Node that cannot run TypeScript, the child needs tsx too. */
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
