import type { Auth, Exchange, Transport } from '../contract/exchange.ts'
import type { OtherExchange } from '../contract/http-exchange.ts'
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
