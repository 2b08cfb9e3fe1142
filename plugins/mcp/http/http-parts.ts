import type { HttpExchange, MaybePromise, Scope } from '../../../core/doors/plugin.ts'
import type { MethodParts } from '../methods/methods.ts'
import type { Running } from '../protocol/running.ts'
import type { OriginOptions, OriginRules } from './check-origin.ts'
import type { Listeners } from './listeners.ts'
import type { ProtectedResource, ResourceOptions } from './protected-resource.ts'
import type { Sessions } from './session-id.ts'

/** Options of the HTTP endpoint of MCP. */
export interface HttpOptions extends OriginOptions, ResourceOptions {
  readonly require_auth: boolean
  readonly max_streams: number
  readonly max_streams_per_caller: number
}

/** Dependencies of the HTTP handlers of the MCP endpoint. */
export interface HttpParts {
  readonly scope: Scope
  readonly options: HttpOptions
  readonly methods: MethodParts
  readonly sessions: Sessions
  readonly running: Running
  readonly listeners: Listeners
  readonly origins: OriginRules
  readonly resource: ProtectedResource | null
  /** Counts one more message of a batch for the rate limiter. @throws SvcError RATE_LIMITED */
  count(ctx: HttpExchange): MaybePromise<void>
  /**
   * Cancels a request of a session in whichever worker process runs it.
   * @param id id of the request as the client sent it
   */
  cancel(session: string, id: unknown): void
  end(session: string): Promise<void>
}

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
