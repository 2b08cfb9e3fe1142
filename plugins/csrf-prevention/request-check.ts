import { type Credential, type HttpExchange, originSet, pageSource, SvcError } from '../../core/doors/plugin.ts'
import type { CsrfOptions } from './options.ts'

/** What a form can send, and a script without asking first (the Fetch standard's CORS-safelisted types). */
const SIMPLE_TYPES: ReadonlySet<string> = new Set([
  'text/plain',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
])
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/
/** They change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What is wrong with a request; `null` = nothing. */
export type RequestCheck = (ctx: HttpExchange) => SvcError | null

/**
 * Makes what looks at a request before anything else does.
 *
 * - What changes something has to be of a kind that a browser asks for first (a preflight), or bring a header that makes it so.
 * - A request with cookies that a page of another site makes is refused in any case, also a read and a handshake: cookies
 *   come along whoever asks. Following a link is no such request.
 *
 * @param credentials those of all plugins
 */
export function createRequestCheck(
  { headers, trusted_origins, exempt_paths }: CsrfOptions,
  credentials: readonly Credential[],
): RequestCheck {
  const proofs = headers.map((name) => name.toLowerCase())
  // A browser asks before it sends a header of this name for a page, and adds none by itself.
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

/** Somebody follows a link, or enters an address; the page that linked sees nothing of the answer. */
function isNavigation({ headers }: HttpExchange): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers.upgrade === undefined
}

function isSimple({ method, headers }: HttpExchange): boolean {
  // Other methods are asked for first, and so is a bearer token: that a browser adds by itself is another scheme.
  if (method !== 'POST') return false
  if (/^bearer /i.test(String(headers.authorization ?? ''))) return false
  const given = headers['content-type']
  if (typeof given !== 'string') return true
  const semicolon = given.indexOf(';')
  const type = (semicolon === -1 ? given : given.slice(0, semicolon)).trim().toLowerCase()
  // What is no type is taken for the worst.
  return !MEDIA_TYPE.test(type) || SIMPLE_TYPES.has(type)
}
