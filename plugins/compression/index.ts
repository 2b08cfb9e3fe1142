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

/** Threads that Node compresses on are few. Two answers of this size and more may have one each; the others are for short ones. */
const LONG_BYTES = 262_144
const MOST_LONG = 2

/** Events go out one by one, and hardly get shorter. */
const TEXT =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)|application\/x-ndjson|image\/svg\+xml)/i

/** Compresses replies of `min_bytes` or more, of all fronts over HTTP (docs/plugins/compression.md). */
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
    // Who waited here would keep a copy of it meanwhile, and go on waiting for one that went away.
    if (longOnes >= MOST_LONG) return varying(reply, headers)
    longOnes++
    return compressWhole(reply, body, encoding).finally(() => longOnes--)
  }

  scope.on(
    'onRequest',
    (ctx, next) => {
      if (ctx.transport !== 'http') return next()
      const accepted = ctx.headers['accept-encoding']
      // Nobody keeps the answer to a POST.
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
 * May a page of another site have sent it, with the user's cookies? The length of what is compressed tells such a page, guess by
 * guess, what stands in it (BREACH).
 */
function isForced(ctx: HttpExchange): boolean {
  return ctx.headers.cookie !== undefined && pageSource(ctx, NO_OTHERS) !== 'own'
}

async function compressWhole(reply: Reply, body: Bytes, encoding: Encoding): Promise<Reply> {
  return encoded(reply, encoding, Buffer.from(await ENCODERS[encoding].whole(bytesOf(body))))
}

function compressStream(reply: Reply, body: Readable, encoding: Encoding): Reply {
  // What fails breaks the connection, as it does without it: the encoder is destroyed with its source, and the other way round.
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
  // The same in other bytes.
  if (typeof etag === 'string' && !etag.startsWith('W/')) headers.etag = `W/${etag}`
  return { ...varying(reply, headers), body }
}

/** The answer is another one to who accepts other encodings. */
function varying(reply: Reply, headers: Reply['headers']): Reply {
  const { vary } = headers
  if (vary === '*') return { ...reply, headers }
  return {
    ...reply,
    headers: { ...headers, vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding` },
  }
}

/** About as quick as gzip, and smaller; the default of 11 takes a hundred times as long. */
const BROTLI: NonNullable<BrotliOptions['params']> = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  // 512 KiB to look back on, for as many streams as there are.
  [constants.BROTLI_PARAM_LGWIN]: 19,
}

interface Encoder {
  /** On a thread of its own. */
  whole(bytes: Uint8Array): Promise<Uint8Array>
  /** What is written comes out at once: a client waits for lines. */
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

/** Headers that are remembered: clients send few. */
const MOST_KNOWN = 100
const LONGEST_KNOWN = 200

/** Gives what a client wants best of what there is; `null`: as it is. */
type ChooseEncoding = (acceptEncoding: string) => Encoding | null

/** @param offered the best first: of what a client wants as much, the first is taken */
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

/** RFC 9110, 12.5.3. */
function choose(header: string, offered: readonly Encoding[]): Encoding | null {
  const weights = new Map<string, number>()
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((text) => text.startsWith('q='))
    // `x-gzip` is the same, by an older name.
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

/** What is no weight is none: then it is sent as it is, which everybody reads. */
function weightOf(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
