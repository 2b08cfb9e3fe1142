import type { AbortListener, Cancellable } from '../contract/cancellable.ts'

export type AbortReason = 'timeout' | 'client'

/** What of an exchange ends its work: whoever works for it listens, and all of them hear of it. */
export class AbortSource implements Cancellable {
  aborted = false
  abortReason: AbortReason | null = null
  /** Nearly always one statement: a list is made for the second listener. */
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

  /** Does anybody listen? For tests: who is done has taken its listener back. */
  get isWatched(): boolean {
    const listeners = this.#listeners
    return typeof listeners === 'function' || (listeners !== null && listeners.length > 0)
  }

  /** Ends the work: calls whoever listens, once. Who takes itself back meanwhile is not called any more. */
  abort(reason: AbortReason): void {
    if (this.aborted) return
    this.aborted = true
    this.abortReason = reason
    this.#controller?.abort(reason)
    for (let next = this.#takeFirst(); next !== null; next = this.#takeFirst()) call(next)
  }

  /** From here on it has no time limit: for streams that end when the client wants. */
  liftDeadline(): void {
    this.#hasDeadline = false
  }

  /** The time is up. @returns did it matter? */
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

/** One that throws keeps nobody else from hearing of it. */
function call(listener: AbortListener): void {
  try {
    listener()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
