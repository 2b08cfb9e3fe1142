import { type Credential, type HttpExchange, originSet, pageSource, SvcError } from '../../core/doors/plugin.ts'
import type { CsrfOptions } from './options.ts'

/** Content types that a form, or a script without preflight, can send (CORS-safelisted in the Fetch standard). */
const SIMPLE_TYPES: ReadonlySet<string> = new Set([
  'text/plain',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
])
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/
/** Methods without effects (RFC 9110, 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Returns the error with which to reject a request as possible cross-site forgery; `null`: the request is allowed. */
export type RequestCheck = (ctx: HttpExchange) => SvcError | null

/**
 * Creates the check for cross-site request forgery, which runs before all other checks of a request.
 *
 * - A POST with a simple content type is rejected, unless it has a header that forces a preflight.
 * - A request with cookies from a page of another site is rejected, even a read or a handshake. Following a link is
 *   allowed.
 *
 * @param credentials credentials that the plugins accept; an API key header of them also forces a preflight
 */
export function createRequestCheck(
  { headers, trusted_origins, exempt_paths }: CsrfOptions,
  credentials: readonly Credential[],
): RequestCheck {
  const proofs = headers.map((name) => name.toLowerCase())
  // A header with this name requires a preflight, and browsers do not add it by themselves.
  const keys = credentials.filter(({ in: place, scheme }) => place === 'header' && scheme === 'key')
  for (const { name } of keys) if (name.toLowerCase() !== 'authorization') proofs.push(name.toLowerCase())
  const pages = { trusted: originSet(trusted_origins) }
  const exempt = new Set(exempt_paths)
  const howTo = `Send "content-type: application/json", or the header ${headers[0]}.`

  return (ctx) => {
    if (exempt.has(ctx.route?.path ?? ctx.pathname)) return null
    const source = pageSource(ctx, pages)
    if (source === 'own') return null
    const isSafe = SAFE_METHODS.has(ctx.method)
    if (source === 'foreign' && ctx.headers.cookie !== undefined && !(isSafe && isNavigation(ctx))) {
      return new SvcError('FORBIDDEN', 'A page of another site sent this with your cookies.')
    }
    if (isSafe || !isSimple(ctx) || proofs.some((name) => ctx.headers[name] !== undefined)) return null
    return new SvcError('FORBIDDEN', `A page of any site can make a browser send this. ${howTo}`)
  }
}

/** Is it a navigation by a link or the address bar? The linking page cannot read the reply. */
function isNavigation({ headers }: HttpExchange): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers.upgrade === undefined
}

function isSimple({ method, headers }: HttpExchange): boolean {
  // Other methods require a preflight, and so does a bearer token: browsers only add credentials of other schemes by themselves.
  if (method !== 'POST') return false
  if (/^bearer /i.test(String(headers.authorization ?? ''))) return false
  const given = headers['content-type']
  if (typeof given !== 'string') return true
  const semicolon = given.indexOf(';')
  const type = (semicolon === -1 ? given : given.slice(0, semicolon)).trim().toLowerCase()
  // An invalid content type counts as a simple one.
  return !MEDIA_TYPE.test(type) || SIMPLE_TYPES.has(type)
}
