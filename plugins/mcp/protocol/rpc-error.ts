/** Codes of JSON-RPC 2.0, and those that the protocol adds. */
export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Before 2026-07-28; then it is `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

export interface RpcErrorOptions {
  /** Of an answer over HTTP. Default 200: the message was read, and its answer is an error. */
  readonly status?: number
  readonly data?: unknown
}

/** An answer of the protocol itself; what went wrong behind it is a result with `isError`. */
export class RpcError extends Error {
  readonly code: number
  readonly status: number
  readonly data: unknown

  constructor(code: number, message: string, { status = 200, data }: RpcErrorOptions = {}) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}
