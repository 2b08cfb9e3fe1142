import {
  definePlugin,
  type Exchange,
  openRedis,
  ownTable,
  refuseCredential,
  type Scope,
  SvcError,
} from '../../core/doors/plugin.ts'
import type {} from '../health/api.ts'
import type { VerifiedToken } from '../jwt/api.ts'
import type { Revocations } from './api.ts'
import manifest from './manifest.ts'
import { mountRoutes } from './mount-routes.ts'
import type { RevocationOptions } from './options.ts'
import { createRedisRevocations } from './redis-revocations.ts'
import { type RevocationStore, refOf } from './revocation-store.ts'
import { createSqlRevocations } from './sql-revocations.ts'
import { REVOKED_SUBJECTS, REVOKED_TOKENS } from './tables.ts'

/** Message of a revocation to the other workers. */
const TOPIC = 'token-revocation:revoked'

/**
 * The plugin that revokes JWTs (docs/plugins/token-revocation.md). It uses the hook `jwt:verified`, which runs for the
 * tokens of all APIs.
 */
export default definePlugin<RevocationOptions>(manifest, async (scope, options) => {
  const tokens = scope.use('tokens')
  if (!tokens.isConfigured) {
    throw invalid('is enabled, and no key verifies any token: set JWT_SECRET, security.jwks_uri or security.jwt_issuer')
  }
  const skew = tokens.clockSkewSecs
  const store = await openStore(scope, options)
  scope.onClose(() => store.close())
  const { kvstore_url: url, fail_open: failsOpen } = options
  scope.use('health', { optional: true })?.addStore('token_revocation', { url, isNeeded: !failsOpen })
  const refused = scope.metrics.counter('svc_jwt_replay_rejected_total')

  /** Cached look-ups of the store. They expire after `recheck_secs`, or at the next revocation in this process or its peers. */
  const asked = new WeakMap<VerifiedToken, { readonly at: number; readonly generation: number }>()
  const recheckMs = options.recheck_secs * 1000
  let generation = 0
  const listeners: (() => void)[] = []
  function heard(): void {
    generation++
    for (const listener of listeners) listener()
  }
  scope.process.peers.hear(TOPIC, heard)
  function changed(): void {
    heard()
    scope.process.peers.tell(TOPIC, null)
  }

  function refuse(ctx: Exchange, reason: string, message: string): SvcError {
    refuseCredential(scope.signals, ctx, manifest.name, reason)
    return new SvcError('UNAUTHENTICATED', message, { challenge: 'invalid_token' })
  }

  /** Time of the last warning, because an outage affects many requests. */
  let warnedAt = Number.NEGATIVE_INFINITY
  function warnOnce(error: unknown): void {
    if (Date.now() - warnedAt < 1000) return
    warnedAt = Date.now()
    const message = 'tokens are accepted without a check for revocation (fail_open)'
    scope.signals.emit({ type: 'token-revocation:not-asked', level: 'warn', message, error })
  }

  async function ask(ctx: Exchange, token: VerifiedToken): Promise<void> {
    const began = { at: Date.now(), generation }
    let isRevoked: boolean
    try {
      isRevoked = await store.isRevoked(refOf(token, skew))
    } catch (error) {
      if (!options.fail_open) throw error
      warnOnce(error)
      return
    }
    if (isRevoked) {
      refused.add()
      throw refuse(ctx, 'revoked', 'The token has been revoked.')
    }
    if (recheckMs > 0) asked.set(token, began)
  }

  scope.on('jwt:verified', (ctx, token) => {
    if (token.jti === null) {
      if (options.require_jti) throw refuse(ctx, 'jti', 'The token has no jti, which is required here.')
      if (token.subject === null) return undefined
    }
    const before = recheckMs === 0 ? undefined : asked.get(token)
    const isBelieved = before !== undefined && before.generation === generation && Date.now() - before.at < recheckMs
    return isBelieved ? undefined : ask(ctx, token)
  })

  const revocations: Revocations = {
    async revoke(token) {
      const ref = refOf(token, skew)
      if (ref.jti === null) throw new SvcError('BAD_USER_INPUT', 'The token has no jti: it cannot be revoked alone.')
      await store.revoke({ ...ref, jti: ref.jti })
      changed()
    },
    async revokeAll(subject) {
      const count = await store.revokeAll(subject, Date.now())
      changed()
      return count
    },
    onChange: (listener) => void listeners.push(listener),
  }
  // A token without `jti` cannot be identified, so it stays valid until it expires.
  scope.on('jwt:ended', (token) => (token.jti === null ? undefined : revocations.revoke(token)))
  scope.provide('revocations', revocations)
  mountRoutes(scope, tokens, revocations)
})

async function openStore(scope: Scope, { backend, kvstore_url: url }: RevocationOptions): Promise<RevocationStore> {
  if (backend === undefined) throw invalid('needs a backend: "sqldb", or "kvstore" with a kvstore_url')
  if (backend === 'sqldb') {
    if (url !== undefined) throw invalid('has a kvstore_url, and its backend is "sqldb"')
    const tables = [ownTable(scope, REVOKED_TOKENS), ownTable(scope, REVOKED_SUBJECTS)]
    return createSqlRevocations(scope.database, () => Promise.all(tables.map(({ ready }) => ready())))
  }
  if (url === undefined) throw invalid('has the backend "kvstore" and no kvstore_url')
  const redis = await openRedis(url, { signals: scope.signals })
  return createRedisRevocations(redis, `svc:${scope.config.project.name}:revocation:`)
}

function invalid(why: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[security.token_revocation] ${why}.`)
}

declare module '../../core/doors/plugin.ts' {
  interface PluginSignals {
    'token-revocation:not-asked': { readonly error: unknown }
  }
}
