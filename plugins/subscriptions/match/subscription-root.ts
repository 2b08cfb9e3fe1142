import type { SubscriptionModel } from '../../../core/doors/front.ts'
import { type OperationTemplate, SvcError } from '../../../core/doors/plugin.ts'

export type SubscriptionRoot = Extract<OperationTemplate['roots'][number], { kind: 'operation' }> & {
  readonly operation: SubscriptionModel
}

/**
 * Returns the root field of a subscription.
 * @throws SvcError VALIDATION_ERROR unless the operation is a subscription with exactly one root field
 */
export function subscriptionRoot({ roots }: OperationTemplate): SubscriptionRoot {
  const [root] = roots
  if (roots.length === 1 && root?.kind === 'operation' && root.operation.kind === 'subscription') {
    return root as SubscriptionRoot
  }
  throw new SvcError('VALIDATION_ERROR', 'A subscription has exactly one root field.')
}
