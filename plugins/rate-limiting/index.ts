import {
  type AnyExchange,
  type Auth,
  definePlugin,
  type Exchange,
  isPromise,
  type MaybePromise,
  type Reply,
  refusedExchange,
  SvcError,
} from '../../core/doors/plugin.ts'
import type {} from '../health/api.ts'
import type { ClientAddress } from './api.ts'
import { createAddressReader, createSchemeReader } from './client-address.ts'
import { subscriberOf, userKey } from './client-keys.ts'
import type { Kind, Lock, Taken } from './limits.ts'
import { createClientLocks, createLoginWindows, type LoginWindow } from './login-limits.ts'
import manifest from './manifest.ts'
import { openLimits, toRules } from './open-limits.ts'
import type { RateLimitingOptions } from './options.ts'
import { warnOfLegacyKeys, withLegacyDefaults } from './options.ts'
import { createHeaderWriter, lockedOut, tooMany, tooManyLogins } from './refusals.ts'
import { remember } from './remember.ts'

/** Routes without limits: health checks and metrics. */
const EXEMPT = new Set([
  '/health',
  '/health/live',
  '/health/ready',
  '/health/detailed',
  '/ready',
  '/readiness',
  '/metrics',
])

/** Reasons for which a genuine credential is rejected; it was not guessed. */
const GENUINE: ReadonlySet<string> = new Set(['exp', 'nbf', 'aud', 'sub', 'jti', 'revoked'])

const NO_LOCKS: readonly Lock[] = []

/**
 * The plugin for rate limits, and for lockout after failed logins (docs/plugins/rate-limiting.md). It handles requests
 * of all transports. CORS runs before it, so that web pages of other origins can read a 429.
 */
export default definePlugin<RateLimitingOptions>(manifest, async (scope, given) => {
  const { enterprise = {} } = scope.config.security
  const options = withLegacyDefaults(given, enterprise)
  const rules = toRules(options)
  const warn = (message: string): void => scope.signals.emit({ type: 'warning', plugin: manifest.name, message })
  warnOfLegacyKeys(enterprise, warn)
  const limits = await openLimits(scope, options, rules, warn)
  scope.onClose(() => limits.close())
  const { kvstore_url: url, fail_open: failsOpen } = options
  scope.use('health', { optional: true })?.addStore('rate_limiting', { url, isNeeded: !failsOpen })

  let hasWarned = false
  const addressOf = createAddressReader(options, () => {
    if (hasWarned) return
    hasWarned = true
    warn(
      'X-Real-IP and X-Forwarded-For name different clients: one of them is not written by the proxy. Such requests count for ' +
        "the proxy's own address. Say in security.rate_limiting.proxy_header which one it writes.",
    )
  })
  const clientAddress: ClientAddress = {
    of: addressOf,
    scheme: createSchemeReader(options),
    subscriberOf: (exchange) => subscriberOf(addressOf(exchange)),
  }
  scope.provide('clientAddress', clientAddress)
  const placeOf = createLoginWindows(options)
  const refused = scope.metrics.counterBy('svc_rate_limited_requests_total')
  const refusals = { ip: refused('ip'), user: refused('user'), login: refused('login'), lockout: refused('lockout') }
  const storeErrors = scope.metrics.counter('svc_rate_limit_kvstore_errors_total')
  const writeHeaders = { ip: createHeaderWriter(rules.rates.ip), user: createHeaderWriter(rules.rates.user) }

  const clientLocks = createClientLocks(options.failed_login_max_attempts)
  /** Exchanges with a rejected credential, with the locks that it counts for. By object, since clients choose the id of a request. */
  const bad = new WeakMap<Exchange, readonly Lock[]>()
  const subscriber = remember(subscriberOf)
  const clientOf = (exchange: Exchange): string => {
    const address = addressOf(exchange)
    return address === '' ? exchange.transport : subscriber(address)
  }
  const end = scope.signals.subscribe((signal) => {
    if (signal.type !== 'credential-refused') return
    // The caller of a genuine credential gets the real reason, even while other clients at its address forge tokens.
    if (GENUINE.has(signal.reason)) return
    const exchange = refusedExchange(signal)
    const client = exchange === undefined ? subscriberOf(signal.address) : clientOf(exchange)
    const locks = clientLocks.ofRefused(client, signal.method)
    if (exchange !== undefined) {
      if (bad.has(exchange)) return
      bad.set(exchange, locks)
    }
    const counted = limits.fail(locks)
    // The reply does not wait for it. The store reports its own outages.
    if (isPromise(counted)) counted.catch(() => storeErrors.add())
  })
  scope.onClose(end)

  /** Returns the locks that may reject this request. A request without a credential has none. */
  function locksOf(ctx: AnyExchange, client: string, auth: Auth | null): readonly Lock[] {
    if (auth !== null) return clientLocks.ofAuth(client, auth)
    return bad.get(ctx) ?? NO_LOCKS
  }

  /** @returns the error to throw; `null`: the request continues */
  function judge(ctx: AnyExchange, kind: Kind, taken: Taken): Error | null {
    if (taken.lockedMs > 0) {
      // The reply does not reveal whether the credential was valid.
      refusals.lockout.add()
      return lockedOut(ctx, taken.lockedMs)
    }
    if (ctx.transport === 'http') writeHeaders[kind](ctx, taken.tokens)
    if (taken.allowed) return null
    refusals[kind].add()
    return tooMany(ctx, rules.rates[kind], taken.tokens)
  }

  function admit<T>(ctx: AnyExchange, client: string, auth: Auth | null, next: () => MaybePromise<T>): MaybePromise<T> {
    const user = auth === null ? null : userKey(auth)
    const kind: Kind = user === null ? 'ip' : 'user'
    const taken = limits.take(kind, user ?? client, locksOf(ctx, client, auth))
    if (isPromise(taken))
      return taken.then(
        (each) => go(judge(ctx, kind, each), next),
        (error) => goWithout(error, next),
      )
    return go(judge(ctx, kind, taken), next)
  }

  function goWithout<T>(error: unknown, next: () => MaybePromise<T>): MaybePromise<T> {
    storeErrors.add()
    return go(options.fail_open ? null : (error as Error), next)
  }

  /** Admits a login. During an outage of the store logins are rejected, because guesses could not be counted. */
  async function admitLogin(
    ctx: AnyExchange,
    client: string,
    windows: readonly LoginWindow[],
    next: () => MaybePromise<Reply>,
  ): Promise<Reply> {
    const error = judge(ctx, 'ip', await limits.take('ip', client, clientLocks.ofLogin(client)))
    if (error !== null) throw error
    await countIn(windows, ctx, client)
    return next()
  }

  /** @throws SvcError RATE_LIMITED, SERVICE_UNAVAILABLE */
  async function countIn(windows: readonly LoginWindow[], ctx: AnyExchange, client: string): Promise<void> {
    for (const { name, max, windowMs } of windows) {
      const { value, ttlMs } = await limits.count(name, client, windowMs)
      if (value <= max) continue
      refusals.login.add()
      throw tooManyLogins(ctx, max, ttlMs)
    }
  }

  /** Paths under `/auth/` for signed-in callers. An outage of the store is handled as on any other path. */
  async function countCallers(windows: readonly LoginWindow[], ctx: AnyExchange, client: string): Promise<void> {
    try {
      await countIn(windows, ctx, client)
    } catch (error) {
      if (!options.fail_open || !isOutage(error)) throw error
      storeErrors.add()
    }
  }

  scope.provide('rateLimits', { count: (ctx) => admit(ctx, clientOf(ctx), ctx.auth, () => {}) })

  scope.on(
    'onRequest',
    (ctx, next) => {
      if (ctx.transport === 'internal') return next()
      const client = clientOf(ctx)
      let inner = next
      if (ctx.transport === 'http') {
        if (ctx.route !== null && EXEMPT.has(ctx.route.path)) return next()
        const place = placeOf(ctx.route?.path ?? ctx.pathname)
        if (place?.isLogin === true) return admitLogin(ctx, client, place.windows, next)
        if (place !== null) inner = async () => countCallers(place.windows, ctx, client).then(next)
      }
      const auth = ctx.auth ?? scope.pipeline.identify(ctx)
      if (isPromise(auth)) return auth.then((each) => admit(ctx, client, each, inner))
      return admit(ctx, client, auth, inner)
    },
    { position: 'guard' },
  )
})

function isOutage(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'SERVICE_UNAVAILABLE'
}

function go<T>(error: Error | null, next: () => MaybePromise<T>): MaybePromise<T> {
  if (error !== null) throw error
  return next()
}
