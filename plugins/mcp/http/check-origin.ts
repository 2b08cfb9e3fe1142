import {
  type HttpExchange,
  isOrigin,
  originSet,
  pageSource,
  type ServerSection,
  SvcError,
} from '../../../core/doors/plugin.ts'
import type {} from '../../cors/api.ts'
import type { McpOptions } from '../options.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export interface OriginRules {
  /** Web pages that may call, besides those of this machine. */
  readonly origins: ReadonlySet<string>
  /** The server listens for this machine alone: other names of it are somebody's trick. */
  readonly isLocal: boolean
  /** Its name on the proxy before it. */
  readonly publicHost: string | null
}

export function originRules(
  { host, cors }: Pick<ServerSection, 'host' | 'cors'>,
  { allowed_origins: own, public_url: publicUrl }: Pick<McpOptions, 'allowed_origins' | 'public_url'>,
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
 * A web page reaches what listens on this machine by a name of its own that leads here (DNS rebinding), and then its origin is that of
 * the request: so the two being the same says nothing.
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
  // The host that was called says nothing: see above.
  const isOwn = pageSource({ headers }, { trusted: origins, by: 'list' }) === 'own'
  if (!isOwn && !(typeof origin === 'string' && isOfThisMachine(origin, host, isLocal)))
    throw forbidden('Web pages of this origin may not call: it is not in `svc.mcp.allowed_origins`.')
}

/** A page of this machine may call a server of this machine, and none elsewhere. */
function isOfThisMachine(origin: string, host: unknown, isLocal: boolean): boolean {
  if (!URL.canParse(origin) || !LOOPBACK.test(new URL(origin).hostname)) return false
  return isLocal || (typeof host === 'string' && LOOPBACK.test(host.replace(/:\d*$/, '')))
}

function forbidden(message: string): RpcError {
  return new RpcError(RPC.invalidRequest, message, { status: 403 })
}
