import { type IncomingMessage, ServerResponse } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import { SvcError } from '../../base/errors/svc-error.ts'
import { isPromise } from '../../base/util/promise.ts'
import type { Generation } from '../../contract/generation.ts'
import type { ToPublicError } from '../../contract/public-error.ts'
import type { Reply } from '../../contract/reply.ts'
import type { Cacheability } from './cacheability.ts'
import type { Deadlines } from './deadlines.ts'
import type { RequestSource } from './http-context.ts'
import { renderError } from './render-error.ts'
import { tooLate, UpgradeContext } from './upgrade-context.ts'
import type { UpgradePipeline } from './upgrade-pipeline.ts'
import { writeReply } from './write-reply.ts'

export interface UpgradesParts {
  readonly pipeline: UpgradePipeline
  readonly generation: () => Generation
  readonly toPublicError: ToPublicError
  readonly cacheability: Cacheability
  /** Timer for the deadlines of handshakes. */
  readonly deadlines: Deadlines
  /**
   * Maximum time in milliseconds for reading the body of a request whose `Upgrade` header svc ignores. Node has handed
   * over the connection of such a request and applies no limit.
   */
  readonly readMs: number
  /** Maximum number of upgraded connections (`server.max_upgraded_connections`). */
  readonly maxConnections: number
  readonly isDraining: () => boolean
  /** Handles a request whose `Upgrade` header no plugin handles, as if it had no such header (RFC 9110, 7.8). */
  readonly handle: (source: RequestSource, response: ServerResponse) => void
}

export interface Upgrades {
  /** Listener for the `upgrade` event of Node's HTTP server. */
  readonly accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Destroys all upgraded connections that are still open. */
  cut(): void
}

/**
 * Creates the object that handles requests with an `Upgrade` header, such as WebSocket handshakes, until their
 * connections close.
 */
export function createUpgrades(parts: UpgradesParts): Upgrades {
  const { pipeline, generation, toPublicError, cacheability, deadlines } = parts
  const open = new Set<UpgradeContext>()
  /**
   * Connections whose `Upgrade` header is ignored. Node has handed them over, so that neither its time limits nor
   * `server.close()` apply to them.
   */
  const ignored = new Set<Duplex>()

  function onTake(ctx: UpgradeContext): void {
    deadlines.remove(ctx)
    // When the client of an upgraded connection ends its side, the connection closes.
    ctx.socket.allowHalfOpen = false
  }

  function answer(ctx: UpgradeContext, reply: Reply): void {
    deadlines.remove(ctx)
    if (ctx.answer()) write(ctx, reply, cacheability)
  }

  function refuse(ctx: UpgradeContext, error: unknown): void {
    answer(ctx, renderError(toPublicError(error, ctx)))
  }

  function settle(ctx: UpgradeContext, reply: Reply): void {
    if (!ctx.isTaken) {
      // Status 101 is only allowed after a handler has taken the connection.
      if (reply.status === 101) refuse(ctx, new TypeError('A hook of onRequest answered 101 and took no connection.'))
      else answer(ctx, reply)
    } else if (reply.status !== 101) ctx.socket.destroy()
  }

  /** Handles an upgrade request. It never throws: the caller is Node's server, where an error would end the process. */
  function accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node removed its own listeners, and an `error` event without a listener would end the process. A client that
    // disconnects is no fault of the service, so that the event is ignored.
    socket.on('error', () => {})
    try {
      begin(request, socket, head)
    } catch (error) {
      lose(socket, error)
    }
  }

  function begin(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ctx = new UpgradeContext(request, socket, head, generation(), onTake)
    if (parts.isDraining() || open.size + ignored.size >= parts.maxConnections) {
      const why = parts.isDraining()
        ? 'The process is stopping.'
        : 'There are as many upgraded connections as it takes.'
      refuse(ctx, new SvcError('SERVICE_UNAVAILABLE', why, { retryAfter: 1 }))
      return
    }
    if (!pipeline.has(ctx)) {
      ignored.add(socket)
      socket.once('close', () => ignored.delete(socket))
      ignoreUpgrade(request, socket, head)
      return
    }
    open.add(ctx)
    deadlines.add(ctx)
    ctx.addAbortListener(() => {
      if (ctx.abortReason === 'timeout') refuse(ctx, tooLate())
    })
    socket.once('close', () => {
      open.delete(ctx)
      deadlines.remove(ctx)
      ctx.abort('client')
    })
    const reply = pipeline.run(ctx)
    if (isPromise(reply)) reply.then((settled) => settle(ctx, settled)).catch((error: unknown) => lose(socket, error))
    else settle(ctx, reply)
  }

  /** Some clients send `Upgrade: h2c` with every request. A request that no plugin upgrades is answered as usual. */
  function ignoreUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const response = createResponse(request, socket)
    const { method, url, headers } = request
    const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.NaN
    const body = readFrom(socket, head, Number.isNaN(length) ? 0 : length, parts.readMs)
    const source = Object.assign(body, { method, url, headers, socket: request.socket })
    if (Number.isNaN(length)) {
      const ctx = new UpgradeContext(request, socket, head, generation(), onTake)
      const message = 'A request that asks for an upgrade needs a content-length; send it without `Upgrade`.'
      const refusal = renderError(toPublicError(new SvcError('REQUEST_ERROR', message), ctx))
      writeReply(response, refusal, ctx, cacheability, true)
    } else parts.handle(source, response)
  }

  return {
    accept,
    cut() {
      for (const ctx of open) {
        ctx.abort('client')
        ctx.socket.destroy()
      }
      for (const socket of ignored) socket.destroy()
    },
  }
}

/** Closes the connection of a handshake that failed and cannot be answered with an error either. */
function lose(socket: Duplex, error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
  socket.destroy()
}

/** Writes the last reply on this connection. */
function write(ctx: UpgradeContext, reply: Reply, cacheability: Cacheability): void {
  if (ctx.socket.destroyed) {
    if (reply.body instanceof Readable) reply.body.destroy()
    return
  }
  try {
    writeReply(createResponse(ctx.request, ctx.socket), reply, ctx, cacheability, true)
  } catch (error) {
    // For example a header that HTTP does not allow.
    process.emitWarning(error as Error)
    ctx.socket.destroy()
  }
}

function createResponse(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket as never)
  response.once('finish', () => {
    response.detachSocket(socket as never)
    socket.end(() => socket.destroy())
  })
  return response
}

/** Returns the body of a request that Node's parser has released. It reads at most `length` bytes, within the time limit. */
function readFrom(socket: Duplex, head: Buffer, length: number, withinMs: number): Readable {
  let left = length
  let isReading = false
  const body = new Readable({
    read() {
      if (isReading) return
      isReading = true
      take(head)
      if (left > 0) socket.on('data', take)
    },
  })
  const take = (chunk: Buffer): void => {
    const part = chunk.subarray(0, left)
    left -= part.length
    if (part.length > 0) body.push(part)
    if (left > 0) return
    clearTimeout(timer)
    socket.removeListener('data', take)
    body.push(null)
  }
  const timer = left > 0 ? setTimeout(() => socket.destroy(), withinMs).unref() : undefined
  socket.once('close', () => {
    clearTimeout(timer)
    if (left > 0) body.destroy()
  })
  return body
}
