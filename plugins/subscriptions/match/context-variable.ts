import type { MoreNames, ObservedChange } from '../../../core/doors/front.ts'

/** A change with what is known of who subscribed. */
export interface SubscribedChange extends ObservedChange {
  readonly context: Readonly<Record<string, unknown>>
}

/** `context` in the filter of a subscription. @param used is called when a filter has it */
export function contextVariable(used: () => void): MoreNames {
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
