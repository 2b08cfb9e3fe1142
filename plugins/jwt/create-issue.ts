import { type KeyObject, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { SvcError } from '../../core/doors/plugin.ts'
import type { Tokens } from './api.ts'
import type { JwtOptions } from './options.ts'
import { OWN_KEY } from './own-key.ts'
import { readPrivateKey, readStaticKey } from './static-key.ts'

/**
 * Makes tokens that the first issuer of the configuration is said to have made: svc itself.
 * @throws SvcError SVC_CONFIG_INVALID: a private key that signs nothing
 */
export function createIssue(options: JwtOptions, baseDir: string): Tokens['issue'] {
  const { jwt_secret: secret, jwt_private_key: own, jwt_algorithm: algorithm = 'HS256' } = options
  if (own !== undefined && (secret === undefined || algorithm === 'HS256')) {
    const message = 'wants jwt_algorithm (RS256 or ES256) and the public key in jwt_secret, to verify what it signs'
    throw new SvcError('SVC_CONFIG_INVALID', `security.jwt_private_key (JWT_PRIVATE_KEY) ${message}.`)
  }
  if (secret === undefined || (algorithm !== 'HS256' && own === undefined)) return null
  // What is weak about it was said when it was read to verify.
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
