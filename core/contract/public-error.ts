import type { Exchange } from './exchange.ts'

/** An error as clients may see it. The plugin that serves the protocol decides the format of the response. */
export interface PublicError {
  readonly code: string
  readonly message: string
  /** HTTP status, 400 to 599. */
  readonly status: number
  /**
   * Machine-readable data about the error for the client. If it has an `errorId`, the log line of the error has the
   * same one; hooks cannot change it.
   */
  readonly details: Readonly<Record<string, unknown>>
  /** Seconds that the client should wait before it retries; `undefined`: not known, or a retry does not help. */
  readonly retryAfter: number | undefined
  /**
   * Value of `error` in the header `WWW-Authenticate`, when a bearer token was rejected. Absent: no token was rejected.
   */
  readonly challenge?: 'invalid_token' | undefined
}

/**
 * The original error behind a {@link PublicError}: second argument of `error:public` hooks. Never show it to clients.
 */
export interface PublicErrorSource {
  /** The value that was thrown. It may contain SQL, host names and a stack trace. */
  readonly error: unknown
  /** The request in which the error occurred; `null`: the connection carried no valid request. */
  readonly exchange: Exchange | null
}

/**
 * Converts any thrown value to the error that clients may see, and logs it. Never throws.
 * @param exchange the request; `null`: the connection carried no valid request
 */
export type ToPublicError = (error: unknown, exchange: Exchange | null) => PublicError
