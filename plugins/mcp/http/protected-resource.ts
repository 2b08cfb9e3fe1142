import { isHost } from '../../../core/doors/front.ts'
import { type Config, type HttpExchange, type Reply, type Route, SvcError } from '../../../core/doors/plugin.ts'
import type {} from '../../jwt/api.ts'
import type {} from '../../rate-limiting/api.ts'
import type { McpOptions } from '../options.ts'

const PLACE = '/.well-known/oauth-protected-resource'

/** Where clients find out how to get a token (RFC 9728). */
export interface ProtectedResource {
  readonly routes: readonly Route[]
  /** URL of the metadata, for `WWW-Authenticate`. */
  urlFor(ctx: HttpExchange): string
}

/**
 * Where the metadata is: below the endpoint's own path, and below the path that clients have it at, which a proxy may pass on as it
 * is, because it stands before that path.
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function metadataPaths({
  path,
  public_url: publicUrl,
}: Pick<McpOptions, 'path' | 'public_url'>): readonly string[] {
  return [...new Set([`${PLACE}${path}`, `${PLACE}${publicPath(path, publicUrl)}`])]
}

function publicPath(path: string, publicUrl: string | undefined): string {
  if (publicUrl === undefined) return path
  const { pathname } = new URL(publicUrl)
  // A route is made of it.
  if (!/^[\w.~%/-]*$/.test(pathname)) {
    const message = `svc.mcp.public_url "${publicUrl}": its path may have letters, digits and "-._~%/" only.`
    throw new SvcError('SVC_CONFIG_INVALID', message)
  }
  return pathname.replace(/\/$/, '')
}

type Options = Pick<McpOptions, 'path' | 'public_url' | 'authorization_servers'>

/** @returns `null`: nobody is known who gives tokens */
export function protectedResource(
  options: Options,
  config: Pick<Config, 'project' | 'security'>,
  schemeOf: (ctx: HttpExchange) => string,
): ProtectedResource | null {
  const servers = serversOf(options, config.security)
  if (servers.length === 0) return null
  const { path, public_url: publicUrl } = options
  const { name } = config.project
  const resourceOf = (ctx: HttpExchange): URL => new URL(publicUrl ?? `${schemeOf(ctx)}://${hostOf(ctx)}${path}`)
  return {
    routes: metadataPaths(options).map((place) => ({
      method: 'GET',
      path: place,
      // It says where to get a credential, and nothing else.
      anonymous: true,
      handler: (ctx): Reply => {
        const resource = resourceOf(ctx).href
        const body = {
          resource,
          authorization_servers: servers,
          bearer_methods_supported: ['header'],
          resource_name: name,
        }
        return {
          status: 200,
          headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'max-age=300', vary: 'Host' },
          body: JSON.stringify(body),
        }
      },
    })),
    urlFor(ctx) {
      return `${resourceOf(ctx).origin}${PLACE}${publicPath(path, publicUrl)}`
    },
  }
}

/** What comes from the client and stands in a URL has to be a host. */
function hostOf({ headers: { host } }: HttpExchange): string {
  return typeof host === 'string' && isHost(host) && URL.canParse(`http://${host}`) ? host : 'localhost'
}

function serversOf(
  { authorization_servers: own }: Options,
  { jwt_issuer: issuer, jwt_secret: secret, jwt_issuers: more = [] }: Config['security'],
): readonly string[] {
  if (own.length > 0) return own
  // With a secret of ours `iss` may be any text, and nobody there gives tokens.
  const single = issuer === undefined || secret !== undefined ? [] : [issuer]
  return [...single, ...more.map((each) => each.issuer)].filter((url) => /^https?:\/\//.test(url) && URL.canParse(url))
}
