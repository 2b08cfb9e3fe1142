import type { changes } from '../../../core/doors/front.ts'

/** A change, with the context values of the subscriber. */
export interface SubscribedChange extends changes.ObservedChange {
  readonly context: Readonly<Record<string, unknown>>
}

/** Defines the variable `context` for filters of subscriptions. @param used called when a filter reads it */
export function contextVariable(used: () => void): changes.MoreNames {
  const has = (name: string): boolean => name === 'context'
  return {
    has,
    variable(name) {
      if (!has(name)) return null
      used()
      return (change) => (change as SubscribedChange).context
    },
  }
}
