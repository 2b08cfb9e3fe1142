import { describeCode } from './codes.ts'

export interface SvcErrorOptions {
  /** Machine-readable facts for the client (`extensions` in GraphQL, `details` in REST). Never SQL, never secrets. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The failure behind this one. Goes to the log, never to the client. */
  readonly cause?: unknown
  /** Response path (GraphQL) of the value that failed. */
  readonly path?: readonly (string | number)[] | undefined
  /** Places in the client's document, 1-based. */
  readonly locations?: readonly { readonly line: number; readonly column: number }[] | undefined
  /** Overrides the status of the code's row in `codes.ts`. */
  readonly status?: number | undefined
  /** Seconds a client should wait before it tries again (`Retry-After`). */
  readonly retryAfter?: number | undefined
  /** What `WWW-Authenticate` says of a bearer token that was brought (RFC 6750, 3.1); nothing where there was none. */
  readonly challenge?: 'invalid_token' | undefined
}

/**
 * The one error class of svc. The code decides status and exposure (`codes.ts`); the front decides the shape.
 *
 * Follows spec "Errors".
 */
export class SvcError extends Error {
  readonly code: string
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly path: readonly (string | number)[] | undefined
  readonly locations: readonly { readonly line: number; readonly column: number }[] | undefined
  /** Of the options, else of svc's own table. A code that a plugin declares has its status where the app shows the error. */
  readonly status: number
  /** The options of the error said its status. */
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

  /** May the message leave the process? */
  get exposed(): boolean {
    return describeCode(this.code).exposed
  }

  /** The same error at a response path; an error that already has one keeps it. */
  at(path: readonly (string | number)[]): SvcError {
    if (this.path !== undefined) return this
    const { details, cause, locations, retryAfter, challenge } = this
    const status = this.hasOwnStatus ? this.status : undefined
    return new SvcError(this.code, this.message, { details, cause, locations, status, retryAfter, challenge, path })
  }
}
