import { SvcError } from '../../core/doors/plugin.ts'
import { checkAddress } from '../jwt/api.ts'
import type { OAuthOptions } from './options.ts'

/** Configuration of one login provider, with its client credentials. */
export interface ProviderSettings {
  readonly name: string
  readonly clientId: string
  /** Client secret; `null`: a public client, which has none. */
  readonly clientSecret: string | null
  /**
   * OpenID Connect issuer, whose discovery document contains the endpoints. `null` for GitHub, which does not support
   * OpenID Connect.
   */
  readonly issuer: string | null
  /** URL of a GitHub server; `null` for other providers. */
  readonly server: string | null
  readonly scope: string
  readonly audience: string | null
}

type Env = Readonly<Record<string, string | undefined>>

/** Returns the issuer of each known provider, from further variables of the environment (docs/plugins/oauth.md#providers). */
const KNOWN: Readonly<Record<string, (want: (name: string) => string) => string | null>> = {
  google: () => 'https://accounts.google.com',
  github: () => null,
  azure: (want) => `https://login.microsoftonline.com/${want('TENANT_ID')}/v2.0`,
  okta: (want) => `https://${want('DOMAIN')}`,
  auth0: (want) => `https://${want('DOMAIN')}/`,
  keycloak: (want) => `${want('SERVER_URL').replace(/\/+$/, '')}/realms/${want('REALM')}`,
  oidc: (want) => want('ISSUER'),
}

/**
 * Reads the login providers from the configuration: each known provider with a variable `<PROVIDER>_CLIENT_ID`, and the
 * OpenID Connect provider of `[security.pkce]`.
 * @param env environment variables
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function readProviders(options: OAuthOptions, env: Env): readonly ProviderSettings[] {
  const found: ProviderSettings[] = []
  for (const [name, issuerOf] of Object.entries(KNOWN)) {
    const prefix = name.toUpperCase()
    const own: Partial<OAuthOptions> = name === 'oidc' ? options : {}
    const clientId = own.client_id ?? read(env, `${prefix}_CLIENT_ID`)
    if (clientId === undefined) {
      if (own.issuer_url !== undefined) throw invalid('issuer_url is set, and client_id (OIDC_CLIENT_ID) is not')
      continue
    }
    const issuer =
      own.issuer_url ??
      issuerOf((key) => {
        const value = read(env, `${prefix}_${key}`)
        const other = name === 'oidc' ? ' (issuer_url)' : ''
        if (value === undefined) throw invalid(`${prefix}_CLIENT_ID is set, and ${prefix}_${key}${other} is not`)
        return value
      })
    const server = issuer === null ? (read(env, `${prefix}_SERVER_URL`) ?? 'https://github.com') : null
    checkAddress(issuer ?? (server as string), `The provider "${name}" at "${issuer ?? server}"`, 'provider')
    found.push({
      name,
      clientId,
      clientSecret: read(env, `${prefix}_CLIENT_SECRET`) ?? null,
      issuer,
      server,
      scope: options.scope ?? (issuer === null ? 'read:user user:email' : 'openid profile email'),
      audience: own.audience ?? (name === 'auth0' ? (read(env, 'AUTH0_AUDIENCE') ?? null) : null),
    })
  }
  if (found.length === 0) {
    throw invalid(
      'no provider has credentials: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, those of another one, or issuer_url and client_id',
    )
  }
  return found
}

function read(env: Env, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name]
}

export function invalid(why: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[security.pkce]: ${why}.`)
}
