import type { Engine } from '../contract/engine.ts'
import type { Auth, Exchange, Transport } from '../contract/exchange.ts'
import type { OtherExchange } from '../contract/http-exchange.ts'
import type { ToPublicError } from '../contract/public-error.ts'
import type { Reply } from '../contract/reply.ts'
import type { MaybePromise } from './stages.ts'

/** What a front knows about an exchange that is no HTTP request when it comes in. */
export interface Arrival {
  readonly transport: Exclude<Transport, 'http'>
  /** Default: a new one. */
  readonly id?: string
  /** Names in lower case, for whoever reads a credential or an address there. */
  readonly headers?: Exchange['headers']
  readonly address?: string
  /** Who asks, where that is known (of a connection, once): `authenticate` does not run. `null` = known to be nobody. */
  readonly auth?: Auth | null
  /** Milliseconds; 0 = none. Default: `server.request_timeout_ms`. */
  readonly deadlineMs?: number
  /** Aborted when the client goes, or takes back what it asked for. */
  readonly signal?: AbortSignal
  /** Renders what was thrown, as a route's does. Default: REST's `{ "error": { code, message, details } }`. */
  readonly renderError?: (ctx: OtherExchange, error: unknown) => Reply
}

/**
 * onRequest → authenticate → handler. Never throws and never rejects: whatever fails becomes a reply.
 * @returns of the reply only `body` goes anywhere by itself; what `status` and `headers` mean is the front's word
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

/** What stands around a booted kernel: data behind its guards, and the way in for exchanges of other transports. */
export interface ConnectedService {
  /** Absent: nothing is served, as where plugins are only listed. */
  readonly engine?: Engine
  readonly enter?: Enter
  /** Absent: the caller whom the exchange names already. */
  readonly identify?: Pipeline['identify']
}
