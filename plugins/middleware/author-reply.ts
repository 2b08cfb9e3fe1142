import { Readable } from 'node:stream'
import { type Reply, WrappedText } from '../../core/doors/plugin.ts'

/**
 * What middleware returned, as a reply of the service.
 * @throws TypeError that says what it has to return
 */
export function authorReply(value: unknown): Reply {
  if (typeof value !== 'object' || value === null) throw noReply(value)
  const { status, headers = {}, body = null } = value as Partial<Reply>
  if (!Number.isInteger(status) || Number(status) < 100 || Number(status) > 599) throw noReply(value)
  if (typeof headers !== 'object' || headers === null) throw noReply(value)
  if ('headers' in value && 'body' in value && isBody(body)) return value as Reply
  if (isBody(body)) return { status: status as number, headers, body }
  const json = { 'content-type': 'application/json; charset=utf-8', ...lowerCase(headers) }
  return { status: status as number, headers: json, body: JSON.stringify(body) }
}

function isBody(body: unknown): body is Reply['body'] {
  return (
    body === null ||
    typeof body === 'string' ||
    body instanceof Uint8Array ||
    body instanceof Readable ||
    body instanceof WrappedText
  )
}

function lowerCase(headers: Reply['headers']): Reply['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function noReply(value: unknown): TypeError {
  const got = value === undefined ? 'nothing' : typeof value === 'object' ? 'another object' : typeof value
  return new TypeError(
    `Middleware gave ${got}. It has to return { status, headers, body }, or what next gave: return next(request).`,
  )
}
