import type { Exchange } from '../../core/doors/plugin.ts'
import type { Tokens, VerifiedToken } from '../jwt/api.ts'
import type { Made, TokenMaker } from './make-tokens.ts'
import { OAuthFault, unknownLogin } from './oauth-fault.ts'
import type { OAuthOptions } from './options.ts'
import { newSecret, type PendingLogins } from './pending-logins.ts'
import type { Profile } from './profile.ts'
import type { Granted, ProviderClient } from './provider-client.ts'
import { invalid } from './providers.ts'
import type { Session, Sessions } from './sessions.ts'
import { toToken } from './to-token.ts'

/** Tokens of a successful login or refresh, from which the routes make a reply. */
export interface Outcome {
  readonly made: Made
  readonly refreshToken: string | null
  /** Lifetime of `refreshToken` in seconds. */
  readonly refreshSecs: number
}

export interface LoginParts {
  readonly options: OAuthOptions
  readonly providers: ReadonlyMap<string, ProviderClient>
  readonly pending: PendingLogins
  readonly sessions: Sessions
  readonly maker: TokenMaker
  readonly tokens: Tokens
}

/** Performs login, refresh and logout, independently of HTTP routes and cookies. */
export class Logins {
  readonly #parts: LoginParts

  constructor(parts: LoginParts) {
    this.#parts = parts
    const { provider } = parts.options
    if (provider !== undefined && !parts.providers.has(provider)) {
      throw invalid(`provider (OAUTH_PROVIDER) is "${provider}", which has no credentials; there is: ${this.#names()}`)
    }
  }

  /** Starts a login. @returns URL for the browser, which has to store the binding */
  async start(provider: string | null, redirectUri: string | null, binding: string): Promise<string> {
    const client = this.#client(provider)
    // Exact comparison: a looser one can allow a redirect to an attacker.
    if (redirectUri !== null && !this.#parts.options.redirect_uris.includes(redirectUri)) {
      throw new OAuthFault('invalid_request', 'The redirect_uri is none of security.pkce.redirect_uris.')
    }
    const login = { provider: client.name, verifier: newSecret(), nonce: newSecret(), redirectUri }
    const state = await this.#parts.pending.begin(login, binding)
    return client.authorizationUrl({ ...login, state })
  }

  async finish(
    answer: URLSearchParams,
    binding: string | null,
  ): Promise<Outcome & { readonly redirectUri: string | null }> {
    const state = answer.get('state')
    const login = state === null ? null : await this.#parts.pending.end(state, binding)
    const client = login === null ? undefined : this.#parts.providers.get(login.provider)
    if (state === null || login === null || client === undefined || isOther(client, answer)) throw unknownLogin()
    if (answer.has('error') || !answer.has('code'))
      throw new OAuthFault('invalid_request', 'The provider did not let you in, or you changed your mind.')
    const granted = await client.exchange(answer, { ...login, state })
    const endsAt = Date.now() + this.#parts.options.refresh_ttl_secs * 1000
    return { ...(await this.#open(client.name, granted, endsAt)), redirectUri: login.redirectUri }
  }

  /** Refreshes a session. @throws OAuthFault invalid_grant, access_denied */
  async refresh(ctx: Exchange, refreshToken: string): Promise<Outcome> {
    const { sessions, providers } = this.#parts
    try {
      const refreshed = await sessions.refresh(refreshToken, async (session) => {
        const client = providers.get(session.provider)
        if (client === undefined) throw sessionOver()
        await this.#checkEnded(ctx, session)
        return this.#again(client, session)
      })
      if (refreshed === null) throw sessionOver()
      const { result: made, refreshToken: next, endsAt } = refreshed
      return { made, refreshToken: next, refreshSecs: secondsTo(endsAt) }
    } catch (error) {
      // An outage of the provider or the database does not end the session: the client can try again with the same token.
      if (error instanceof OAuthFault && error.error !== 'login_failed') await sessions.end(refreshToken)
      throw error
    }
  }

  /** Ends the session with its last token, also while it is being refreshed. */
  logout(refreshToken: string): Promise<void> {
    return this.#parts.sessions.end(refreshToken)
  }

  /** Ends the session that issued this access token. */
  logoutOf(token: VerifiedToken): Promise<void> {
    return this.#parts.sessions.endOf(token)
  }

  async #open(provider: string, granted: Granted, endsAt: number): Promise<Outcome> {
    const { maker, sessions } = this.#parts
    const made = maker.own ? await maker.make(granted.profile as Profile) : await maker.make(granted)
    const profile = maker.own ? granted.profile : null
    const refreshToken = maker.own ? null : granted.refreshToken
    // Tokens of the provider can only be refreshed by the provider.
    const hasSession = maker.own || refreshToken !== null
    const session = { provider, profile, refreshToken, last: made.last, endsAt }
    return { made, refreshToken: hasSession ? await sessions.begin(session) : null, refreshSecs: secondsTo(endsAt) }
  }

  /** Makes new tokens. It calls the user function again, so that revoked rights apply from the next refresh on. */
  async #again(client: ProviderClient, session: Session): Promise<{ readonly result: Made; readonly next: Session }> {
    const { maker } = this.#parts
    if (maker.own) {
      if (session.profile === null) throw sessionOver()
      const result = await maker.make(session.profile)
      return { result, next: { ...session, last: result.last } }
    }
    if (session.refreshToken === null) throw sessionOver()
    const granted = await client.refresh(session.refreshToken)
    const result = await maker.make(granted)
    return {
      result,
      next: { ...session, refreshToken: granted.refreshToken ?? session.refreshToken, last: result.last },
    }
  }

  /** Rejects a refresh if the last token was revoked, for example with all tokens of its subject. */
  async #checkEnded(ctx: Exchange, { last }: Session): Promise<void> {
    try {
      await this.#parts.tokens.check(ctx, toToken(last))
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === 'UNAUTHENTICATED') throw sessionOver()
      throw error
    }
  }

  #client(name: string | null): ProviderClient {
    const { providers, options } = this.#parts
    const [only] = providers.size === 1 ? providers.values() : []
    const found = name === null ? (providers.get(options.provider ?? '') ?? only) : providers.get(name)
    if (found !== undefined) return found
    throw new OAuthFault('invalid_request', `Name one of the providers: ${this.#names()}.`)
  }

  #names(): string {
    return [...this.#parts.providers.keys()].map((name) => `"${name}"`).join(', ')
  }
}

function sessionOver(): OAuthFault {
  return new OAuthFault('invalid_grant', 'The session is over. Log in again.')
}

function secondsTo(endsAt: number): number {
  return Math.max(1, Math.floor((endsAt - Date.now()) / 1000))
}

/** Did another provider send this answer (RFC 9207)? */
function isOther({ issuer }: ProviderClient, answer: URLSearchParams): boolean {
  const said = answer.get('iss')
  return said !== null && issuer !== null && said !== issuer
}
