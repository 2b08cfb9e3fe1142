import type { Engine } from './engine.ts'
import type { Auth, Exchange, Transport } from './exchange.ts'
import type { OtherExchange } from './http-exchange.ts'
import type { ToPublicError } from './public-error.ts'
import type { Reply } from './reply.ts'
import type { MaybePromise } from './stages.ts'

/**
 * A request that did not arrive over HTTP, as the plugin that serves its protocol describes it to
 * `scope.pipeline.enter`.
 */
export interface Arrival {
  readonly transport: Exclude<Transport, 'http'>
  /** Id of the request, for logs. Default: a generated one. */
  readonly id?: string
  /** Request headers by lower-case name. Hooks of `authenticate` and rate limits read them. */
  readonly headers?: Exchange['headers']
  readonly address?: string
  /**
   * The caller, if the plugin has already identified it, for example once per connection; the hooks of `authenticate`
   * then do not run. `null`: anonymous. Absent: the hooks run.
   */
  readonly auth?: Auth | null
  /** Time limit for the request in milliseconds; 0: none. Default: `server.request_timeout_ms`. */
  readonly deadlineMs?: number
  /** Aborts the request. Fire it when the client disconnects or cancels the request. */
  readonly signal?: AbortSignal
  /** Converts a thrown error to the reply. Default: a reply with the body `{ "error": { code, message, details } }`. */
  readonly renderError?: (ctx: OtherExchange, error: unknown) => Reply
}

/**
 * Runs a request through the hooks of `onRequest` and `authenticate` and its handler. It never throws or rejects: every
 * failure becomes a reply.
 * @returns the reply. The caller decides how to send `body`, and what `status` and `headers` mean in its protocol
 */
export type Enter = (arrival: Arrival, handler: (ctx: OtherExchange) => MaybePromise<Reply>) => MaybePromise<Reply>

/** The steps around the engine that every request passes, for plugins that serve a protocol: `scope.pipeline`. */
export interface Pipeline {
  /**
   * Runs a request that did not arrive over HTTP (a message on a socket, a line, an event): the hooks of `onRequest`
   * and `authenticate`, then the handler, which calls `scope.engine.run`. Available from `onReady` on.
   */
  readonly enter: Enter
  /**
   * Identifies the caller by the credential of the request, for hooks of `onRequest`, which run before `authenticate`.
   * The credential is verified once, and again if the headers have changed. Never throws.
   * @returns `null` for no credential, for one that `authenticate` will reject, and on an anonymous route
   */
  identify(exchange: Exchange): MaybePromise<Auth | null>
  /**
   * Converts any thrown value to the error that clients may see, and logs it. The hooks of `error:public` run. A plugin
   * that serves a protocol calls it once for each error, and decides the format. Never throws.
   */
  readonly toPublicError: ToPublicError
}

/**
 * The engine and the pipeline of a running service, which `scope.engine` and `scope.pipeline` of the plugins forward
 * to.
 */
export interface ConnectedService {
  /**
   * The engine, which runs operations. Absent: the process serves no requests, for example when it only lists plugins.
   */
  readonly engine?: Engine
  readonly enter?: Enter
  /**
   * Identifies the caller of a request, as {@link Pipeline.identify}. Absent: the caller is already in `exchange.auth`.
   */
  readonly identify?: Pipeline['identify']
}
