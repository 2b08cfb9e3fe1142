import { http } from '../../../core/doors/front.ts'
import { type Config, type HttpExchange, type Reply, type Route, SvcError } from '../../../core/doors/plugin.ts'
import type {} from '../../jwt/api.ts'
import type {} from '../../rate-limiting/api.ts'

/** Options about the URL of the MCP endpoint and the authorization servers of its metadata. */
export interface ResourceOptions {
  readonly path: string
  readonly public_url?: string
  readonly authorization_servers: readonly string[]
}

const PLACE = '/.well-known/oauth-protected-resource'

/** Routes with the metadata that tells clients of the MCP endpoint where to get a token (RFC 9728). */
export interface ProtectedResource {
  readonly routes: readonly Route[]
  /** Returns the absolute URL of the metadata, for the header `WWW-Authenticate`. */
  urlFor(ctx: HttpExchange): string
}

/**
 * Returns the paths of the metadata routes (RFC 9728): for the path of the MCP endpoint, and for its path in
 * `public_url`. A proxy cannot strip a path prefix from `/.well-known/…`, so both are needed.
 * @throws SvcError SVC_CONFIG_INVALID for an invalid path in `public_url`
 */
export function metadataPaths({
  path,
  public_url: publicUrl,
}: Pick<ResourceOptions, 'path' | 'public_url'>): readonly string[] {
  return [...new Set([`${PLACE}${path}`, `${PLACE}${publicPath(path, publicUrl)}`])]
}

function publicPath(path: string, publicUrl: string | undefined): string {
  if (publicUrl === undefined) return path
  const { pathname } = new URL(publicUrl)
  // The path becomes a route.
  if (!/^[\w.~%/-]*$/.test(pathname)) {
    const message = `svc.mcp.public_url "${publicUrl}": its path may have letters, digits and "-._~%/" only.`
    throw new SvcError('SVC_CONFIG_INVALID', message)
  }
  return pathname.replace(/\/$/, '')
}

/**
 * Creates the metadata that tells clients of the MCP endpoint where to get a token (RFC 9728).
 * @param schemeOf returns the URL scheme that the client used: `http` or `https`
 * @returns `null` when the configuration names no authorization server
 */
export function protectedResource(
  options: ResourceOptions,
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
      // Open to anonymous callers, who learn here where to get a token.
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

/** Returns the host for URLs. The header comes from the client, so it is validated. */
function hostOf({ headers: { host } }: HttpExchange): string {
  return typeof host === 'string' && http.isHost(host) && URL.canParse(`http://${host}`) ? host : 'localhost'
}

function serversOf(
  { authorization_servers: own }: ResourceOptions,
  { jwt_issuer: issuer, jwt_secret: secret, jwt_issuers: more = [] }: Config['security'],
): readonly string[] {
  if (own.length > 0) return own
  // With a shared secret, `iss` can be any text and need not be the address of an authorization server.
  const single = issuer === undefined || secret !== undefined ? [] : [issuer]
  return [...single, ...more.map((each) => each.issuer)].filter((url) => /^https?:\/\//.test(url) && URL.canParse(url))
}
