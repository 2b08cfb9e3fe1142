import type { Tracing } from '../../tracing/api.ts'
import type { HttpSender, Outcome } from './http-sender.ts'

/**
 * Wraps a sender so that each request has its own span in the trace of the write, and passes the trace context to the
 * target.
 * @param tracing `undefined`: tracing is off, so the sender is returned unchanged
 */
export function traceSender(sender: HttpSender, tracing: Tracing | undefined): HttpSender {
  if (tracing === undefined) return sender
  return {
    close: () => sender.close(),
    send(request) {
      const { method, url, origin } = request
      const call = { name: method, attributes: { 'http.request.method': method, ...addressOf(url) }, origin }
      // A header that the author has set is not overwritten.
      const run = (headers: Readonly<Record<string, string>>) =>
        sender.send({ ...request, headers: { ...headers, ...request.headers } })
      return tracing.outgoing(call, run, failureOf)
    },
  }
}

/** Attributes of a span for a URL: only the server, because paths and query strings of webhooks may contain secrets. */
function addressOf(text: string): Readonly<Record<string, string | number>> {
  if (!URL.canParse(text)) return {}
  const { hostname, port, protocol } = new URL(text)
  return { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'https:' ? 443 : 80) }
}

function failureOf(outcome: Outcome): string | null {
  if (outcome.kind === 'done') return null
  const status = /^it answered (\d{3})/.exec(outcome.error)?.[1]
  return status ?? (outcome.kind === 'never' ? 'refused' : 'unreachable')
}
