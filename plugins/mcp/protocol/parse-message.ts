import { parseJson } from '../../../core/index.ts'
import { RPC, RpcError } from './rpc-error.ts'

/** The JSON of a message; numbers keep their digits. @throws RpcError −32700 */
export function parseMessage(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new RpcError(RPC.parse, 'The message is not valid JSON.', { status: 400 })
  }
}
