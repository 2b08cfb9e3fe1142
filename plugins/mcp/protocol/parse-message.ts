import { jsonText } from '../../../core/doors/front.ts'
import { RPC, RpcError } from './rpc-error.ts'

/** Parses the JSON of an MCP message. Numbers keep all of their digits. @throws RpcError −32700 */
export function parseMessage(text: string): unknown {
  try {
    return jsonText.parse(text)
  } catch (cause) {
    throw new RpcError(RPC.parse, `The message is not valid JSON: ${(cause as Error).message}`, { status: 400 })
  }
}
