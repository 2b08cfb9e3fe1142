import type { Exchange } from './exchange.ts'

/** What may leave the process about a failure; the front decides the shape. */
export interface PublicError {
  readonly code: string
  readonly message: string
  /** 400 to 599. */
  readonly status: number
  /** What the log has the error under, `errorId`, stays whatever a hook makes of the rest. */
  readonly details: Readonly<Record<string, unknown>>
  /** Seconds. */
  readonly retryAfter: number | undefined
  /** What `WWW-Authenticate` says of a bearer token that was refused. */
  readonly challenge?: 'invalid_token' | undefined
}

/** What hooks of `error:public` are told beside the public form. It is for their eyes. */
export interface PublicErrorSource {
  /** What was thrown: it may hold SQL, host names, a stack. */
  readonly error: unknown
  /** `null`: what came over the connection was no request. */
  readonly exchange: Exchange | null
}

/** The one way on which errors leave. Never throws. */
export type ToPublicError = (error: unknown, exchange: Exchange | null) => PublicError
