import { type KeyObject, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { claimPathFault } from '../../core/doors/front.ts'
import {
  type Auth,
  type Exchange,
  isPromise,
  type MaybePromise,
  refuseCredential,
  type Scope,
  SvcError,
} from '../../core/doors/plugin.ts'
import type { Tokens, VerifiedToken } from './api.ts'
import { createVerifier } from './create-verifier.ts'
import type { JwtOptions } from './options.ts'
import { OWN_KEY } from './own-key.ts'
import { readBearer } from './read-bearer.ts'
import { TokenRefused } from './refused.ts'
import { readPrivateKey, readStaticKey } from './static-key.ts'
import { TokenCache } from './token-cache.ts'
import { readTrustedIssuers } from './trusted-issuers.ts'

/** Interval at which old keys are fetched again, also without new tokens. */
const REFRESH_MS = 60_000

/**
 * Adds the hook `authenticate` that verifies bearer tokens, if the configuration trusts an issuer. Also provides the
 * API {@link Tokens}.
 */
export function setUpTokens(scope: Scope, options: JwtOptions): void {
  for (const key of ['jwt_roles_claim', 'jwt_scopes_claim'] as const) {
    const path = options[key]
    const fault = path === undefined ? null : claimPathFault(path)
    if (fault !== null) throw new Error(`security.${key}: ${fault}.`)
  }
  const cache = new TokenCache(options.jwt_cache_bytes, options.jwt_clock_skew_secs)
  const trusted = readTrustedIssuers(options, {
    baseDir: scope.process.baseDir,
    warn: (message) => scope.signals.emit({ type: 'warning', plugin: scope.plugin, message }),
    changed: () => cache.clear(),
  })
  const verifyNow = createVerifier(trusted, options)
  const verified = scope.stage('jwt:verified', 'series')
  const ended = scope.stage('jwt:ended', 'series')
  let run: typeof verified.run | undefined
  const tokenOf = new WeakMap<Auth, VerifiedToken>()

  /** Verifies a token and caches it. @param text header text, which can contain more than the token */
  async function verifyAndKeep(text: string, token: string): Promise<VerifiedToken> {
    const { generation } = cache
    const made = await verifyNow(token)
    tokenOf.set(made.auth, made)
    cache.put(text, made, generation)
    return made
  }

  function letThrough(ctx: Exchange, token: VerifiedToken): MaybePromise<Auth> {
    // The chain of hooks is complete at the first request, so it is looked up once.
    if (run === undefined) run = verified.run
    if (run === null) return token.auth
    const asked = run(ctx, token)
    return isPromise(asked) ? asked.then(() => token.auth) : token.auth
  }

  async function verifyFor(ctx: Exchange, text: string, token: string): Promise<Auth> {
    let made: VerifiedToken
    try {
      made = await verifyAndKeep(text, token)
    } catch (error) {
      throw report(ctx, error)
    }
    return letThrough(ctx, made)
  }

  function report(ctx: Exchange, error: unknown): unknown {
    if (error instanceof TokenRefused) refuseCredential(scope.signals, ctx, scope.plugin, error.reason)
    return error
  }

  const tokens: Tokens = {
    isConfigured: true,
    clockSkewSecs: options.jwt_clock_skew_secs,
    verify: (token) => cache.get(token) ?? verifyAndKeep(token, token),
    authenticate(ctx, token) {
      const known = cache.get(token)
      return known === undefined ? verifyFor(ctx, token, token) : letThrough(ctx, known)
    },
    issue: createIssue(options, scope.process.baseDir),
    async end(token) {
      if (ended.run === null) return false
      await ended.run(token)
      return true
    },
    check: (ctx, token) => verified.run?.(ctx, token),
    tokenOf: (auth) => tokenOf.get(auth) ?? null,
  }
  scope.provide('tokens', tokens)

  scope.credentials({
    in: 'header',
    name: 'Authorization',
    scheme: 'bearer',
    id: 'bearer',
    description: 'A token (JWT).',
  })
  scope.on('authenticate', (ctx) => {
    const header = ctx.headers.authorization
    if (header === undefined) return undefined
    const known = typeof header === 'string' ? cache.get(header) : undefined
    if (known !== undefined) return letThrough(ctx, known)
    const token = readBearer(header)
    if (token === null) return undefined
    if (token === '') throw report(ctx, new TokenRefused('form'))
    return verifyFor(ctx, header as string, token)
  })

  const fetched = trusted.flatMap(({ fetched: keys }) => (keys === undefined ? [] : [keys]))
  if (fetched.length === 0) return
  const timer = setInterval(() => {
    for (const keys of fetched) void keys.refresh().catch(() => {})
  }, REFRESH_MS).unref()
  scope.onClose(() => clearInterval(timer))
}

/**
 * Creates the function that issues tokens of svc, with the first issuer of the configuration as `iss`.
 * @throws SvcError SVC_CONFIG_INVALID for a private key that cannot sign
 */
function createIssue(options: JwtOptions, baseDir: string): Tokens['issue'] {
  const { jwt_secret: secret, jwt_private_key: own, jwt_algorithm: algorithm = 'HS256' } = options
  if (own !== undefined && (secret === undefined || algorithm === 'HS256')) {
    const message = 'wants jwt_algorithm (RS256 or ES256) and the public key in jwt_secret, to verify what it signs'
    throw new SvcError('SVC_CONFIG_INVALID', `security.jwt_private_key (JWT_PRIVATE_KEY) ${message}.`)
  }
  if (secret === undefined || (algorithm !== 'HS256' && own === undefined)) return null
  // Warnings about a weak secret were logged when it was read for verification.
  const known = readStaticKey(secret, algorithm, baseDir, () => {})
  const key = own === undefined ? known : readPrivateKey(own, known as KeyObject, baseDir)
  const { jwt_issuer: issuer, jwt_audience: audience } = options

  return (claims, ttlSecs) => {
    const now = Math.floor(Date.now() / 1000)
    const token = new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: OWN_KEY })
      .setIssuedAt(now)
      .setExpirationTime(now + ttlSecs)
      .setJti(randomUUID())
    if (issuer !== undefined) token.setIssuer(issuer)
    const [aud] = typeof audience === 'string' ? [audience] : (audience ?? [])
    if (aud !== undefined) token.setAudience(aud)
    return token.sign(key)
  }
}
