import { createHmac } from 'node:crypto'

/**
 * Returns the headers that sign a webhook: the time, and the HMAC-SHA256 of `<timestamp>.<body>` in hex.
 * @param now Unix time in seconds
 */
export function signatureHeaders(secret: string, body: Buffer, now: number): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now))
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  return { 'x-svc-timestamp': timestamp, 'x-svc-signature': `sha256=${digest}` }
}
