import { pipeline, type Readable } from 'node:stream'
import {
  definePlugin,
  type HttpExchange,
  isPromise,
  pageSource,
  type Reply,
  WrappedText,
} from '../../core/doors/plugin.ts'
import { createChooser } from './choose-encoding.ts'
import { ENCODERS } from './encoders.ts'
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
