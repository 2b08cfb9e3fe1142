import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { SvcError } from '../../base/errors/svc-error.ts'

function tooLarge(limit: number): SvcError {
  return new SvcError('PAYLOAD_TOO_LARGE', `The request body is larger than ${limit} bytes (server.max_body_bytes).`, {
    details: { limit },
  })
}

/**
 * Refuses a compressed body, since its size after decompression is unknown.
 * @returns a promise that rejects with UNSUPPORTED_MEDIA_TYPE; `null` when the body is not compressed
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
