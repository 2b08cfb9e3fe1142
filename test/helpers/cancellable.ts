import type { Cancellable } from '../../core/index.ts'

/** What a request gives to its statements, with a switch. */
export interface TestCancellable extends Cancellable {
  abort(reason?: 'timeout' | 'client'): void
}

export function createCancellable(): TestCancellable {
  let aborted = false
  let abortReason: 'timeout' | 'client' | null = null
  return {
    get aborted() {
      return aborted
    },
    get abortReason() {
      return abortReason
    },
    onAbort: null,
    abort(reason = 'timeout') {
      aborted = true
      abortReason = reason
      this.onAbort?.()
    },
  }
}
