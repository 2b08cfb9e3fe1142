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

/**
 * Checks the URL of an issuer's keys: it must be https, or http on this machine outside of production.
 * @param what begins the error message, such as the option with the URL
 * @returns `url`
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function checkAddress(url: string, what: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isLoopback = parsed !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(parsed.hostname)
  if (parsed?.protocol === 'https:') return url
  if (parsed?.protocol === 'http:' && isLoopback && process.env.NODE_ENV !== 'production') return url
  const message = `${what} is not an https address. The keys from this address decide which tokens are accepted, so http is allowed only on this machine, outside production.`
  throw new SvcError('SVC_CONFIG_INVALID', message)
}
