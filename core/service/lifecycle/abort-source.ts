import type { AbortListener, Cancellable } from '../../contract/cancellable.ts'

export type AbortReason = 'timeout' | 'client'

/** Tells running work of an exchange to stop, because the client has disconnected or the deadline has passed. */
export class AbortSource implements Cancellable {
  aborted = false
  abortReason: AbortReason | null = null
  /** Usually there is one listener, a statement. A list is created for the second one. */
  #listeners: AbortListener | AbortListener[] | null = null
  #controller: AbortController | null = null
  #hasDeadline = true

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort(this.abortReason)
    }
    return this.#controller.signal
  }

  onAbort(listener: AbortListener): () => void {
    this.addAbortListener(listener)
    return () => this.removeAbortListener(listener)
  }

  addAbortListener(listener: AbortListener): void {
    if (this.aborted) {
      call(listener)
      return
    }
    const before = this.#listeners
    if (before === null) this.#listeners = listener
    else if (typeof before === 'function') {
      if (before !== listener) this.#listeners = [before, listener]
    } else if (!before.includes(listener)) before.push(listener)
  }

  removeAbortListener(listener: AbortListener): void {
    const before = this.#listeners
    if (before === listener) this.#listeners = null
    else if (before !== null && typeof before !== 'function') {
      const at = before.indexOf(listener)
      if (at !== -1) before.splice(at, 1)
    }
  }

  /** Are there listeners? For tests, which check that finished work removes its listener. */
  get isWatched(): boolean {
    const listeners = this.#listeners
    return typeof listeners === 'function' || (listeners !== null && listeners.length > 0)
  }

  /** Aborts the work: calls each listener once. Listeners that are removed meanwhile are not called. */
  abort(reason: AbortReason): void {
    if (this.aborted) return
    this.aborted = true
    this.abortReason = reason
    this.#controller?.abort(reason)
    for (let next = this.#takeFirst(); next !== null; next = this.#takeFirst()) call(next)
  }

  /** Removes the deadline, for streams without an end. */
  liftDeadline(): void {
    this.#hasDeadline = false
  }

  /** Called at the deadline. @returns `false`: the deadline was removed before */
  expire(): boolean {
    if (this.#hasDeadline) this.abort('timeout')
    return this.#hasDeadline
  }

  #takeFirst(): AbortListener | null {
    const listeners = this.#listeners
    if (listeners !== null && typeof listeners !== 'function') return listeners.shift() ?? null
    this.#listeners = null
    return listeners
  }
}

/** Calls a listener. Its error becomes a process warning, so that the other listeners still run. */
function call(listener: AbortListener): void {
  try {
    listener()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
