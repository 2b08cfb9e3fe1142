import { createHmac } from 'node:crypto'

/**
 * The headers by which a receiver knows who sent these bytes, and when (behaviours 9.5): HMAC-SHA256 over
 * `<timestamp>.<body>`.
 * @param now seconds since 1970
 */
export function signatureHeaders(secret: string, body: Buffer, now: number): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now))
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  return { 'x-svc-timestamp': timestamp, 'x-svc-signature': `sha256=${digest}` }
}
