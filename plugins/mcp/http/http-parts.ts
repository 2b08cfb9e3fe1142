import type { HttpExchange, MaybePromise, Scope } from '../../../core/doors/plugin.ts'
import type { MethodParts } from '../methods.ts'
import type { McpOptions } from '../options.ts'
import type { Running } from '../running.ts'
import type { OriginRules } from './check-origin.ts'
import type { Listeners } from './listeners.ts'
import type { ProtectedResource } from './protected-resource.ts'
import type { Sessions } from './session-id.ts'

/** What answers over HTTP. */
export interface HttpParts {
  readonly scope: Scope
  readonly options: McpOptions
  readonly methods: MethodParts
  readonly sessions: Sessions
  readonly running: Running
  readonly listeners: Listeners
  readonly origins: OriginRules
  readonly resource: ProtectedResource | null
  /** One more message of a list, for limits of rates. @throws SvcError RATE_LIMITED */
  count(ctx: HttpExchange): MaybePromise<void>
  /** Also to the other processes that serve. */
  cancel(session: string, id: unknown): void
  end(session: string): Promise<void>
}

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
