import { createHash } from 'node:crypto'
import * as client from 'openid-client'
import { OAuthFault } from './oauth-fault.ts'
import { githubProfile, openIdProfile, type Profile } from './profile.ts'
import type { ProviderSettings } from './providers.ts'

const TIMEOUT_SECS = 10
/** Lifetime of the cached configuration of a provider. */
const FRESH_MS = 3_600_000

export interface LoginRequest {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Tokens and profile that a provider returns for an authorization code or a refresh token. */
export interface Granted {
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly idToken: string | null
  readonly expiresIn: number | null
  /** Profile of the user; `null` if it was not requested. */
  readonly profile: Profile | null
}

/**
 * Client of a login provider. Its methods reject with OAuthFault, whose `cause` is the provider's error for the log.
 */
export interface ProviderClient {
  readonly name: string
  readonly issuer: string | null
  authorizationUrl(request: LoginRequest): Promise<string>
  /**
   * Exchanges the authorization code of a callback for tokens at the provider.
   * @param answer query parameters of the callback: `code`, and `iss` if the provider sends it
   * @param request secrets of the started login
   */
  exchange(answer: URLSearchParams, request: LoginRequest): Promise<Granted>
  refresh(refreshToken: string): Promise<Granted>
}

export interface ProviderContext {
  readonly callbackUrl: string
  readonly method: 'S256' | 'plain'
  /** `true`: read the profile of the user, which the author's user function needs. */
  readonly wantsProfile: boolean
}

export function createProviderClient(settings: ProviderSettings, context: ProviderContext): ProviderClient {
  const { name, issuer, clientId } = settings
  let known: { readonly at: number; readonly config: Promise<client.Configuration> } | null = null

  /**
   * Returns the configuration. It is read at the first login, so that an outage of the provider does not prevent the boot. A failure is
   * not cached.
   */
  async function configuration(): Promise<client.Configuration> {
    if (known === null || Date.now() - known.at > FRESH_MS) {
      const config = configure(settings)
      const entry = { at: Date.now(), config }
      known = entry
      config.catch(() => {
        if (known === entry) known = null
      })
    }
    try {
      return await known.config
    } catch (error) {
      throw failed(name, error)
    }
  }

  async function profileOf(
    config: client.Configuration,
    granted: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
  ): Promise<Profile> {
    if (issuer === null) return readGithub(settings, config, granted.access_token)
    const claims = granted.claims()
    if (claims === undefined) throw new Error('there is no id_token')
    const info = config.serverMetadata().userinfo_endpoint
    // `fetchUserInfo` checks that the subject is that of the id_token.
    const said = info === undefined ? {} : await client.fetchUserInfo(config, granted.access_token, claims.sub)
    return openIdProfile(name, claims.sub, { ...claims, ...said })
  }

  return {
    name,
    issuer,
    async authorizationUrl({ state, nonce, verifier }) {
      const config = await configuration()
      const { method } = context
      return client.buildAuthorizationUrl(config, {
        redirect_uri: context.callbackUrl,
        scope: settings.scope,
        state,
        code_challenge: method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: method,
        ...(issuer === null ? {} : { nonce }),
        ...(settings.audience === null ? {} : { audience: settings.audience }),
      }).href
    },
    async exchange(answer, { state, nonce, verifier }) {
      const config = await configuration()
      const url = new URL(context.callbackUrl)
      for (const key of ['code', 'iss']) {
        for (const value of answer.getAll(key)) url.searchParams.append(key, value)
      }
      url.searchParams.set('state', state)
      try {
        const granted = await client.authorizationCodeGrant(config, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          ...(issuer === null ? {} : { expectedNonce: nonce }),
        })
        return toGranted(granted, context.wantsProfile ? await profileOf(config, granted) : null)
      } catch (error) {
        throw failed(name, error)
      }
    },
    async refresh(refreshToken) {
      const config = await configuration()
      try {
        return toGranted(await client.refreshTokenGrant(config, refreshToken), null)
      } catch (error) {
        if (error instanceof client.ResponseBodyError) {
          throw new OAuthFault('invalid_grant', 'The session is over. Log in again.', error)
        }
        throw failed(name, error)
      }
    },
  }

  async function configure({ clientSecret, server }: ProviderSettings): Promise<client.Configuration> {
    const auth = clientSecret === null ? client.None() : client.ClientSecretPost(clientSecret)
    const isPlain = (issuer ?? (server as string)).startsWith('http:')
    if (issuer !== null) {
      return client.discovery(new URL(issuer), clientId, {}, auth, {
        timeout: TIMEOUT_SECS,
        ...(isPlain ? { execute: [client.allowInsecureRequests] } : {}),
      })
    }
    const login = `${server}/login/oauth`
    const metadata = {
      issuer: server as string,
      authorization_endpoint: `${login}/authorize`,
      token_endpoint: `${login}/access_token`,
    }
    const config = new client.Configuration(metadata, clientId, {}, auth)
    config.timeout = TIMEOUT_SECS
    if (isPlain) client.allowInsecureRequests(config)
    return config
  }
}

async function readGithub(
  { name, server }: ProviderSettings,
  config: client.Configuration,
  token: string,
): Promise<Profile> {
  // GitHub Enterprise Server has its API below its own URL.
  const base = server === 'https://github.com' ? 'https://api.github.com' : `${server}/api/v3`
  const ask = async (path: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'svc' })
    const answer = await client.fetchProtectedResource(config, token, new URL(`${base}${path}`), 'GET', null, headers)
    return answer.status === 200 ? answer.json() : null
  }
  const said = await ask('/user')
  const profile =
    typeof said === 'object' && said !== null
      ? githubProfile(name, said as Readonly<Record<string, unknown>>, await ask('/user/emails'))
      : null
  if (profile === null) throw new Error(`${base}/user returned no user`)
  return profile
}

function toGranted(
  {
    access_token: accessToken,
    refresh_token: refresh,
    id_token: id,
    expires_in: expiresIn,
  }: client.TokenEndpointResponse,
  profile: Profile | null,
): Granted {
  return { accessToken, refreshToken: refresh ?? null, idToken: id ?? null, expiresIn: expiresIn ?? null, profile }
}

/** Creates the error for clients: the login failed at the provider, not because of the client. */
function failed(provider: string, error: unknown): OAuthFault {
  if (error instanceof OAuthFault) return error
  return new OAuthFault('login_failed', `The login at ${provider} failed. Try again later.`, error)
}
