import type { RequestId } from './message.ts'
import type { RpcError } from './rpc-error.ts'

/** @param result JSON text of an object */
export function writeResult(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

/** @param id `null`: it could not be read */
export function writeError(
  id: RequestId | null,
  { code, message, data }: Pick<RpcError, 'code' | 'message' | 'data'>,
): string {
  // Revisions differ in whether an id may be null; none forbids to leave it out.
  const known = id === null ? '' : `"id":${JSON.stringify(id)},`
  return `{"jsonrpc":"2.0",${known}"error":${JSON.stringify({ code, message, data })}}`
}

export function writeNotification(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}
