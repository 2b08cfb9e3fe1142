import type { Cancellable } from '../../../core/doors/driver.ts'
import type { Statement } from '../../../core/doors/plugin.ts'
import { abortedError } from './driver-errors.ts'
import type { PreparedMode, PreparedNames } from './prepared-names.ts'

export interface Holdable {
  cork(): void
  uncork(): void
}

/** The members of a connection that a statement (`S`) uses while it is in flight. */
export interface Carrier<S> {
  readonly mode: PreparedMode
  readonly names: PreparedNames
  /** `true` if a cancel request was sent so recently that it may have hit another statement than intended. */
  readonly cancelledLately: boolean
  hold(stream: Holdable): void
  finish(statement: S): void
  abort(statement: S): void
  /** Handles an error from the server. @returns the error to reject the statement with */
  heard(error: unknown, statement: Statement): unknown
  destroy(): void
}

/**
 * Buffers writes until the event loop has handled all input of its current iteration: the statements of many requests
 * are sent in one write, and the server reads them at once.
 */
export class HeldWrites {
  #holding = false

  hold(stream: Holdable): void {
    if (this.#holding) return
    this.#holding = true
    stream.cork()
    setImmediate(this.#letGo, stream)
  }

  /** Is a write still buffered? */
  get isHolding(): boolean {
    return this.#holding
  }

  readonly #letGo = (stream: Holdable): void => {
    this.#holding = false
    stream.uncork()
  }
}

/** The parts of a statement that its abort listener uses. */
interface Abortable {
  readonly cancel: Cancellable | null
  /** The connection that the statement is in flight on. */
  readonly connection: { abort(running: unknown): void } | null
  fail(error: unknown): void
}

/**
 * Creates the abort listener of a statement: it cancels the statement whether it waits or is in flight.
 *
 * A function of the module, because a closure in the caller would keep the scope of its promise alive: the garbage collector
 * then moved every request to the old space, which cost a tenth of the processor time and 60 MB.
 */
export function aborter(running: Abortable): () => void {
  return () => abort(running)
}

function abort(running: Abortable): void {
  if (running.connection === null) running.fail(abortedError(running.cancel))
  else running.connection.abort(running)
}
