import type { Exchange } from './exchange.ts'

/** An error in the form that clients may see. The front decides the format. */
export interface PublicError {
  readonly code: string
  readonly message: string
  /** HTTP status, 400 to 599. */
  readonly status: number
  /** Facts for the client. `errorId`, if present, identifies the error in the log; hooks cannot change it. */
  readonly details: Readonly<Record<string, unknown>>
  /** Seconds until the client should retry. */
  readonly retryAfter: number | undefined
  /** Value of `error` in `WWW-Authenticate`, for a rejected bearer token. */
  readonly challenge?: 'invalid_token' | undefined
}

/** Second argument of hooks of `error:public`. Never show it to clients. */
export interface PublicErrorSource {
  /** The thrown value. It may contain SQL, host names, a stack. */
  readonly error: unknown
  /** Exchange in which the error occurred; `null`: the connection carried no valid request. */
  readonly exchange: Exchange | null
}

/** Converts any thrown value to the error that clients see. Never throws. */
export type ToPublicError = (error: unknown, exchange: Exchange | null) => PublicError
