import type { Cancellable } from './cancellable.ts'
import type { Generation } from './generation.ts'

/** The caller of a request, as a verified credential identifies it. */
export interface Auth {
  /** Identifies the caller: the claim `sub` of a token, or `apikey:<name>`. `null`: the credential names no subject. */
  readonly subject: string | null
  readonly claims: Readonly<Record<string, unknown>>
  readonly scopes: readonly string[]
  readonly roles: readonly string[]
  /** Name of the plugin that verified the credential. */
  readonly method: string
}

/** Transport of a request. `internal`: svc itself started it, for example to read the row of an event again. */
export type Transport = 'http' | 'websocket' | 'stdio' | 'grpc' | 'internal'

/**
 * One request and its response, over any transport: an HTTP request, a WebSocket message or an MCP call over stdio. All
 * transports share this interface and pass the same hooks, so a rule written for it applies to all of them
 * (docs/explain/architecture.md#the-way-of-a-request).
 */
export interface Exchange extends Cancellable {
  /** Id of the request, for logs: the client's `X-Request-Id` if it is well-formed, else a generated one. */
  readonly id: string
  readonly transport: Transport
  /**
   * The loaded schema that serves the request. It stays the same until the request ends, even if a reload happens
   * meanwhile.
   */
  readonly generation: Generation
  /** Request headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Remote IP address of the connection. */
  readonly address: string
  /** The caller, which the `authenticate` hooks identify. `null`: anonymous, or not yet identified. */
  auth: Auth | null
  /**
   * Values that middleware and hooks set for this request, by name. Placeholders of `row_filter` in the schema and
   * later hooks read them (docs/plugins/middleware.md).
   */
  context: Record<string, unknown>
  /** `true` once the client has disconnected or the deadline has passed. */
  readonly aborted: boolean
  /** Reason why the exchange was aborted: its deadline passed, or its client disconnected. `null`: not aborted. */
  readonly abortReason: 'timeout' | 'client' | null
  /**
   * Headers that hooks add to the response, by lower-case name. They are sent with every response, also with an error.
   * A `vary` is merged with that of the response. `null` until a hook sets some. Transports without headers ignore
   * them.
   */
  replyHeaders: Record<string, string> | null
  /**
   * Aborts the request as if its client had disconnected, and cancels its running statements. For protocols in which a
   * later message cancels a request.
   */
  abort(reason: 'client'): void
  /**
   * Removes the deadline of the request, for a response that is an endless stream. The request then ends when the
   * client disconnects or the process shuts down.
   */
  liftDeadline(): void
  /** The abort state of the request as a standard `AbortSignal`, created on first access. */
  readonly signal: AbortSignal
}
