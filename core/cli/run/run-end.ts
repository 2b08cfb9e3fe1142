import type { RootLog } from '../../service/signals/log.ts'
import { type CommandIo, EXIT, type ExitCode } from '../command/command.ts'
import { printError } from '../command/print-error.ts'

/** Maximum number of logged faults after the first one, because the process is ending already. */
const MOST_LOGGED = 10

/**
 * Decides when `svc run` ends: at a stop signal, or after an unhandled error, which may have left an inconsistent
 * state. In both cases the process first finishes the requests in flight; after an error, the exit code is not zero.
 */
export class RunEnd {
  readonly stop: AbortSignal
  /** Log of faults, once it is set. */
  log: RootLog | null = null
  /** Current step of the boot, for the message of a process that is stopped before it serves. */
  doing = 'the project was being loaded'
  readonly #io: CommandIo
  readonly #fault = new AbortController()
  readonly #unsubscribe: () => void
  #faults = 0

  /** @param stop signal that aborts at SIGINT or SIGTERM */
  constructor(io: CommandIo, stop: AbortSignal) {
    this.#io = io
    this.stop = AbortSignal.any([stop, this.#fault.signal])
    this.#unsubscribe = io.onFault?.((error) => this.#failed(error)) ?? (() => {})
  }

  get code(): ExitCode {
    return this.#faults > 0 ? EXIT.invalid : EXIT.ok
  }

  /**
   * Waits for the boot or for the end, whichever comes first.
   * @returns `null` when the process has to end. The boot is abandoned, because a hanging set-up cannot be interrupted
   */
  async orStopped<T>(booting: Promise<T>): Promise<T | null> {
    const stopped = new Promise<null>((resolve) => {
      if (this.stop.aborted) resolve(null)
      else this.stop.addEventListener('abort', () => resolve(null), { once: true })
    })
    const booted = await Promise.race([booting, stopped])
    if (booted === null) {
      booting.catch(() => {})
      this.#say({}, `stopped before it served: ${this.doing}`)
    }
    return booted
  }

  /** Stops handling faults. From then on, an unhandled error ends the process at once. */
  close(): void {
    this.#unsubscribe()
  }

  #failed(error: unknown): void {
    this.#faults++
    if (this.#faults <= MOST_LOGGED) {
      if (this.log === null) this.#io.stderr(printError(error, true))
      else this.log.error({ error }, 'an error that no code handled: the process finishes its requests and exits')
    }
    this.#fault.abort(error)
  }

  #say(fields: Readonly<Record<string, unknown>>, message: string): void {
    if (this.log === null) this.#io.stderr(`${message}\n`)
    else this.log.warn(fields, message)
  }
}
