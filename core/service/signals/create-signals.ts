import type { SignalListener, Signals } from '../../contract/signals.ts'

/**
 * Creates the bus that delivers signals (events of the service about itself) to its listeners at once. An error of a
 * listener becomes a process warning.
 */
export function createSignals(): Signals {
  const listeners = new Set<SignalListener>()
  return {
    emit(signal) {
      for (const listener of listeners) {
        try {
          listener(signal)
        } catch (error) {
          // An error of a listener must not affect the emitter.
          process.emitWarning(error instanceof Error ? error : String(error))
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
