import type { HttpExchange } from '../../contract/http-exchange.ts'
import { CLIENT_CLOSED_REQUEST } from '../lifecycle/to-public-error.ts'

/**
 * Returns the status of a request for the access log and metrics. Errors after the client has disconnected do not count as server errors,
 * because no client received them.
 */
export function countedStatus({ abortReason }: Pick<HttpExchange, 'abortReason'>, status: number): number {
  return abortReason === 'client' ? CLIENT_CLOSED_REQUEST : status
}
