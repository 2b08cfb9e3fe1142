import type { Generation } from '../schema/generation.ts'
import type { Cancellable } from './cancellable.ts'

/** Who is asking, once a credential was verified. */
export interface Auth {
  /** `sub` of a token, `apikey:<name>` of a key. */
  readonly subject: string | null
  readonly claims: Readonly<Record<string, unknown>>
  readonly scopes: readonly string[]
  readonly roles: readonly string[]
  /** Name of the plugin that verified the credential. */
  readonly method: string
}

/** `internal`: work of svc's own, as an event that is read again. */
export type Transport = 'http' | 'websocket' | 'stdio' | 'grpc' | 'internal'

/**
 * What one request carries, whichever way it came (architecture "ctx is an Exchange"). One fixed shape: a WebSocket
 * message, an MCP call over stdio and an HTTP request are exchanges alike, which is why no rule can live in a front.
 */
export interface Exchange extends Cancellable {
  /** The client's `X-Request-Id` when it is a fit one, else generated. */
  readonly id: string
  readonly transport: Transport
  /** Taken once, at entry: the whole request is served by this schema. */
  readonly generation: Generation
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Address of the client's end of the connection. */
  readonly address: string
  /** Set by the `authenticate` stage. `null` = anonymous. */
  auth: Auth | null
  /** Values that middleware lays down for `row_filter` placeholders and hooks (spec "JWT" 5). */
  context: Record<string, unknown>
  /** `true` as soon as the client went away or the deadline passed. */
  readonly aborted: boolean
  /** Why: `TIMEOUT` or `client closed`. `null` while the request lives. */
  readonly abortReason: 'timeout' | 'client' | null
  /**
   * Headers (lower-case names) that the reply carries whatever becomes of the request: success, error, or the answer of
   * another hook. `vary` joins the front's own. `null` until a hook lays some down. What has no headers leaves them out.
   */
  replyHeaders: Record<string, string> | null
  /**
   * Ends the work as if the client had gone, its statement included: for fronts whose clients take a request back by another
   * message.
   */
  abort(reason: 'client'): void
  /** Takes the time limit away, for an answer that is a stream without an end. What ends it is the client, or the process. */
  liftDeadline(): void
  /** The same as a standard signal, made when first asked for. */
  readonly signal: AbortSignal
}
