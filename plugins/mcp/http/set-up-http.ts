import type { HttpExchange, Scope } from '../../../core/doors/plugin.ts'
import type { MethodParts } from '../methods/methods.ts'
import type { Changes } from '../protocol/changes.ts'
import { isRequestId } from '../protocol/message.ts'
import { Running } from '../protocol/running.ts'
import { originRules } from './check-origin.ts'
import type { HttpOptions, HttpParts } from './http-parts.ts'
import { type ListenerParts, Listeners } from './listeners.ts'
import { protectedResource } from './protected-resource.ts'
import { serveHttp } from './serve-http.ts'
import { Sessions } from './session-id.ts'

const CANCEL = 'mcp:cancel'
const END = 'mcp:end'
/** Sent after {@link END}. Messages keep their order, so a process that answers has received {@link END}. */
const HEARD = 'mcp:heard'
const ENDED = 'mcp:ended'

interface Taken {
  readonly session: string
  readonly id: unknown
}

/** Dependencies of the MCP endpoint that other plugins or the rest of this plugin provide. */
export interface SurroundingParts {
  readonly methods: MethodParts
  readonly changes: Changes
  /** Returns the URL scheme that the client used: `http` or `https`. */
  readonly schemeOf: (ctx: HttpExchange) => string
  readonly clientOf: ListenerParts['clientOf']
  readonly watch: ListenerParts['watch']
  readonly count: HttpParts['count']
}

/**
 * Adds the routes of the MCP endpoint. Cancelled requests and ended sessions are sent to the other worker processes.
 */
export async function setUpHttp(
  scope: Scope,
  options: HttpOptions,
  { methods, changes, schemeOf, clientOf, watch, count }: SurroundingParts,
): Promise<void> {
  const running = new Running()
  const sessions = new Sessions()
  const { max_streams: most, max_streams_per_caller: mostOfOne } = options
  const listeners = new Listeners({ changes, most, mostOfOne, clientOf, watch })
  const endHere = (session: string): void => {
    sessions.end(session)
    listeners.endOf(session)
  }
  scope.onDrain(() => listeners.close())
  const { peers } = scope.process
  // Another process may run the request that is cancelled.
  const endCancel = peers.hear(CANCEL, (told) => running.cancel((told as Taken).session, (told as Taken).id))
  const endEnd = peers.hear(END, (session) => endHere(String(session)))
  peers.answer(HEARD, () => true)
  peers.answer(ENDED, () => sessions.ended)
  scope.onClose(() => {
    endCancel()
    endEnd()
  })
  // Sessions that ended before this process started. It is notified of later ones.
  for (const ids of await peers.ask(ENDED)) for (const id of ids as readonly string[]) sessions.end(id)
  serveHttp({
    scope,
    options,
    methods,
    sessions,
    running,
    listeners,
    origins: originRules(scope.config.server, options),
    resource: protectedResource(options, scope.config, schemeOf),
    count,
    cancel(session, id) {
      // An invalid id matches no request in any process.
      if (!isRequestId(id)) return
      running.cancel(session, id)
      peers.tell(CANCEL, { session, id })
    },
    async end(session) {
      endHere(session)
      peers.tell(END, session)
      await peers.ask(HEARD)
    },
  })
}
