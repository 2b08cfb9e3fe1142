import { AbortSource } from '../../core/service/lifecycle/abort-source.ts'

/** What a request gives to its statements, with a switch. */
export interface TestCancellable extends AbortSource {
  abort(reason?: 'timeout' | 'client'): void
}

export function createCancellable(): TestCancellable {
  return new (class extends AbortSource {
    override abort(reason: 'timeout' | 'client' = 'timeout'): void {
      super.abort(reason)
    }
  })()
}
