import { http } from '../../core/doors/front.ts'
import {
  type Auth,
  type HttpExchange,
  type Reply,
  type Route,
  refuseCredential,
  type Scope,
  SvcError,
} from '../../core/doors/plugin.ts'
import { readBearer, type Tokens, type VerifiedToken } from '../jwt/api.ts'
import { ACCESS, clearCookie, LOGIN, REFRESH, readCookie, setCookie } from './cookies.ts'
import type { Logins, Outcome } from './logins.ts'
import { OAuthFault } from './oauth-fault.ts'
import type { OAuthOptions } from './options.ts'
import { foreignPage, type OwnPages } from './own-pages.ts'
import { newSecret } from './pending-logins.ts'
import { allow, one, readInput } from './read-input.ts'

/** Headers of all replies: they must not be cached, and URLs with secrets must not appear in `Referer`. */
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
const JSON_HEADERS = { ...HEADERS, 'content-type': 'application/json; charset=utf-8' }
/** 256 bits in base64url. */
const SECRET = /^[\w-]{43}$/

/** Adds the login routes below `/auth/` (docs/plugins/oauth.md#routes). */
export function mountRoutes(
  scope: Scope,
  options: OAuthOptions,
  logins: Logins,
  tokens: Tokens,
  pages: OwnPages,
): void {
  /** These routes check their caller themselves: an expired access token must not prevent a refresh. */
  function mount(method: Route['method'], path: string, handler: Route['handler'], anonymous = true): void {
    const renderError = (ctx: HttpExchange, error: unknown): Reply => render(scope, ctx, error)
    // Cookies are accepted from own pages only (own-pages.ts).
    scope.route({ method, path, handler, anonymous, crossSite: 'own', renderError })
  }

  /** Reports failed logins to plugins that count them. */
  function noting(ctx: HttpExchange): (error: unknown) => never {
    return (error) => {
      if (error instanceof OAuthFault && error.isCredential) {
        refuseCredential(scope.signals, ctx, scope.plugin, error.error)
      }
      throw error
    }
  }

  async function start(ctx: HttpExchange): Promise<Reply> {
    const input = await readInput(ctx)
    allow(input, ['provider', 'redirect_uri'])
    const known = readCookie(ctx, LOGIN)
    // All logins of a browser share a binding, so that a second tab does not break the first one.
    const binding = known !== null && SECRET.test(known) ? known : newSecret()
    const url = await logins.start(one(input, 'provider'), one(input, 'redirect_uri'), binding)
    const cookie = { 'set-cookie': setCookie(LOGIN, binding, options.state_ttl_secs, 'Lax') }
    if (ctx.method !== 'POST') return { status: 302, headers: { ...HEADERS, ...cookie, location: url }, body: null }
    return json({ authorization_url: url, state: new URL(url).searchParams.get('state') }, cookie)
  }

  async function callback(ctx: HttpExchange): Promise<Reply> {
    const input = await readInput(ctx)
    for (const key of ['state', 'code', 'iss', 'error']) one(input, key)
    const binding = readCookie(ctx, LOGIN)
    // Any page can send a browser here with an invented state. Without the cookie no state is valid, so guesses are not counted.
    const finishing = logins.finish(input, binding)
    const { redirectUri, ...outcome } = await (binding === null ? finishing : finishing.catch(noting(ctx)))
    if (redirectUri === null) return json(tokensOf(outcome))
    return { status: 302, headers: { ...HEADERS, location: redirectUri, 'set-cookie': cookiesOf(outcome) }, body: null }
  }

  async function refresh(ctx: HttpExchange): Promise<Reply> {
    const { token, isCookie } = await refreshTokenOf(ctx)
    if (token === null) throw new OAuthFault('invalid_request', 'The body has to be { "refresh_token": "…" }.')
    try {
      const outcome = await logins.refresh(ctx, token).catch(noting(ctx))
      if (!isCookie) return json(tokensOf(outcome))
      // The tokens are in cookies that scripts cannot read, so the body does not contain them.
      const { token_type, expires_in } = tokensOf(outcome)
      return json({ token_type, expires_in }, { 'set-cookie': cookiesOf(outcome) })
    } catch (error) {
      const isOver = error instanceof OAuthFault && error.error === 'invalid_grant'
      if (isOver && isCookie)
        return { ...render(scope, ctx, error), headers: { ...JSON_HEADERS, 'set-cookie': clearCookie(REFRESH) } }
      throw error
    }
  }

  async function logout(ctx: HttpExchange): Promise<Reply> {
    const { token, isCookie } = await refreshTokenOf(ctx)
    const access = await accessTokenOf(ctx)
    const isKnown = isCookie || token !== null || access !== null
    if (token !== null) await logins.logout(token)
    if (access !== null) {
      await logins.logoutOf(access)
      await tokens.end(access)
    }
    return {
      status: 204,
      // A request without tokens can be a form of another site, which must not clear the cookies.
      headers: isKnown ? { ...HEADERS, 'set-cookie': [clearCookie(ACCESS), clearCookie(REFRESH)] } : HEADERS,
      body: null,
    }
  }

  /** Verifies the access token, because anonymous routes do not authenticate. An invalid token has no session to end. */
  async function accessTokenOf(ctx: HttpExchange): Promise<VerifiedToken | null> {
    const { authorization } = ctx.headers
    const token =
      authorization !== undefined ? readBearer(authorization) : pages.sent(ctx) ? readCookie(ctx, ACCESS) : null
    if (token === null || token === '') return null
    try {
      return await tokens.verify(token)
    } catch (error) {
      if (error instanceof SvcError && error.code === 'UNAUTHENTICATED') return null
      throw error
    }
  }

  /** Returns the refresh token from the body, or from the cookie of an own page. */
  async function refreshTokenOf(
    ctx: HttpExchange,
  ): Promise<{ readonly token: string | null; readonly isCookie: boolean }> {
    const input = await readInput(ctx)
    allow(input, ['refresh_token'])
    const given = one(input, 'refresh_token')
    if (given !== null) return { token: given, isCookie: false }
    const kept = readCookie(ctx, REFRESH)
    if (kept === null && readCookie(ctx, ACCESS) === null) return { token: null, isCookie: false }
    if (!pages.sent(ctx)) throw foreignPage()
    return { token: kept, isCookie: true }
  }

  function me({ auth }: HttpExchange): Reply {
    if (auth === null) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
    return json(describe(auth))
  }

  /** Describes the user with the public claims of the token. Other claims may be intended for services only. */
  function describe(auth: Auth): Record<string, unknown> {
    const { email, name } = auth.claims
    const own = options.claims.flatMap((claim) =>
      Object.hasOwn(auth.claims, claim) ? [[claim, auth.claims[claim]]] : [],
    )
    const expiresAt = tokens.tokenOf(auth)?.expiresAt
    return {
      ...Object.fromEntries(own),
      sub: auth.subject,
      user_id: auth.subject,
      expires_at: expiresAt === undefined ? null : new Date(expiresAt * 1000).toISOString(),
      ...(typeof email === 'string' ? { email } : {}),
      ...(typeof name === 'string' ? { display_name: name } : {}),
    }
  }

  mount('GET', '/auth/start', start)
  mount('POST', '/auth/start', start)
  mount('GET', '/auth/callback', callback)
  mount('POST', '/auth/callback', callback)
  mount('POST', '/auth/refresh', refresh)
  mount('POST', '/auth/logout', logout)
  mount('GET', '/auth/me', me, false)
}

function tokensOf({ made, refreshToken }: Outcome) {
  return {
    access_token: made.accessToken,
    token_type: 'Bearer',
    expires_in: made.expiresIn,
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    ...(made.idToken === null ? {} : { id_token: made.idToken }),
  }
}

function cookiesOf({ made, refreshToken, refreshSecs }: Outcome): string[] {
  const access = setCookie(ACCESS, made.accessToken, made.expiresIn)
  return refreshToken === null ? [access] : [access, setCookie(REFRESH, refreshToken, refreshSecs)]
}

function json(body: object, more: Reply['headers'] = {}): Reply {
  return { status: 200, headers: { ...JSON_HEADERS, ...more }, body: JSON.stringify(body) }
}

/** Renders an error in the format of RFC 6749, section 5.2: `{ "error", "error_description" }`, with `code` of svc. */
function render(scope: Scope, ctx: HttpExchange, thrown: unknown): Reply {
  const error = scope.pipeline.toPublicError(thrown, ctx)
  const own = thrown instanceof OAuthFault && thrown.code === error.code ? thrown.error : undefined
  const body = { error: own ?? nameOf(error.status), error_description: error.message, code: error.code }
  // The RFC has status 400 for all of these. svc keeps the status of the error: 401 when a session has ended.
  return { status: error.status, headers: { ...http.errorHeaders(error), ...JSON_HEADERS }, body: JSON.stringify(body) }
}

function nameOf(status: number): string {
  if (status === 401) return 'invalid_token'
  if (status === 403) return 'access_denied'
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}
