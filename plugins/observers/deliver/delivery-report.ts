import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Outcome } from '../outgoing/http-sender.ts'
import type { PendingDelivery } from './delivery.ts'

/** What deliveries tell whoever counts and logs. */
export interface DeliveryReport {
  attempted(
    actionType: string,
    outcome: Outcome,
    seconds: number,
    of: { readonly observer: string; readonly event: ChangeEvent },
  ): void
  buried(delivery: PendingDelivery): void
  /** The store failed; what it was about is tried again. */
  failed(error: unknown): void
}
