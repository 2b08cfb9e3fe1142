import { type HttpExchange, readJson, SvcError } from '../../../core/doors/plugin.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'

/** @throws SvcError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE; RpcError −32700 */
export async function readBody(ctx: HttpExchange): Promise<unknown> {
  try {
    return await readJson(ctx)
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'INVALID_JSON') throw error
    throw new RpcError(RPC.parse, error.message, { status: 400 })
  }
}
