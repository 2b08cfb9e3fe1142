import {
  type Auth,
  coversScope,
  type HttpExchange,
  type Reply,
  readJson,
  type Scope,
  SvcError,
} from '../../core/doors/plugin.ts'
import type { Tokens, VerifiedToken } from '../jwt/api.ts'
import type { Revocations } from './api.ts'

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
/** Scope that allows revoking the tokens of others. */
const ADMIN = 'admin:revoke'

/** Adds the routes `/auth/revoke` and `/auth/revoke-all` (docs/plugins/token-revocation.md). */
export function mountRoutes(scope: Scope, tokens: Tokens, revocations: Revocations): void {
  scope.route({
    method: 'POST',
    path: '/auth/revoke',
    // The body must be JSON, which pages of other sites cannot send without a preflight.
    crossSite: 'own',
    async handler(ctx) {
      const caller = callerOf(ctx)
      const token = await verify(tokens, await readText(ctx, 'token'))
      if (!isOwn(tokens.tokenOf(caller), token) && !isAdmin(caller)) {
        throw new SvcError('FORBIDDEN', 'This is not a token of yours: missing scope admin:revoke')
      }
      await revocations.revoke(token)
      return answer({ revoked: true, expires_at: new Date(token.expiresAt * 1000).toISOString() })
    },
  })
  scope.route({
    method: 'POST',
    path: '/auth/revoke-all',
    crossSite: 'own',
    async handler(ctx) {
      const caller = callerOf(ctx)
      if (!isAdmin(caller)) throw new SvcError('FORBIDDEN', 'Forbidden: missing scope admin:revoke')
      return answer({ revoked_count: await revocations.revokeAll(await readText(ctx, 'sub')) })
    },
  })
}

function callerOf({ auth }: HttpExchange): Auth {
  if (auth === null) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
  return auth
}

function isAdmin({ scopes }: Auth): boolean {
  return scopes.some((scope) => coversScope(scope, ADMIN))
}

/** Is it the token of the caller, or one of the same subject and issuer? Another issuer can use the same subject for another user. */
function isOwn(own: VerifiedToken | null, token: VerifiedToken): boolean {
  if (own === null || own.issuer !== token.issuer) return false
  const isSame = own.jti !== null && own.jti === token.jti
  return isSame || (own.subject !== null && own.subject === token.subject)
}

async function verify(tokens: Tokens, text: string): Promise<VerifiedToken> {
  try {
    return await tokens.verify(text)
  } catch (error) {
    if (error instanceof SvcError && error.code === 'UNAUTHENTICATED') {
      // The token in the body is invalid, not the caller. An expired token need not be revoked.
      throw new SvcError('BAD_USER_INPUT', 'The token to revoke is not valid, or has ended.', { cause: error })
    }
    throw error
  }
}

function answer(body: object): Reply {
  return { status: 200, headers: { ...HEADERS }, body: JSON.stringify(body) }
}

/** Texts that every store can contain. */
const TEXT = /^[^\p{Cc}]{1,16384}$/u

/**
 * Reads the body `{ "<key>": "…" }`.
 * @throws SvcError UNSUPPORTED_MEDIA_TYPE, BAD_USER_INPUT, PAYLOAD_TOO_LARGE
 */
async function readText(ctx: HttpExchange, key: string): Promise<string> {
  const body = await readJson(ctx).catch((error: unknown) => {
    throw error instanceof SvcError && error.code === 'INVALID_JSON' ? wanted(key) : error
  })
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) throw wanted(key)
  const others = Object.keys(body).filter((other) => other !== key)
  const value = (body as Record<string, unknown>)[key]
  if (others.length > 0 || typeof value !== 'string' || !TEXT.test(value)) throw wanted(key)
  return value
}

function wanted(key: string): SvcError {
  return new SvcError('BAD_USER_INPUT', `The body has to be { "${key}": "…" } and nothing else.`)
}
