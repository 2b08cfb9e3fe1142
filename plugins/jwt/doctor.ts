import { defineDoctorCheck, type Finding, failed, ok, warning } from '../../core/doors/command.ts'
import { fetchJson } from './fetch-json.ts'
import type { JwtOptions } from './options.ts'
import { discoverKeys } from './trusted-issuers.ts'

/**
 * Check of `svc doctor`: the keys of all trusted issuers can be fetched. Without keys, svc rejects all of their tokens.
 */
export default defineDoctorCheck<JwtOptions>(async ({ options }) => {
  const { jwt_secret: secret, jwt_issuer: issuer, jwks_uri: uri, jwt_issuers: issuers } = options
  const own = secret === undefined && (issuer !== undefined || uri !== undefined) ? [{ issuer, jwks_uri: uri }] : []
  return Promise.all([...own, ...issuers].map(({ issuer, jwks_uri: uri }) => examineKeys(issuer, uri)))
})

async function examineKeys(issuer: string | undefined, uri: string | undefined): Promise<Finding> {
  const name = 'token keys'
  try {
    const address = uri ?? (await discoverKeys(issuer!))
    const { keys } = (await fetchJson(address)) as { readonly keys?: readonly unknown[] }
    if (!Array.isArray(keys)) throw new Error(`${address} is no set of keys`)
    if (keys.length === 0)
      return warning(name, `${address} holds no key: every token of ${issuer ?? 'this issuer'} is refused.`)
    return ok(name, `${keys.length} of ${issuer ?? address}`)
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
    return failed(
      name,
      new Error(
        `The keys of ${issuer ?? uri} cannot be fetched: ${reason}. Until they can be, its tokens are refused.`,
      ),
    )
  }
}
