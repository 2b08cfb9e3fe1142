import type { HttpExchange } from '../../../core/doors/plugin.ts'
import { isObject, type Params } from '../protocol/message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { isModern, UNSAID_VERSION } from '../protocol/versions.ts'
import { checkVersion, saysVersion } from './check-headers.ts'
import type { Sessions } from './session-id.ts'

/** Protocol revision of MCP and session that apply to an HTTP request. */
export interface Era {
  /** Protocol revision: that of the header `MCP-Protocol-Version`, else that of the session. */
  readonly version: string
  /** `true` for the newest protocol revision, which has no sessions. */
  readonly isModern: boolean
  /** Id of the session; `null`: none, so that the client cannot cancel requests by notification. */
  readonly session: string | null
}

/**
 * Determines the protocol revision and session of an HTTP request to the MCP endpoint.
 * @param value the parsed message; `null`: the request has none
 * @throws RpcError −32022 for an unsupported revision; status 404 when the session has ended or belongs to another
 * caller
 */
export function openEra(sessions: Sessions, { headers, auth }: HttpExchange, value: unknown): Era {
  const said = headers['mcp-protocol-version']
  const header = typeof said === 'string' ? said : null
  const params: Params = isObject(value) && isObject(value.params) ? value.params : {}
  // An unknown revision may be newer than all supported ones.
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
