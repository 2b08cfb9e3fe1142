import { definePlugin, type KeyValueStore, openStore, type Scope } from '../../core/doors/plugin.ts'
import type {} from '../health/api.ts'
import { checkAddress } from '../jwt/api.ts'
import { ACCESS, readCookie } from './cookies.ts'
import { Logins } from './logins.ts'
import { createTokenMaker } from './make-tokens.ts'
import manifest from './manifest.ts'
import { mountRoutes } from './mount-routes.ts'
import type { OAuthOptions } from './options.ts'
import { createOwnPages, foreignPage, isRead, type OwnPages } from './own-pages.ts'
import { createPendingLogins } from './pending-logins.ts'
import { invalid, readProviders } from './providers.ts'
import { MOST_NAMES, Sessions } from './sessions.ts'
import { toToken } from './to-token.ts'
import { createUserFunction } from './user-function.ts'

const CALLBACK = '/auth/callback'

/** The plugin for login at an OpenID Connect or OAuth 2.0 provider (docs/plugins/oauth.md). */
export default definePlugin<OAuthOptions>(manifest, async (scope, options) => {
  const callbackUrl = checkCallback(options.callback_url)
  for (const uri of options.redirect_uris) checkRedirect(uri)
  const providers = readProviders(options, process.env)
  const tokens = scope.use('tokens')
  const seal = scope.use('seal')
  const { user_function: name, code_challenge_method: method } = options
  const userOf = name === undefined ? null : createUserFunction(name, () => scope.database())
  const maker = createTokenMaker(options, tokens, userOf)
  if (method === 'plain' && process.env.NODE_ENV !== 'development') {
    const message =
      'security.pkce.code_challenge_method is "plain": who reads the address of a login can end it. Take S256 where the provider knows it.'
    scope.signals.emit({ type: 'warning', plugin: scope.plugin, message })
  }
  const [logins, sessions, names] = await openStores(scope, options)
  scope.onClose(() => Promise.all([logins, sessions, names].map((store) => store.close())).then(() => {}))
  const { kvstore_url: url } = options
  scope.use('health', { optional: true })?.addStore('oauth', { url, isNeeded: true })
  const { createProviderClient } = await import('./provider-client.ts')
  const clients = providers.map((one) => createProviderClient(one, { callbackUrl, method, wantsProfile: maker.own }))
  const pages = createOwnPages(callbackUrl, options.redirect_uris)
  const parts = {
    options,
    providers: new Map(clients.map((client) => [client.name, client])),
    pending: createPendingLogins(logins, seal, options.state_ttl_secs * 1000),
    sessions: new Sessions({ store: sessions, names, seal, ended: (last) => tokens.end(toToken(last)).then(() => {}) }),
    maker,
    tokens,
  }
  acceptCookie(scope, pages)
  mountRoutes(scope, options, new Logins(parts), tokens, pages)
})

/**
 * Accepts the cookie as a credential from own pages only. Pages of other sites can make the browser send the cookie, but they cannot set
 * the headers that name the origin.
 */
function acceptCookie(scope: Scope, pages: OwnPages): void {
  const tokens = scope.use('tokens')
  scope.credentials({
    in: 'cookie',
    name: ACCESS,
    scheme: 'key',
    id: 'cookie',
    description: 'What a login by the provider sets, for pages of this service.',
  })
  scope.on('authenticate', (ctx) => {
    const { cookie, authorization } = ctx.headers
    if (cookie === undefined || authorization !== undefined) return undefined
    const token = readCookie(ctx, ACCESS)
    if (token === null) return undefined
    if (pages.sent(ctx)) return tokens.authenticate(ctx, token)
    // A read from another site, such as a link, is no attack. It is served without the credential.
    if (isRead(ctx)) return undefined
    throw foreignPage()
  })
}

/** @throws SvcError SVC_CONFIG_INVALID */
async function openStores(
  scope: Scope,
  options: OAuthOptions,
): Promise<readonly [logins: KeyValueStore, sessions: KeyValueStore, names: KeyValueStore]> {
  const prefix = `svc:${scope.config.project.name}:oauth:`
  const { kvstore_url: url, max_pending: maxPending, max_sessions: maxSessions } = options
  if (url !== undefined) {
    const choice = { backend: 'kvstore', url, signals: scope.signals } as const
    const sessions = `${prefix}session:`
    return [
      await openStore(`${prefix}login:`, choice),
      await openStore(sessions, choice),
      await openStore(sessions, choice),
    ]
  }
  if (process.env.SVC_REQUIRE_KVSTORE === '1') {
    throw invalid('SVC_REQUIRE_KVSTORE is 1, and kvstore_url is not set')
  }
  if (scope.process.workers.configured > 1) {
    throw invalid('server.workers is more than 1, and each would know its own logins alone: set kvstore_url')
  }
  return [
    await openStore(prefix, { backend: 'memory', maxEntries: maxPending, whenFull: 'refuse' }),
    await openStore(prefix, { backend: 'memory', maxEntries: maxSessions, whenFull: 'evict' }),
    await openStore(prefix, { backend: 'memory', maxEntries: maxSessions * MOST_NAMES, whenFull: 'evict' }),
  ]
}

function checkCallback(url: string | undefined): string {
  if (url === undefined) {
    throw invalid(`callback_url (OAUTH_REDIRECT_URI) is not set: the address of ${CALLBACK} as the provider reaches it`)
  }
  checkAddress(url, `security.pkce.callback_url "${url}"`, 'callback')
  const { pathname, search, hash } = new URL(url)
  if (search !== '' || hash !== '' || !pathname.endsWith(CALLBACK)) {
    throw invalid(`callback_url is "${url}"; it ends with ${CALLBACK}, without query string or fragment`)
  }
  return url
}

/** Rejects URLs such as `javascript:`. `http` is valid for this machine only, and not in production. */
function checkRedirect(uri: string): void {
  checkAddress(uri, `security.pkce.redirect_uris "${uri}"`, 'target')
  const { hash, username, password } = new URL(uri)
  if (hash !== '' || username !== '' || password !== '' || uri.includes('*')) {
    throw invalid(`redirect_uris has "${uri}"; write the whole address, without fragment, credentials and wildcards`)
  }
}
