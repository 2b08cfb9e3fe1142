import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { WrappedText } from '../../base/util/lent-text.ts'
import type { Generation } from '../../contract/generation.ts'
import type { Reply } from '../../contract/reply.ts'
import type { Cacheability } from './cacheability.ts'
import { headerList } from './header-list.ts'
import { HttpContext, type RequestSource } from './http-context.ts'
import type { Pipeline } from './pipeline.ts'

/** An HTTP request that `inject` runs through the service without a network connection. */
export interface InjectRequest {
  readonly method?: string
  /** Path and query string. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** A string or bytes are sent unchanged. Any other value is sent as JSON with `content-type: application/json`. */
  readonly body?: unknown
  /** IP address of the client. Default 127.0.0.1. */
  readonly address?: string
}

export interface InjectResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly text: string
  /** The body as bytes; `text` is the same body decoded as UTF-8. */
  readonly bytes: Buffer
  /** Parses the body as JSON. @throws SyntaxError if it is not JSON */
  json<T = unknown>(): T
}

function toSource(request: InjectRequest): RequestSource {
  const headers: IncomingHttpHeaders = {}
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value
  let bytes = Buffer.alloc(0)
  if (request.body !== undefined) {
    const raw = typeof request.body === 'string' || request.body instanceof Uint8Array
    bytes = Buffer.from(raw ? (request.body as string) : JSON.stringify(request.body))
    headers['content-length'] ??= String(bytes.length)
    if (!raw) headers['content-type'] ??= 'application/json'
  }
  const source = new Readable({
    read() {
      if (bytes.length > 0) this.push(bytes)
      this.push(null)
    },
  })
  return Object.assign(source, {
    method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
    url: request.url,
    headers,
    socket: { remoteAddress: request.address ?? '127.0.0.1' },
  })
}

/**
 * Runs a request through the request pipeline without a network connection, and returns the reply with its final
 * headers.
 * @param generation schema that serves the request
 */
export async function inject(
  pipeline: Pipeline,
  generation: Generation,
  { maxBodyBytes, cacheability }: { readonly maxBodyBytes: number; readonly cacheability: Cacheability },
  request: InjectRequest,
): Promise<InjectResponse> {
  const ctx = new HttpContext(toSource(request), generation, maxBodyBytes)
  const reply: Reply = await pipeline(ctx)
  const headers: Record<string, string | string[]> = {}
  const list = headerList(reply, ctx, cacheability)
  for (let i = 0; i < list.length; i += 2) {
    const name = String(list[i])
    const value = String(list[i + 1])
    const before = headers[name]
    headers[name] = before === undefined ? value : [before, value].flat()
  }
  const { body } = reply
  const bytes = await bytesOf(body)
  const text = bytes.toString()
  return { status: reply.status, headers, text, bytes, json: () => JSON.parse(text) }
}

async function bytesOf(body: Reply['body']): Promise<Buffer> {
  if (body === null) return Buffer.alloc(0)
  if (typeof body === 'string' || body instanceof WrappedText) return Buffer.from(body.toString())
  return body instanceof Uint8Array ? Buffer.from(body) : buffer(body)
}
