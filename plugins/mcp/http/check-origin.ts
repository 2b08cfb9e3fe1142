import {
  type HttpExchange,
  isOrigin,
  originSet,
  pageSource,
  type ServerSection,
  SvcError,
} from '../../../core/doors/plugin.ts'
import type {} from '../../cors/api.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Options that decide which web pages may call the MCP endpoint. */
export interface OriginOptions {
  readonly allowed_origins: readonly string[]
  readonly public_url?: string
}

export interface OriginRules {
  /**
   * Origins of web pages that may call the endpoint. Pages of a loopback origin (`localhost`, `127.0.0.1`, `[::1]`) need no
   * entry if the server is called at a loopback address.
   */
  readonly origins: ReadonlySet<string>
  /**
   * `true` if the server only listens on a loopback address. A foreign name in the header `Host` is then an attack (DNS
   * rebinding).
   */
  readonly isLocal: boolean
  /** Host name of the server behind a proxy; `null`: not configured. */
  readonly publicHost: string | null
}

export function originRules(
  { host, cors }: Pick<ServerSection, 'host' | 'cors'>,
  { allowed_origins: own, public_url: publicUrl }: OriginOptions,
): OriginRules {
  for (const origin of own) assertOrigin(origin)
  return {
    origins: originSet(own, cors?.origins),
    isLocal: LOOPBACK.test(host === '::1' ? '[::1]' : host),
    publicHost: publicUrl === undefined ? null : new URL(publicUrl).host,
  }
}

function assertOrigin(origin: string): void {
  if (isOrigin(origin)) return
  const why = origin.includes('*') ? 'is a pattern: list each origin' : 'is not an origin'
  throw new SvcError(
    'SVC_CONFIG_INVALID',
    `svc.mcp.allowed_origins: "${origin}" ${why}. Write scheme, host and port only, like "https://app.example.com".`,
  )
}

/**
 * Rejects requests of web pages whose origin is not allowed. It never allows a page because `Origin` and `Host` agree,
 * because both are the attacker's name in DNS rebinding.
 * @throws RpcError with status 403
 */
export function checkOrigin({ headers }: Pick<HttpExchange, 'headers'>, rules: OriginRules): void {
  const { origin, host } = headers
  const { origins, isLocal, publicHost } = rules
  if (isLocal && typeof host === 'string' && host !== publicHost && !LOOPBACK.test(host.replace(/:\d*$/, '')))
    throw forbidden(
      'This server is for this machine alone, and the header Host is no name of it: behind a proxy set `svc.mcp.public_url`.',
    )
  if (origin === undefined) return
  // Compares with the list only, not with `Host`: see above.
  const isOwn = pageSource({ headers }, { trusted: origins, by: 'list' }) === 'own'
  if (!isOwn && !(typeof origin === 'string' && isOfThisMachine(origin, host, isLocal)))
    throw forbidden('Web pages of this origin may not call: it is not in `svc.mcp.allowed_origins`.')
}

/** Pages of this machine may call servers of this machine, and no others. */
function isOfThisMachine(origin: string, host: unknown, isLocal: boolean): boolean {
  if (!URL.canParse(origin) || !LOOPBACK.test(new URL(origin).hostname)) return false
  return isLocal || (typeof host === 'string' && LOOPBACK.test(host.replace(/:\d*$/, '')))
}

function forbidden(message: string): RpcError {
  return new RpcError(RPC.invalidRequest, message, { status: 403 })
}
