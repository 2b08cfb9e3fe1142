import { decodeJwt, errors, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'
import { SvcError } from '../../core/doors/plugin.ts'
import type { VerifiedToken } from './api.ts'
import type { JwtOptions } from './options.ts'
import { OWN_KEY } from './own-key.ts'
import { TokenRefused } from './refused.ts'
import { toVerifiedToken } from './to-verified-token.ts'
import type { TrustedIssuer } from './trusted-issuers.ts'

/** Three parts in base64url, none of them empty. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Creates the function that verifies a JWT: format, size, algorithm, key, signature, issuer, audience and times.
 * @returns a function that rejects with TokenRefused, or with SvcError SERVICE_UNAVAILABLE when keys cannot be fetched
 */
export function createVerifier(
  trusted: readonly TrustedIssuer[],
  options: JwtOptions,
): (token: string) => Promise<VerifiedToken> {
  const settings = new Map(trusted.map((one) => [one, verifyOptions(one, options)]))
  const byIssuer = new Map(trusted.map((one) => [one.issuer, one]))

  /** Chooses the issuer by the `iss` of the token, which is not verified yet. The keys of the issuer verify it. */
  function pick(token: string): TrustedIssuer {
    const [only, second] = trusted
    if (only !== undefined && second === undefined) return only
    const { iss } = decodeJwt(token)
    const found = (typeof iss === 'string' ? byIssuer.get(iss) : undefined) ?? byIssuer.get(null)
    if (found === undefined) throw new TokenRefused('iss')
    return found
  }

  /** Verifies with the cached keys, and again if the issuer has replaced a key under the same id. */
  async function verifyWith(issuer: TrustedIssuer, token: string): Promise<JWTVerifyResult> {
    const edition = issuer.fetched?.edition
    const verify = (): Promise<JWTVerifyResult> =>
      jwtVerify(token, (header) => issuer.key(header), settings.get(issuer))
    try {
      return await verify()
    } catch (error) {
      const isForeign = error instanceof errors.JWSSignatureVerificationFailed
      if (!isForeign || edition === undefined || !(await issuer.fetched?.replaced(edition))) throw error
      return verify()
    }
  }

  return async (token) => {
    if (token.length > options.jwt_max_bytes) throw new TokenRefused('size')
    if (!COMPACT.test(token)) throw new TokenRefused('form')
    try {
      const issuer = pick(token)
      const { payload, protectedHeader } = await verifyWith(issuer, token)
      return toVerifiedToken(payload, options, issuer.isOwn === true && protectedHeader.kid === OWN_KEY)
    } catch (error) {
      throw toRefusal(error)
    }
  }
}

function verifyOptions({ algorithms, issuer, audience }: TrustedIssuer, options: JwtOptions): JWTVerifyOptions {
  return {
    algorithms: [...algorithms],
    requiredClaims: ['exp'],
    clockTolerance: options.jwt_clock_skew_secs,
    ...(issuer === null ? {} : { issuer }),
    ...(audience === null ? {} : { audience: typeof audience === 'string' ? audience : [...audience] }),
  }
}

function toRefusal(error: unknown): SvcError {
  if (error instanceof SvcError) return error
  if (error instanceof errors.JWTExpired) return new TokenRefused('exp', 'The token has expired.', error)
  if (error instanceof errors.JWTClaimValidationFailed) {
    const message = error.claim === 'nbf' ? 'The token is not valid yet.' : undefined
    return new TokenRefused(KNOWN_CLAIMS.includes(error.claim) ? error.claim : 'claim', message, error)
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return new TokenRefused('alg', undefined, error)
  if (error instanceof errors.JWSSignatureVerificationFailed) return new TokenRefused('signature', undefined, error)
  return new TokenRefused('form', undefined, error)
}

/** Claims that log lines can name. Other texts of a token are not logged. */
const KNOWN_CLAIMS = ['iss', 'aud', 'nbf', 'exp', 'iat', 'sub']
