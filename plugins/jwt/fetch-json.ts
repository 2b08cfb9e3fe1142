import { SvcError } from '../../core/doors/plugin.ts'

const TIMEOUT_MS = 5000
const MOST_BYTES = 524_288

/**
 * Fetches a JSON document of a token issuer, such as its keys. It follows no redirects and limits time and size.
 * @throws Error whose message is for the log
 */
export async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${url} answered ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error(`${url} answered more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/** Reason why an address has to be https, by its purpose. */
const REASONS = {
  keys: 'The keys from this address decide which tokens are accepted',
  provider: 'The client secret and the tokens of a login go to and from this address',
  callback: 'The provider sends the browser to this address with the code of a login',
  target: 'A browser that has logged in is sent to this address, and pages of its origin may use the cookie',
} as const

/**
 * Checks a URL of an issuer, a provider or a login: it must be https, or http on this machine outside of production.
 * @param what begins the error message, such as the option with the URL
 * @param purpose use of the address, for the reason in the message
 * @returns `url`
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function checkAddress(url: string, what: string, purpose: keyof typeof REASONS): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isLoopback = parsed !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(parsed.hostname)
  if (parsed?.protocol === 'https:') return url
  if (parsed?.protocol === 'http:' && isLoopback && process.env.NODE_ENV !== 'production') return url
  const message = `${what} is not an https address. ${REASONS[purpose]}, so http is allowed only on this machine, outside production.`
  throw new SvcError('SVC_CONFIG_INVALID', message)
}
