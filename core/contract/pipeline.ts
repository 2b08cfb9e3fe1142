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
  /** The caller, when the front knows it, for example once per connection: `authenticate` does not run. `null`: anonymous. */
  readonly auth?: Auth | null
  /** Deadline in milliseconds; 0: none. Default: `server.request_timeout_ms`. */
  readonly deadlineMs?: number
  /** Aborts the exchange, when the client disconnects or cancels its request. */
  readonly signal?: AbortSignal
  /** Renders a thrown error. Default: `{ "error": { code, message, details } }`. */
  readonly renderError?: (ctx: OtherExchange, error: unknown) => Reply
}

/**
 * Runs an exchange through onRequest, authenticate and the handler. It never throws or rejects: every failure becomes a reply.
 * @returns the reply. The front decides how to send `body`, and what `status` and `headers` mean in its protocol
 */
export type Enter = (arrival: Arrival, handler: (ctx: OtherExchange) => MaybePromise<Reply>) => MaybePromise<Reply>

/** What surrounds the engine for every request: plugins reach it as `scope.pipeline`. */
export interface Pipeline {
  /**
   * Lets an exchange in that is not an HTTP request (a message on a socket, a line, an event): onRequest, authenticate, then the
   * handler, which calls `scope.engine.run`. For listeners opened in `onReady`.
   */
  readonly enter: Enter
  /**
   * The caller as the credential of the request says, for `onRequest` hooks: `authenticate` has not run there yet. Verified once, and
   * again when the headers have changed. Never throws.
   *
   * @returns `null` for no credential, for one that `authenticate` will refuse, and on an anonymous route
   */
  identify(exchange: Exchange): MaybePromise<Auth | null>
  /**
   * What clients are shown of anything that was thrown, after the `error:public` hooks. For fronts, which give it its shape. Call it once
   * for each error, because it logs. Never throws.
   */
  readonly toPublicError: ToPublicError
}

/** The service around a booted kernel: the guarded engine, and the entrance for exchanges that are not HTTP requests. */
export interface ConnectedService {
  /** Absent: nothing is served, as where plugins are only listed. */
  readonly engine?: Engine
  readonly enter?: Enter
  /** Absent: the caller whom the exchange names already. */
  readonly identify?: Pipeline['identify']
}
