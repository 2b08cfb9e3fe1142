import { describeCode } from './codes.ts'

export interface SvcErrorOptions {
  /** Machine-readable facts for the client (`extensions` in GraphQL, `details` in REST). Never SQL, never secrets. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The underlying failure, for the log. Clients never receive it. */
  readonly cause?: unknown
  /** Response path (GraphQL) of the value that failed. */
  readonly path?: readonly (string | number)[] | undefined
  /** Positions in the client's document, 1-based. */
  readonly locations?: readonly { readonly line: number; readonly column: number }[] | undefined
  /** HTTP status, instead of the one that the error's code has in `codes.ts`. */
  readonly status?: number | undefined
  /** Seconds a client should wait before it tries again (`Retry-After`). */
  readonly retryAfter?: number | undefined
  /**
   * Value of `error` in the header `WWW-Authenticate`, when a bearer token was rejected (RFC 6750, section 3.1). Absent
   * when the request had no token.
   */
  readonly challenge?: 'invalid_token' | undefined
}

/**
 * An error with a code. The code decides the HTTP status and whether clients see the message
 * (docs/reference/errors.md). The protocol plugin that serves the request decides the format.
 */
export class SvcError extends Error {
  readonly code: string
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly path: readonly (string | number)[] | undefined
  readonly locations: readonly { readonly line: number; readonly column: number }[] | undefined
  /**
   * HTTP status from the options, else from the table of codes. For a code of a plugin, the app applies the status when it shows the
   * error.
   */
  readonly status: number
  /** `status` comes from the options of the constructor. */
  readonly hasOwnStatus: boolean
  readonly retryAfter: number | undefined
  readonly challenge: 'invalid_token' | undefined

  constructor(code: string, message: string, options: SvcErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'SvcError'
    this.code = code
    this.details = options.details
    this.path = options.path
    this.locations = options.locations
    this.status = options.status ?? describeCode(code).status
    this.hasOwnStatus = options.status !== undefined
    this.retryAfter = options.retryAfter
    this.challenge = options.challenge
  }

  /** Clients may see the message. */
  get exposed(): boolean {
    return describeCode(this.code).exposed
  }

  /** Returns a copy with a response path, or this error when it has a path already. */
  at(path: readonly (string | number)[]): SvcError {
    if (this.path !== undefined) return this
    const { details, cause, locations, retryAfter, challenge } = this
    const status = this.hasOwnStatus ? this.status : undefined
    return new SvcError(this.code, this.message, { details, cause, locations, status, retryAfter, challenge, path })
  }
}
