import type { CryptoKey, JWSHeaderParameters } from 'jose'
import { SvcError } from '../../core/doors/plugin.ts'
import { checkAddress, fetchJson } from './fetch-json.ts'
import { KeySet } from './key-set.ts'
import type { Algorithm, IssuerOptions, JwtOptions } from './options.ts'
import { readStaticKey } from './static-key.ts'

type Key = CryptoKey | ReturnType<typeof readStaticKey>

/** State of keys that svc fetches from an issuer, besides finding a key. */
export type FetchedKeys = Pick<KeySet, 'edition' | 'refresh' | 'replaced'>

/** An issuer whose tokens svc accepts, and the claims and algorithms that the tokens must have. */
export interface TrustedIssuer {
  /** Required value of the claim `iss`; `null`: not checked. */
  readonly issuer: string | null
  readonly audience: string | readonly string[] | null
  readonly algorithms: readonly Algorithm[]
  key(header: JWSHeaderParameters): Promise<Key> | Key
  /** `true` if svc also issues tokens with the key of this issuer. */
  readonly isOwn?: boolean
  /** Keys that are fetched from the issuer; absent if the configuration contains the key. */
  readonly fetched?: FetchedKeys
}

export interface IssuerContext {
  readonly baseDir: string
  /** Called with a warning about a weak setting that is an error in production. */
  readonly warn: (message: string) => void
  /** Called when the fetched keys of an issuer have changed. */
  readonly changed: () => void
}

/**
 * Reads the trusted token issuers from the configuration; empty if it contains no key and no issuer.
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function readTrustedIssuers(options: JwtOptions, context: IssuerContext): readonly TrustedIssuer[] {
  const first = readFirst(options, context)
  const all = [...(first === null ? [] : [first]), ...options.jwt_issuers.map((one) => readIssuer(one, context))]
  const names = all.map(({ issuer }) => issuer)
  const twin = names.find((name, index) => name !== null && names.indexOf(name) !== index)
  if (twin !== undefined) throw invalid(`the issuer "${twin}" stands twice under [security]`)
  return all
}

/** Returns the issuer of `jwt_secret`, `jwks_uri` and `jwt_issuer`; `null`: not configured. */
function readFirst(options: JwtOptions, context: IssuerContext): TrustedIssuer | null {
  const { jwt_secret: secret, jwks_uri: uri, jwt_issuer: issuer, jwt_audience: audience } = options
  const { jwt_algorithm: algorithm } = options
  if (secret !== undefined && uri !== undefined) {
    throw invalid(
      'jwt_secret (JWT_SECRET) and jwks_uri are two keys for one issuer; keep one. Other issuers go into jwt_issuers',
    )
  }
  const rest = { issuer: issuer ?? null, audience: audience ?? null }
  if (secret !== undefined) {
    const known = readStaticKey(secret, algorithm ?? 'HS256', context.baseDir, context.warn)
    return { ...rest, algorithms: [algorithm ?? 'HS256'], key: () => known, isOwn: true }
  }
  if (uri === undefined && issuer === undefined) {
    if (audience !== undefined) throw keyless('jwt_audience')
    if (algorithm !== undefined) throw keyless('jwt_algorithm')
    return null
  }
  if (algorithm === 'HS256') {
    throw invalid(
      'jwt_algorithm is HS256, which has no public keys; it needs jwt_secret (JWT_SECRET), or another algorithm',
    )
  }
  if (audience === undefined) {
    const message =
      'security.jwt_audience (JWT_AUDIENCE) is not set: tokens that the issuer made for any other service are accepted here'
    if (process.env.NODE_ENV === 'production') throw new SvcError('SVC_CONFIG_INVALID', `${message}.`)
    context.warn(`${message}. It is required where NODE_ENV is production.`)
  }
  const algorithms = algorithm === undefined ? (['RS256', 'ES256'] as const) : [algorithm]
  return { ...rest, algorithms, ...fetchedKeys(uri, issuer, context) }
}

function readIssuer(options: IssuerOptions, context: IssuerContext): TrustedIssuer {
  const { issuer, audience, jwks_uri: uri, algorithms } = options
  return { issuer, audience, algorithms, ...fetchedKeys(uri, issuer, context) }
}

function fetchedKeys(
  uri: string | undefined,
  issuer: string | undefined,
  { changed, warn }: IssuerContext,
): Pick<TrustedIssuer, 'key' | 'fetched'> {
  if (uri !== undefined) checkAddress(uri, `security.jwks_uri "${uri}"`, 'keys')
  else checkAddress(issuer!, `The issuer "${issuer}"`, 'keys')
  const failed = ({ message, cause }: Error): void => {
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
    warn(`The keys of ${issuer ?? uri} could not be fetched: ${reason}`)
  }
  const set = new KeySet({
    fetch: async () => fetchJson(uri ?? (await discoverKeys(issuer!))),
    changed,
    failed: (error) => failed(error as Error),
  })
  return { key: (header) => set.key(header), fetched: set }
}

/**
 * Returns the URL of an issuer's keys from its metadata (OpenID Connect Discovery 1.0).
 * @throws Error when the metadata is unavailable or belongs to another issuer
 */
export async function discoverKeys(issuer: string): Promise<string> {
  const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = (await fetchJson(place)) as { readonly issuer?: unknown; readonly jwks_uri?: unknown } | null
  if (document?.issuer !== issuer) throw new Error(`${place} is the configuration of another issuer`)
  if (typeof document.jwks_uri !== 'string') throw new Error(`${place} does not say where the keys are`)
  return checkAddress(document.jwks_uri, `The jwks_uri of ${place}`, 'keys')
}

function keyless(key: string): SvcError {
  return invalid(
    `${key} is set, and there is no key to verify a token with: set jwt_secret (JWT_SECRET), jwks_uri or jwt_issuer`,
  )
}

function invalid(why: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[security]: ${why}.`)
}
