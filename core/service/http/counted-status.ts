import type { HttpExchange } from '../../contract/http-exchange.ts'
import { CLIENT_CLOSED_REQUEST } from '../lifecycle/to-public-error.ts'

/**
 * Returns the status of a reply for the access log and metrics: 499 if the client disconnected before. Such a reply
 * does not count as a server error, because no client received it.
 */
export function countedStatus({ abortReason }: Pick<HttpExchange, 'abortReason'>, status: number): number {
  return abortReason === 'client' ? CLIENT_CLOSED_REQUEST : status
}
