import type { ObservedChange } from '../../../core/index.ts'

/** A change with what is known of who subscribed. */
export interface SubscribedChange extends ObservedChange {
  readonly context: Readonly<Record<string, unknown>>
}

/** `context` in the filter of a subscription. @param used told when a filter has it */
export function contextVariable(used: () => void) {
  return (name: string): ((change: ObservedChange) => unknown) | null => {
    if (name !== 'context') return null
    used()
    return (change) => (change as SubscribedChange).context
  }
}
