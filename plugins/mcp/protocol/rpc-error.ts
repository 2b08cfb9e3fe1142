/** Error codes of JSON-RPC 2.0 and of the Model Context Protocol. */
export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** For revisions before 2026-07-28. Later revisions use `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

export interface RpcErrorOptions {
  /** Status of the HTTP reply. Default 200, because the reply is a JSON-RPC response with an error. */
  readonly status?: number
  readonly data?: unknown
}

/** An error that becomes a JSON-RPC error response. The error of a tool becomes a result with `isError` instead. */
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
