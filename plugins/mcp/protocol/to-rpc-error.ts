import { http } from '../../../core/doors/front.ts'
import type { Exchange, ToPublicError } from '../../../core/doors/plugin.ts'
import { RPC, RpcError } from './rpc-error.ts'

export interface ShownError {
  readonly error: Pick<RpcError, 'code' | 'message' | 'data'>
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Converts an error outside of a tool to a JSON-RPC error. Its `data` contains the error code of svc.
 * @param show converts an error to the form that clients may see
 * @returns the error with status and headers of the HTTP reply
 */
export function toRpcError(thrown: unknown, show: ToPublicError, exchange: Exchange): ShownError {
  if (thrown instanceof RpcError)
    return { error: thrown, status: thrown.status, headers: { 'cache-control': 'no-store' } }
  const shown = show(thrown, exchange)
  const { code, message, details, status } = shown
  return {
    error: {
      code: status < 500 ? RPC.invalidRequest : RPC.internal,
      message,
      data: { code, ...details },
    },
    status,
    headers: http.errorHeaders(shown),
  }
}
