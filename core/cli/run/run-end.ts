import type { RootLog } from '../../service/signals/log.ts'
import { type CommandIo, EXIT, type ExitCode } from '../command/command.ts'
import { printError } from '../command/print-error.ts'

/** Faults after the first one are logged up to this number: the process is ending, and the log is not to be flooded. */
const MOST_LOGGED = 10

/**
 * When `svc run` ends: at a signal, or at an error that no code handled. Such an error may have left anything half done, so
 * the process does not go on; it finishes the requests in flight, as at a signal, and exits non-zero.
 */
export class RunEnd {
  readonly stop: AbortSignal
  /** From here on faults are lines of this log. */
  log: RootLog | null = null
  /** What the boot is doing, for the line of a process that is stopped before it serves. */
  doing = 'the project was being loaded'
  readonly #io: CommandIo
  readonly #fault = new AbortController()
  readonly #unsubscribe: () => void
  #faults = 0

  /** @param stop aborts at a signal */
  constructor(io: CommandIo, stop: AbortSignal) {
    this.#io = io
    this.stop = AbortSignal.any([stop, this.#fault.signal])
    this.#unsubscribe = io.onFault?.((error) => this.#failed(error)) ?? (() => {})
  }

  get code(): ExitCode {
    return this.#faults > 0 ? EXIT.invalid : EXIT.ok
  }

  /**
   * Waits for the boot, but not longer than for the end.
   * @returns `null`: the process has to end. The boot is left behind: nothing can interrupt a set-up that hangs
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

  /** From here on an error that no code handles ends the process at once. */
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
