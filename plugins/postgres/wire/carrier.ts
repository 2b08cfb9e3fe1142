import { abortedError, type Cancellable } from '../../../core/doors/driver.ts'
import type { Statement } from '../../../core/doors/plugin.ts'
import type { PreparedMode, PreparedNames } from './prepared-names.ts'

export interface Holdable {
  cork(): void
  uncork(): void
}

/** The members of a connection that a statement of type `S` uses while it is in flight. */
export interface Carrier<S> {
  readonly mode: PreparedMode
  readonly names: PreparedNames
  /** `true` shortly after a cancel request was sent, because it may have hit another statement than intended. */
  readonly cancelledLately: boolean
  hold(stream: Holdable): void
  finish(statement: S): void
  abort(statement: S): void
  /** Handles an error that the server sent for a statement. @returns the error with which the statement fails */
  heard(error: unknown, statement: Statement): unknown
  destroy(): void
}

/**
 * Collects writes to a socket until the end of the event loop iteration, so that the statements of many requests are
 * sent at once.
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
 * Creates the abort listener of a statement, which cancels it whether it waits or is in flight. It is a function of its
 * own, because a closure in the caller would keep more memory alive.
 */
export function aborter(running: Abortable): () => void {
  return () => abort(running)
}

function abort(running: Abortable): void {
  if (running.connection === null) running.fail(abortedError(running.cancel))
  else running.connection.abort(running)
}
