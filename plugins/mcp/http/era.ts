import type { HttpExchange } from '../../../core/doors/plugin.ts'
import { isObject, type Params } from '../protocol/message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { isModern, UNSAID_VERSION } from '../protocol/versions.ts'
import { checkVersion, saysVersion } from './check-headers.ts'
import type { Sessions } from './session-id.ts'

/** How a client speaks. */
export interface Era {
  /** Revision of the protocol, as far as it is said outside of the message. */
  readonly version: string
  /** Each message says all about itself. */
  readonly isModern: boolean
  /** `null`: it has none, and cannot take back what it asks for. */
  readonly session: string | null
}

/**
 * Which revision a request is of: its header says so, its message, or its session.
 * @param value the message, as far as there is one
 * @throws RpcError −32022; with status 404: its session has ended, or is not its own
 */
export function openEra(sessions: Sessions, { headers, auth }: HttpExchange, value: unknown): Era {
  const said = headers['mcp-protocol-version']
  const header = typeof said === 'string' ? said : null
  const params: Params = isObject(value) && isObject(value.params) ? value.params : {}
  // An unknown one may be newer than all that are known.
  if (saysVersion(params) || (header !== null && isModern(header)))
    return { version: header ?? UNSAID_VERSION, isModern: true, session: null }
  if (header !== null) checkVersion(header)
  const id = headers['mcp-session-id']
  if (id === undefined) return { version: header ?? UNSAID_VERSION, isModern: false, session: null }
  const version = typeof id === 'string' ? sessions.versionOf(id, auth) : null
  if (version === null)
    throw new RpcError(RPC.invalidRequest, 'There is no such session, or it has ended: begin with `initialize`.', {
      status: 404,
    })
  return { version: header ?? version, isModern: false, session: id as string }
}
