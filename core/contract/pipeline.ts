import type { Engine } from './engine.ts'
import type { Auth, Exchange, Transport } from './exchange.ts'
import type { OtherExchange } from './http-exchange.ts'
import type { ToPublicError } from './public-error.ts'
import type { Reply } from './reply.ts'
import type { MaybePromise } from './stages.ts'

/** A new exchange without an HTTP request, as its front describes it. */
export interface Arrival {
  readonly transport: Exclude<Transport, 'http'>
  /** Id of the exchange. Default: a generated one. */
  readonly id?: string
  /** Headers by lower-case name. Authenticators and rate limits read them. */
  readonly headers?: Exchange['headers']
  readonly address?: string
  /**
   * The caller, if the front has identified it, for example once per connection: `authenticate` does not run. `null`:
   * anonymous.
   */
  readonly auth?: Auth | null
  /** Deadline in milliseconds; 0: none. Default: `server.request_timeout_ms`. */
  readonly deadlineMs?: number
  /** Aborts the exchange when the client disconnects or cancels its request. */
  readonly signal?: AbortSignal
  /** Renders a thrown error. Default: `{ "error": { code, message, details } }`. */
  readonly renderError?: (ctx: OtherExchange, error: unknown) => Reply
}

/**
 * Runs an exchange through onRequest, authenticate and the handler. It never throws or rejects: every failure becomes a reply.
 * @returns the reply. The front decides how to send `body`, and what `status` and `headers` mean in its protocol
 */
export type Enter = (arrival: Arrival, handler: (ctx: OtherExchange) => MaybePromise<Reply>) => MaybePromise<Reply>

/** Steps around the engine that every request passes. Plugins reach it as `scope.pipeline`. */
export interface Pipeline {
  /**
   * Runs an exchange that is not an HTTP request (a message on a socket, a line, an event): onRequest, authenticate, then the handler,
   * which calls `scope.engine.run`. For listeners opened in `onReady`.
   */
  readonly enter: Enter
  /**
   * Identifies the caller by the credential of the request, for `onRequest` hooks, which run before `authenticate`. The credential is
   * verified once, and again when the headers have changed. Never throws.
   * @returns `null` for no credential, for one that `authenticate` will reject, and on an anonymous route
   */
  identify(exchange: Exchange): MaybePromise<Auth | null>
  /**
   * Converts any thrown value to the error that clients see, after the `error:public` hooks. For fronts, which decide its format. Call it
   * once for each error, because it logs. Never throws.
   */
  readonly toPublicError: ToPublicError
}

/** The service around a booted kernel: the engine with its authorization, and the entry for exchanges that are not HTTP requests. */
export interface ConnectedService {
  /** Engine of the service. Absent: the process serves no requests, for example when it only lists plugins. */
  readonly engine?: Engine
  readonly enter?: Enter
  /** Identifies the caller. Absent: the exchange already has its caller. */
  readonly identify?: Pipeline['identify']
}
