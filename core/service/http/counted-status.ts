import type { HttpExchange } from '../../contract/http-exchange.ts'
import { CLIENT_CLOSED_REQUEST } from '../lifecycle/to-public-error.ts'

/**
 * The status that a request counts as, in the access log and in metrics. No client received the reply to a request that it
 * abandoned; an error among such replies is no fault of the service.
 */
export function countedStatus({ abortReason }: Pick<HttpExchange, 'abortReason'>, status: number): number {
  return abortReason === 'client' ? CLIENT_CLOSED_REQUEST : status
}
