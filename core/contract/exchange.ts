import type { Cancellable } from './cancellable.ts'
import type { Generation } from './generation.ts'

/** The caller, as a verified credential identifies it. */
export interface Auth {
  /** `sub` claim of a token, or `apikey:<name>` of an API key. */
  readonly subject: string | null
  readonly claims: Readonly<Record<string, unknown>>
  readonly scopes: readonly string[]
  readonly roles: readonly string[]
  /** Name of the plugin that verified the credential. */
  readonly method: string
}

/** Transport of an exchange. `internal`: svc itself started it, for example to re-read the row of an event. */
export type Transport = 'http' | 'websocket' | 'stdio' | 'grpc' | 'internal'

/**
 * One request, independent of its transport: an HTTP request, a WebSocket message or an MCP call over stdio. All transports share
 * this interface and one pipeline, so a rule written against it holds for each of them
 * (docs/explain/architecture.md#the-way-of-a-request).
 */
export interface Exchange extends Cancellable {
  /** The client's `X-Request-Id` when it is well-formed, else a generated id. */
  readonly id: string
  readonly transport: Transport
  /** Schema that serves the request. The request keeps it even if a reload happens meanwhile. */
  readonly generation: Generation
  /** Request headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Remote IP address of the connection. */
  readonly address: string
  /** Set by the `authenticate` stage. `null` = anonymous. */
  auth: Auth | null
  /** Values that middleware and hooks set for placeholders of `row_filter` and for later hooks (docs/plugins/middleware.md). */
  context: Record<string, unknown>
  /** `true` once the client has disconnected or the deadline has passed. */
  readonly aborted: boolean
  /** Reason why the exchange was aborted: its deadline passed, or its client disconnected. `null`: not aborted. */
  readonly abortReason: 'timeout' | 'client' | null
  /**
   * Headers of the reply, by lower-case name. They are sent with every outcome: success, error, or the reply of another hook. `vary`
   * is merged with the front's own value. `null` until a hook sets some. Transports without headers ignore them.
   */
  replyHeaders: Record<string, string> | null
  /**
   * Aborts the exchange as if its client had disconnected, and cancels its running statements. For protocols in which a message
   * cancels an earlier request.
   */
  abort(reason: 'client'): void
  /** Removes the deadline, for a reply that is an endless stream. It ends when the client disconnects or the process shuts down. */
  liftDeadline(): void
  /** The abort state as a standard `AbortSignal`, created on first access. */
  readonly signal: AbortSignal
}
