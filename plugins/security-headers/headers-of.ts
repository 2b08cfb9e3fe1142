import { SvcError } from '../../core/doors/plugin.ts'
import type { SecurityHeadersOptions } from './options.ts'

const DEFAULT_HSTS_SECS = 15_552_000
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
/** What a header may say; a line break would begin another one. */
const VALUE = /^[\x20-\x7e]*$/
/** They are about this answer, and svc writes them. */
const OWN = new Set(['content-length', 'content-type', 'transfer-encoding', 'connection', 'vary', 'set-cookie', 'date'])

/**
 * The headers, names in lower case.
 * @param isTls does this process speak HTTPS itself?
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function headersOf(options: SecurityHeadersOptions, isTls: boolean): Readonly<Record<string, string>> {
  const maxAge = options.hsts_max_age_secs ?? (isTls ? DEFAULT_HSTS_SECS : 0)
  if (maxAge === 0 && options.hsts_include_subdomains) {
    throw invalid('hsts_include_subdomains counts with hsts_max_age_secs above 0 only')
  }
  const all: Readonly<Record<string, string>> = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': options.frame_options,
    'content-security-policy': options.content_security_policy,
    'referrer-policy': options.referrer_policy,
    'cross-origin-resource-policy': options.cross_origin_resource_policy,
    'strict-transport-security':
      maxAge === 0 ? '' : `max-age=${maxAge}${options.hsts_include_subdomains ? '; includeSubDomains' : ''}`,
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of [...Object.entries(all), ...Object.entries(options.extra)]) {
    const lower = name.toLowerCase()
    if (!NAME.test(name) || lower === '__proto__')
      throw invalid(`extra: ${JSON.stringify(name)} is no name of a header`)
    if (OWN.has(lower)) throw invalid(`extra: "${name}" is not yours to set`)
    if (!VALUE.test(value)) throw invalid(`${name}: its value has characters that a header cannot have`)
    if (value !== '') headers[lower] = value
  }
  return headers
}

function invalid(why: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[security.headers] ${why}.`)
}
