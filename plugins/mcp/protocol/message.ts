import { ExactNumber } from '../../../core/doors/front.ts'
import { RPC, RpcError } from './rpc-error.ts'

export type RequestId = string | number
export type Params = Readonly<Record<string, unknown>>

/** A JSON-RPC request, which expects a response. */
export interface RpcRequest {
  readonly kind: 'request'
  readonly id: RequestId
  readonly method: string
  readonly params: Params
}

export interface RpcNotification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: Params
}

/** A JSON-RPC response from the client. svc sends no requests, so it ignores responses. */
export interface RpcResponse {
  readonly kind: 'response'
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse

const NONE: Params = Object.freeze({})
/** Maximum length of a method name. */
const LONGEST_METHOD = 200
const LONGEST_ID = 200

export function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
}

/** Validates a parsed JSON value as a JSON-RPC 2.0 message. @throws RpcError −32600 */
export function readMessage(value: unknown): RpcMessage {
  if (!isObject(value)) throw invalid('A message is a JSON object.')
  const { jsonrpc, id, method, params = NONE } = value
  if (jsonrpc !== '2.0') throw invalid('"jsonrpc" has to be "2.0".')
  if (method === undefined && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'))) {
    return { kind: 'response' }
  }
  if (typeof method !== 'string' || method.length > LONGEST_METHOD) throw invalid('"method" has to be a name.')
  if (!isObject(params)) throw invalid('"params" has to be an object.')
  if (!Object.hasOwn(value, 'id')) return { kind: 'notification', method, params }
  if (!isRequestId(id)) throw invalid('"id" has to be a text or a whole number.')
  return { kind: 'request', id, method, params }
}

export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' ? id.length <= LONGEST_ID : Number.isSafeInteger(id)
}

/** Returns the id of a parsed value that is not a valid message, for the error response; `null`: it has no valid id. */
export function idOf(value: unknown): RequestId | null {
  return isObject(value) && isRequestId(value.id) ? value.id : null
}

/** Returns the member `_meta` of the parameters of an MCP request; an empty object if there is none. */
export function metaOf({ _meta: meta }: Params): Params {
  return isObject(meta) ? meta : NONE
}

function invalid(message: string): RpcError {
  return new RpcError(RPC.invalidRequest, message, { status: 400 })
}
