import type { RequestId } from './message.ts'
import type { RpcError } from './rpc-error.ts'

/** Writes a JSON-RPC response. @param result JSON text of the result */
export function writeResult(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

/**
 * Writes a JSON-RPC error response.
 * @param id `null` when the request has no valid id; the response then has no `id`
 */
export function writeError(
  id: RequestId | null,
  { code, message, data }: Pick<RpcError, 'code' | 'message' | 'data'>,
): string {
  // Only some revisions allow `"id":null`, and all of them allow a missing id.
  const known = id === null ? '' : `"id":${JSON.stringify(id)},`
  return `{"jsonrpc":"2.0",${known}"error":${JSON.stringify({ code, message, data })}}`
}

export function writeNotification(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}
