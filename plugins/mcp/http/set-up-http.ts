import type { HttpExchange, Scope } from '../../../core/index.ts'
import type { Changes } from '../changes.ts'
import type { MethodParts } from '../methods.ts'
import type { McpOptions } from '../options.ts'
import { isRequestId } from '../protocol/message.ts'
import { Running } from '../running.ts'
import { originRules } from './check-origin.ts'
import { Listeners } from './listeners.ts'
import { protectedResource } from './protected-resource.ts'
import { serveHttp } from './serve-http.ts'
import { Sessions } from './session-id.ts'

const CANCEL = 'mcp:cancel'
const END = 'mcp:end'

interface Taken {
  readonly session: string
  readonly id: unknown
}

/** `http` or `https`, as the client has it. */
type SchemeOf = (ctx: HttpExchange) => string

/** Mounts the endpoint and what it needs. */
export function setUpHttp(
  scope: Scope,
  options: McpOptions,
  {
    methods,
    changes,
    schemeOf,
  }: { readonly methods: MethodParts; readonly changes: Changes; readonly schemeOf: SchemeOf },
): void {
  const running = new Running()
  const sessions = new Sessions()
  const listeners = new Listeners(changes, options.max_streams)
  scope.onDrain(() => listeners.close())
  const { peers } = scope.process
  // Another process may be the one that answers what is taken back.
  const endCancel = peers.hear(CANCEL, (told) => running.cancel((told as Taken).session, (told as Taken).id))
  const endEnd = peers.hear(END, (session) => sessions.end(String(session)))
  scope.onClose(() => {
    endCancel()
    endEnd()
  })
  serveHttp({
    scope,
    options,
    methods,
    sessions,
    running,
    listeners,
    origins: originRules(scope.config, options),
    resource: protectedResource(options, scope.config, schemeOf),
    cancel(session, id) {
      // What is the id of no request is not worth a word to the other processes.
      if (!isRequestId(id)) return
      running.cancel(session, id)
      peers.tell(CANCEL, { session, id })
    },
    end(session) {
      sessions.end(session)
      peers.tell(END, session)
    },
  })
}
