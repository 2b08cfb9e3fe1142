import type { Cancellable } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'

/** Limit on waiting requests. Further ones are rejected at once. */
const LIMIT = 1000

interface Waiter {
  readonly start: () => void
}

/** Queue for the single session of the embedded database: first come, first served, with a time limit. */
export class TurnQueue {
  readonly #timeoutMs: number
  readonly #waiting = new Set<Waiter>()
  #busy = false
  #whenIdle: (() => void) | null = null
  closing = false

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  get busy(): boolean {
    return this.#busy
  }
  get waiting(): number {
    return this.#waiting.size
  }

  /** @throws SvcError SERVICE_UNAVAILABLE: no turn in time, or closing. TIMEOUT: aborted while waiting */
  async take<T>(work: () => Promise<T>, cancel: Cancellable | null): Promise<T> {
    if (cancel?.aborted === true) throw abortedError(cancel)
    if (this.closing) throw unavailable('The service is closing.')
    if (this.#busy) await this.#wait(cancel)
    this.#busy = true
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #wait(cancel: Cancellable | null): Promise<void> {
    if (this.#waiting.size >= LIMIT) throw unavailable('Too many requests are waiting for the embedded database.')
    return new Promise((resolve, reject) => {
      const leave = (then: () => void): void => {
        clearTimeout(timer)
        this.#waiting.delete(waiter)
        unwatch?.()
        then()
      }
      const waiter: Waiter = { start: () => leave(resolve) }
      const timer = setTimeout(
        () => leave(() => reject(unavailable('The embedded database was not free in time.'))),
        this.#timeoutMs,
      )
      this.#waiting.add(waiter)
      const unwatch = cancel?.onAbort(() => leave(() => reject(abortedError(cancel))))
    })
  }

  #next(): void {
    const [waiter] = this.#waiting
    // The queue stays busy, so that a newcomer cannot take the turn before the next waiter.
    if (waiter !== undefined) {
      waiter.start()
    } else {
      this.#busy = false
      this.#whenIdle?.()
    }
  }

  /** Rejects new requests. Resolves when the waiting ones have ended. */
  close(): Promise<void> {
    this.closing = true
    return new Promise((resolve) => {
      if (!this.#busy) resolve()
      else this.#whenIdle = resolve
    })
  }
}

export function abortedError(cancel: Cancellable): SvcError {
  return cancel.abortReason === 'client'
    ? new SvcError('TIMEOUT', 'The client went away before the statement was done.', {
        details: { abortedBy: 'client' },
      })
    : new SvcError('TIMEOUT', 'The request outlived its deadline while it waited for the embedded database.')
}

export function unavailable(message: string, cause?: unknown): SvcError {
  return new SvcError('SERVICE_UNAVAILABLE', message, { cause, retryAfter: 1 })
}
