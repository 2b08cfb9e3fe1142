import type { changes } from '../../../core/doors/front.ts'

/** A change with the values of the subscriber that filters can read as `context`. */
export interface SubscribedChange extends changes.ObservedChange {
  readonly context: Readonly<Record<string, unknown>>
}

/**
 * Defines the variable `context` of subscription filters, with the claims and id of the subscriber.
 * @param used called when a filter refers to it
 */
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
