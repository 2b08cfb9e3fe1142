import type { Tokens } from '../jwt/api.ts'
import { OAuthFault } from './oauth-fault.ts'
import type { OAuthOptions } from './options.ts'
import type { Profile } from './profile.ts'
import type { Granted } from './provider-client.ts'
import { invalid } from './providers.ts'
import type { LastToken } from './sessions.ts'
import type { User } from './user-function.ts'

/** The access token for a login or a refresh: issued by svc, or passed on from the provider. */
export interface Made {
  readonly accessToken: string
  readonly expiresIn: number
  /** ID token of the provider, if svc passes on the provider's tokens; otherwise `null`. */
  readonly idToken: string | null
  readonly last: LastToken
}

/**
 * Makes access tokens. `own: true`: svc issues them for the user that the database returns for a profile. `own: false`:
 * svc passes on the provider's tokens.
 */
export type TokenMaker =
  | { readonly own: true; make(profile: Profile): Promise<Made> }
  | { readonly own: false; make(granted: Granted): Promise<Made> }

/** Claims that svc sets itself (RFC 7519, 4.1). */
const RESERVED = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']

/**
 * Creates the function that makes access tokens after a login or a refresh.
 * @param tokens issues and verifies JWTs
 * @param userOf returns the user of a profile; `null`: the tokens of the provider are passed on
 * @throws SvcError SVC_CONFIG_INVALID when the configuration does not allow to issue or verify such tokens
 */
export function createTokenMaker(
  options: OAuthOptions,
  tokens: Tokens,
  userOf: ((profile: Profile) => Promise<User>) | null,
): TokenMaker {
  const taken = options.claims.find((claim) => RESERVED.includes(claim))
  if (taken !== undefined) throw invalid(`claims has "${taken}", which svc writes itself`)
  if (userOf === null) {
    if (tokens.isConfigured) return { own: false, make: (granted) => handOn(tokens, granted) }
    throw invalid(
      "there is no user_function, so that the provider's tokens are handed on, and no key verifies any: set security.jwt_issuer and jwt_audience",
    )
  }
  const { issue } = tokens
  if (issue === null) {
    throw invalid(
      'user_function is set, so that svc makes the tokens, and no key signs any: set JWT_SECRET, or jwt_private_key (JWT_PRIVATE_KEY) beside a public key',
    )
  }
  const ttl = options.access_ttl_secs
  return {
    own: true,
    async make(profile) {
      const user = await userOf(profile)
      const told = options.claims.flatMap((name) =>
        user[name] === undefined || user[name] === null ? [] : [[name, user[name]]],
      )
      const accessToken = await issue({ ...Object.fromEntries(told), sub: user.id }, ttl)
      return { accessToken, expiresIn: ttl, idToken: null, last: lastOf(await tokens.verify(accessToken)) }
    },
  }
}

async function handOn(tokens: Tokens, { accessToken, expiresIn, idToken }: Granted): Promise<Made> {
  try {
    const verified = await tokens.verify(accessToken)
    const left = Math.floor(verified.expiresAt - Date.now() / 1000)
    return { accessToken, expiresIn: expiresIn ?? left, idToken, last: lastOf(verified) }
  } catch (error) {
    const cause = new Error(
      "The provider's access token does not match [security] jwt_issuer, jwt_audience and jwt_issuers. Set audience, so that the token is issued for this service, or a user_function.",
      { cause: error },
    )
    throw new OAuthFault('login_failed', 'The login failed: the provider gave no token for this service.', cause)
  }
}

function lastOf({ issuer, subject, jti, issuedAt, ownClock, expiresAt }: LastToken): LastToken {
  return { issuer, subject, jti, issuedAt, ownClock, expiresAt }
}
