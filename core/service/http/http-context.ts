import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { Auth } from '../../contract/exchange.ts'
import type { Generation } from '../../contract/generation.ts'
import type { HttpExchange, MatchedRoute } from '../../contract/http-exchange.ts'
import type { Reply } from '../../contract/reply.ts'
import { AbortSource } from '../lifecycle/abort-source.ts'
import { OVERDUE_MS } from '../lifecycle/overdue.ts'
import type { DeadlineEntry } from './deadlines.ts'
import { checkRequest, readTarget } from './request-target.ts'

/**
 * The members of Node's `IncomingMessage` that {@link HttpContext} reads, so that `inject` can pass requests without a
 * network connection.
 */
export interface RequestSource extends Readable {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined }
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})
/** A well-formed `X-Request-Id`: at most 128 token characters (RFC 9110, section 5.6.2). Only such an id is echoed. */
const REQUEST_ID = /^[\w!#$%&'*+.^`|~-]{1,128}$/

/**
 * The {@link HttpExchange} of an HTTP request, with the members that the server needs to send its reply. Values that
 * are rarely needed are computed when they are first read.
 */
export class HttpContext extends AbortSource implements HttpExchange, DeadlineEntry {
  readonly transport = 'http' as const
  readonly generation: Generation
  readonly headers: IncomingHttpHeaders
  readonly method: string
  readonly url: string
  readonly pathname: string
  readonly queryString: string
  /** The error of a malformed request line or `Host` header. The request is refused before any route or hook runs. */
  readonly fault: SvcError | null
  route: MatchedRoute | null = null
  params: Readonly<Record<string, string | undefined>> = NO_PARAMS
  replyHeaders: Record<string, string> | null = null
  auth: Auth | null = null
  isPrivate = false

  /** Sends the reply; set by the server. */
  send: ((reply: Reply) => void) | null = null
  /** Called shortly after the deadline of a request without a reply; `null`: the reply was sent, or there is no server. */
  onOverdue: ((ctx: HttpContext) => void) | null = null

  deadline = 0
  previousDeadline: DeadlineEntry | null = null
  nextDeadline: DeadlineEntry | null = null

  readonly #source: RequestSource
  readonly #maxBodyBytes: number
  #id: string | null = null
  #context: Record<string, unknown> | null = null
  #body: Promise<Buffer> | null = null

  constructor(source: RequestSource, generation: Generation, maxBodyBytes: number) {
    super()
    this.#source = source
    this.#maxBodyBytes = maxBodyBytes
    this.generation = generation
    this.headers = source.headers
    this.method = source.method ?? 'GET'
    const raw = source.url ?? '/'
    const target = readTarget(raw)
    this.fault = checkRequest(target, source.headers)
    this.url = target?.url ?? raw
    this.pathname = target?.pathname ?? raw
    this.queryString = target?.queryString ?? ''
    // The host of an absolute request target overrides the `Host` header (RFC 9112, 3.2.2).
    if (target !== null && target.authority !== null) this.headers.host = target.authority
  }

  get id(): string {
    if (this.#id === null) {
      const given = this.headers['x-request-id']
      this.#id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    }
    return this.#id
  }

  get address(): string {
    return this.#source.socket.remoteAddress ?? ''
  }

  get context(): Record<string, unknown> {
    this.#context ??= {}
    return this.#context
  }

  set context(value: Record<string, unknown>) {
    this.#context = value
  }

  keepPrivate(): void {
    this.isPrivate = true
  }

  readBody(): Promise<Buffer> {
    this.#body ??=
      refuseEncoded(this.headers) ?? readBody(this.#source, this.headers['content-length'], this.#maxBodyBytes)
    return this.#body
  }

  /** Has the whole body been read? If not, the connection cannot be used again. */
  get bodyConsumed(): boolean {
    return (
      this.#source.readableEnded ||
      ((this.headers['content-length'] ?? '0') === '0' && this.headers['transfer-encoding'] === undefined)
    )
  }

  override expire(): boolean {
    if (!super.expire()) return false
    // No statement runs while the body is read. Only the read fails, so that the client still gets a reply.
    if (this.#body !== null && !this.#source.readableEnded) {
      this.#source.emit(
        'error',
        new SvcError('REQUEST_TIMEOUT', 'The request did not arrive within server.request_timeout_ms.'),
      )
    }
    if (this.onOverdue !== null) setTimeout(() => this.onOverdue?.(this), OVERDUE_MS).unref()
    return true
  }
}

function tooLarge(limit: number): SvcError {
  return new SvcError('PAYLOAD_TOO_LARGE', `The request body is larger than ${limit} bytes (server.max_body_bytes).`, {
    details: { limit },
  })
}

/**
 * Rejects a request body with `Content-Encoding`, because its decompressed size is unknown.
 * @returns a promise that rejects with UNSUPPORTED_MEDIA_TYPE; `null`: the body is not compressed
 */
export function refuseEncoded({ 'content-encoding': encoding }: IncomingHttpHeaders): Promise<never> | null {
  if (encoding === undefined || encoding === '' || /^identity$/i.test(encoding)) return null
  const message = 'The body has a content-encoding; send it plain, without the header Content-Encoding.'
  // Sent as `Accept-Encoding` of the reply (RFC 9110, 15.5.16).
  const details = { acceptEncoding: 'identity' }
  return Promise.reject(new SvcError('UNSUPPORTED_MEDIA_TYPE', message, { details }))
}

function clientGone(cause?: unknown): SvcError {
  return new SvcError('REQUEST_ERROR', 'The connection closed before the whole body arrived.', {
    details: { abortedBy: 'client' },
    cause,
  })
}

const kReading = Symbol('svc.reading')

/** A body that is being read. It is a property of its stream, so that all streams share the same listeners. */
interface Reading {
  readonly limit: number
  readonly resolve: (body: Buffer) => void
  readonly reject: (error: unknown) => void
  /** The first chunk. Most bodies have only one, so that the list is created for the second one. */
  first: Buffer | null
  rest: Buffer[] | null
  size: number
}

type ReadStream = Readable & { [kReading]?: Reading }

/**
 * Reads a request body of at most `limit` bytes.
 * @param declared value of `Content-Length`, if the client sent one
 * @throws SvcError PAYLOAD_TOO_LARGE, before reading when the declared length exceeds the limit
 */
export function readBody(source: Readable, declared: string | undefined, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (declared !== undefined && Number(declared) > limit) {
      reject(tooLarge(limit))
      return
    }
    const stream: ReadStream = source
    stream[kReading] = { limit, resolve, reject, first: null, rest: null, size: 0 }
    stream.on('data', onData)
    stream.on('end', onEnd)
    stream.on('error', onError)
    stream.on('close', onClose)
  })
}

function onData(this: ReadStream, chunk: Buffer): void {
  const reading = this[kReading]!
  reading.size += chunk.length
  if (reading.size > reading.limit) {
    this.removeAllListeners('data')
    this.pause()
    reading.reject(tooLarge(reading.limit))
  } else if (reading.first === null) reading.first = chunk
  else if (reading.rest === null) reading.rest = [reading.first, chunk]
  else reading.rest.push(chunk)
}

function onEnd(this: ReadStream): void {
  const { first, rest, resolve } = this[kReading]!
  resolve(rest === null ? (first ?? Buffer.alloc(0)) : Buffer.concat(rest))
}

function onError(this: ReadStream, error: unknown): void {
  // For a broken connection, Node emits its own error.
  this[kReading]!.reject(error instanceof SvcError ? error : clientGone(error))
}

function onClose(this: ReadStream): void {
  if (!this.readableEnded) {
    this[kReading]!.reject(clientGone())
  }
}
