import { pipeline, type Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import {
  definePlugin,
  type HttpExchange,
  isPromise,
  pageSource,
  type Reply,
  WrappedText,
} from '../../core/doors/plugin.ts'
import manifest from './manifest.ts'
import type { CompressionOptions, Encoding } from './options.ts'

/** Size of long replies. Node has few threads for compression, and at most two of them compress long replies. */
const LONG_BYTES = 262_144
const MOST_LONG = 2

/** Compressible content types. Event streams are not: events are sent one by one, and compress badly. */
const TEXT =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)|application\/x-ndjson|image\/svg\+xml)/i

/** The plugin that compresses HTTP replies of at least `min_bytes` bytes, of any API (docs/plugins/compression.md). */
export default definePlugin<CompressionOptions>(manifest, (scope, { min_bytes: minBytes, encodings }) => {
  const choose = createChooser(encodings)
  let longOnes = 0

  function finish(encoding: Encoding | null, reply: Reply): Reply | Promise<Reply> {
    const { body, headers, status } = reply
    // A cache that revalidates its copy needs the same `Vary` again (RFC 9110, section 15.4.5).
    if (status === 304) return varying(reply, headers)
    if (body === null || !TEXT.test(String(headers['content-type'] ?? '')) || headers['content-encoding'] !== undefined)
      return reply
    if (isStream(body)) return encoding === null ? varying(reply, headers) : compressStream(reply, body, encoding)
    if (body.length < minBytes) return reply
    if (encoding === null) return varying(reply, headers)
    if (body.length < LONG_BYTES) return compressWhole(reply, body, encoding)
    // A queue would keep copies of long replies in memory, also for clients that have disconnected.
    if (longOnes >= MOST_LONG) return varying(reply, headers)
    longOnes++
    return compressWhole(reply, body, encoding).finally(() => longOnes--)
  }

  scope.on(
    'onRequest',
    (ctx, next) => {
      if (ctx.transport !== 'http') return next()
      const accepted = ctx.headers['accept-encoding']
      // Caches do not store replies to POST, so `Vary` is not needed.
      if (accepted === undefined && ctx.method === 'POST') return next()
      const encoding = typeof accepted !== 'string' || isForced(ctx) ? null : choose(accepted)
      const reply = next()
      return isPromise(reply) ? reply.then((settled) => finish(encoding, settled)) : finish(encoding, reply)
    },
    { position: 'guard' },
  )
})

const NO_OTHERS = { trusted: new Set<string>() }

type Bytes = Exclude<Reply['body'], null | Readable>

function isStream(body: Exclude<Reply['body'], null>): body is Readable {
  return typeof body !== 'string' && !(body instanceof Uint8Array) && !(body instanceof WrappedText)
}

/**
 * Can a page of another site have sent the request, with the cookies of the user? Such a page could guess the content of a compressed reply
 * from its length (BREACH).
 */
function isForced(ctx: HttpExchange): boolean {
  return ctx.headers.cookie !== undefined && pageSource(ctx, NO_OTHERS) !== 'own'
}

async function compressWhole(reply: Reply, body: Bytes, encoding: Encoding): Promise<Reply> {
  return encoded(reply, encoding, Buffer.from(await ENCODERS[encoding].whole(bytesOf(body))))
}

function compressStream(reply: Reply, body: Readable, encoding: Encoding): Reply {
  // An error closes the connection, as without compression: encoder and source are destroyed together.
  const stream = pipeline(body, ENCODERS[encoding].stream(), () => {})
  return encoded(reply, encoding, stream)
}

function bytesOf(body: Bytes): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body)
  if (!(body instanceof WrappedText)) return body
  return Buffer.concat([
    Buffer.from(body.before),
    body.text.read((bytes) => Buffer.from(bytes)),
    Buffer.from(body.after),
  ])
}

function encoded(reply: Reply, encoding: Encoding, body: Buffer | Readable): Reply {
  const { etag } = reply.headers
  const headers: Record<string, string | readonly string[]> = { ...reply.headers, 'content-encoding': encoding }
  // A compressed body has other bytes, so the ETag becomes weak.
  if (typeof etag === 'string' && !etag.startsWith('W/')) headers.etag = `W/${etag}`
  return { ...varying(reply, headers), body }
}

/** Adds `Vary: Accept-Encoding`. */
function varying(reply: Reply, headers: Reply['headers']): Reply {
  const { vary } = headers
  if (vary === '*') return { ...reply, headers }
  return {
    ...reply,
    headers: { ...headers, vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding` },
  }
}

/** Brotli at a quality that is about as fast as gzip, with smaller results. The default quality 11 takes a hundred times as long. */
const BROTLI: NonNullable<BrotliOptions['params']> = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  // A window of 512 KiB, to limit the memory of concurrent streams.
  [constants.BROTLI_PARAM_LGWIN]: 19,
}

interface Encoder {
  /** Compresses a whole body, on a thread of the pool. */
  whole(bytes: Uint8Array): Promise<Uint8Array>
  /** Creates a stream that flushes after each write, because clients wait for single lines. */
  stream(): Transform
}

const gzipWhole = promisify(gzip)
const brotliWhole = promisify<Uint8Array, BrotliOptions, Buffer>(brotliCompress)

const ENCODERS: Readonly<Record<Encoding, Encoder>> = {
  br: {
    whole: (bytes) =>
      brotliWhole(bytes, { params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength } }),
    stream: () => createBrotliCompress({ params: BROTLI, flush: constants.BROTLI_OPERATION_FLUSH }),
  },
  gzip: {
    whole: (bytes) => gzipWhole(bytes),
    stream: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
  },
}

/** Maximum number of cached headers. Clients send few different ones. */
const MOST_KNOWN = 100
const LONGEST_KNOWN = 200

/** Returns the preferred encoding of a client; `null`: no compression. */
type ChooseEncoding = (acceptEncoding: string) => Encoding | null

/**
 * Creates the function that chooses a content encoding by the `Accept-Encoding` header of a request.
 * @param offered encodings in the server's order of preference, for clients without a preference
 */
export function createChooser(offered: readonly Encoding[]): ChooseEncoding {
  const known = new Map<string, Encoding | null>()
  return (header) => {
    let chosen = known.get(header)
    if (chosen === undefined) {
      chosen = choose(header, offered)
      if (header.length <= LONGEST_KNOWN) {
        if (known.size >= MOST_KNOWN) known.clear()
        known.set(header, chosen)
      }
    }
    return chosen
  }
}

/** Chooses an encoding by `Accept-Encoding` (RFC 9110, 12.5.3). */
function choose(header: string, offered: readonly Encoding[]): Encoding | null {
  const weights = new Map<string, number>()
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((text) => text.startsWith('q='))
    // `x-gzip` is an older name of `gzip`.
    weights.set(name.replace(/^x-/, ''), weight === undefined ? 1 : weightOf(weight.slice(2)))
  }
  const others = weights.get('*') ?? 0
  let best: Encoding | null = null
  let most = 0
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? others
    if (weight > most) {
      best = encoding
      most = weight
    }
  }
  return (weights.get('identity') ?? 0) > most ? null : best
}

/** Reads a weight. An invalid one counts as 0, so that the reply is not compressed, which all clients can read. */
function weightOf(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
