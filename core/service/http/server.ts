import { createServer as createHttpServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { SvcError } from '../../base/errors/svc-error.ts'
import { isPromise } from '../../base/util/promise.ts'
import type { Generation } from '../../contract/generation.ts'
import type { ToPublicError } from '../../contract/public-error.ts'
import type { Reply } from '../../contract/reply.ts'
import { overdueError } from '../lifecycle/overdue.ts'
import { type Cacheability, UNKNOWN_CALLERS } from './cacheability.ts'
import { answerClientError, MAX_HEADER_BYTES } from './client-error.ts'
import { closeServer } from './close-server.ts'
import { createDeadlines, type Deadlines } from './deadlines.ts'
import { HttpContext, type RequestSource } from './http-context.ts'
import type { Pipeline } from './pipeline.ts'
import { renderError } from './render-error.ts'
import { MAX_URL_BYTES } from './request-target.ts'
import type { TlsMaterial } from './tls.ts'
import { dropReply, isSent, untilSent } from './until-sent.ts'
import type { UpgradePipeline } from './upgrade-pipeline.ts'
import { createUpgrades } from './upgrades.ts'
import { writeReply } from './write-reply.ts'

export interface ServerSettings {
  readonly host: string
  readonly port: number
  /** Time limit of a request in milliseconds; 0: none. */
  readonly requestTimeoutMs: number
  /** Milliseconds for reading a request or handshake if `requestTimeoutMs` is 0. Default 5 minutes. */
  readonly readTimeoutMs?: number
  readonly keepAliveMs: number
  readonly maxBodyBytes: number
  readonly shutdownGraceMs: number
  readonly shutdownTimeoutMs: number
  readonly maxUpgradedConnections: number
  readonly tls: TlsMaterial | null
}

export interface ServerParts {
  readonly pipeline: Pipeline
  readonly generation: () => Generation
  readonly toPublicError: ToPublicError
  /** Creates the reply to a request whose hook or handler exceeded the time limit, in the format of its route. */
  readonly failOverdue: (ctx: HttpContext, error: unknown) => Reply
  /** Runs upgrade requests; `null`: no plugin handles upgrades, and Node ignores the header `Upgrade`. */
  readonly upgrades: UpgradePipeline | null
  /** Computes `Cache-Control` and `Vary`. Default: as for a service whose plugins declare no credentials. */
  readonly cacheability?: Cacheability
}

export interface HttpServer {
  /** Opens the port, or throws SVC_LISTEN_FAILED. @returns the URL, with the actual port if the configured one is 0 */
  listen(): Promise<string>
  /** Uses a certificate for new connections. Open connections keep theirs. */
  renewTls(material: TlsMaterial): void
  /** Stops after the grace period: closes the listener, and waits up to `shutdownTimeoutMs` for requests in flight. */
  close(): Promise<void>
  /** Handles a request without a socket (tests, embedding). */
  readonly handle: (source: RequestSource, response: ServerResponse) => void
}

const NET_MS = 5000
const DEFAULT_READ_MS = 300_000

const tooLong = () => new SvcError('URI_TOO_LONG', `The URL is longer than ${MAX_URL_BYTES} bytes.`)

/**
 * The contexts of the requests in flight on one connection, usually one. It is an array: a Set allocates a new table every few requests,
 * and each old table refers to the next one. Once one of them is in the old generation of the heap, the garbage collector keeps the whole
 * chain and the contexts in it.
 */
const kInFlight = Symbol('svc.inFlight')
type TrackedSocket = Socket & { [kInFlight]?: HttpContext[] }

function trackSocket(socket: TrackedSocket): void {
  const inFlight: HttpContext[] = []
  socket[kInFlight] = inFlight
  socket.once('close', () => {
    for (const ctx of inFlight.splice(0)) ctx.abort('client')
  })
}

/** Closes the connection of a reply that failed and cannot be sent as an error either. Other requests are not affected. */
function lose(response: ServerResponse, error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
  response.destroy()
}

function remove(inFlight: HttpContext[], ctx: HttpContext): void {
  const at = inFlight.indexOf(ctx)
  const last = inFlight.pop()
  if (last !== undefined && at !== -1 && at < inFlight.length) inFlight[at] = last
}

/**
 * Creates the HTTP or HTTPS server. It runs the pipeline for each request, enforces its deadline, and writes the reply.
 */
export function createServer(
  {
    pipeline,
    generation,
    toPublicError,
    failOverdue,
    upgrades: upgradePipeline,
    cacheability = UNKNOWN_CALLERS,
  }: ServerParts,
  settings: ServerSettings,
): HttpServer {
  const deadlines: Deadlines = createDeadlines(settings.requestTimeoutMs)
  const toReadMs = settings.requestTimeoutMs || (settings.readTimeoutMs ?? DEFAULT_READ_MS)
  // The deadline of a request covers reading head and body. The time limits of Node are longer, as a second safeguard.
  const netMs = NET_MS + toReadMs
  const open = new Set<Socket>()
  let draining = false

  function keepOpen(socket: Socket): void {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }

  function answerOverdue(ctx: HttpContext): void {
    ctx.send?.(failOverdue(ctx, overdueError()))
  }

  /** Handles a request. It never throws: the caller is Node's server, where an error would end the process. */
  function handle(source: RequestSource, response: ServerResponse): void {
    try {
      serve(source, response)
    } catch (error) {
      lose(response, error)
    }
  }

  function serve(source: RequestSource, response: ServerResponse): void {
    const ctx = new HttpContext(source, generation(), settings.maxBodyBytes)
    const inFlight = (source.socket as TrackedSocket | null)?.[kInFlight]
    inFlight?.push(ctx)
    deadlines.add(ctx)

    const end = (): void => {
      deadlines.remove(ctx)
      if (inFlight !== undefined) remove(inFlight, ctx)
    }
    const send = (reply: Reply): void => {
      if (ctx.send === null) {
        // The error at the deadline was the reply.
        if (reply.body instanceof Readable) reply.body.destroy()
        return
      }
      ctx.send = null
      ctx.onOverdue = null
      if (response.destroyed || (ctx.aborted && reply.body instanceof Readable)) {
        end()
        dropReply(response, reply)
        return
      }
      try {
        writeReply(response, reply, ctx, cacheability, draining)
      } catch (error) {
        // For example a header that HTTP does not allow. Only this reply is lost.
        process.emitWarning(error as Error)
        dropReply(response, reply)
      }
      if (isSent(response)) end()
      else untilSent(response, reply, ctx, end)
    }
    ctx.send = send
    const reply = ctx.url.length > MAX_URL_BYTES ? renderError(toPublicError(tooLong(), ctx)) : pipeline(ctx)
    if (!isPromise(reply)) send(reply)
    else {
      ctx.onOverdue = answerOverdue
      reply.then(send, (error) => {
        end()
        lose(response, error)
      })
    }
  }

  const options = {
    keepAliveTimeout: settings.keepAliveMs,
    headersTimeout: netMs,
    requestTimeout: netMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    noDelay: true,
    // By default Node silently drops repeated headers such as `Host`, credentials and content type.
    joinDuplicateHeaders: true,
  }
  const server: Server =
    settings.tls === null
      ? createHttpServer(options, handle)
      : createHttpsServer({ ...options, ...settings.tls }, handle)
  server.on(settings.tls === null ? 'connection' : 'secureConnection', trackSocket)
  server.on('connection', keepOpen)
  // The handshake is read from the TCP connection below, so both are tracked.
  if (settings.tls !== null) server.on('secureConnection', keepOpen)
  const handshakes = settings.requestTimeoutMs > 0 ? deadlines : createDeadlines(toReadMs)
  const upgrades =
    upgradePipeline === null
      ? null
      : createUpgrades({
          pipeline: upgradePipeline,
          generation,
          toPublicError,
          cacheability,
          // Handshakes have a deadline even when requests have none (`requestTimeoutMs: 0`).
          deadlines: handshakes,
          readMs: netMs,
          maxConnections: settings.maxUpgradedConnections,
          isDraining: () => draining,
          handle,
        })
  if (upgrades !== null) server.on('upgrade', upgrades.accept)
  server.on('clientError', (error, socket) => answerClientError(error, socket as Socket, toPublicError))

  return {
    handle,
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(cause, settings)))
        server.listen(settings.port, settings.host, () => {
          const { port, family, address } = server.address() as AddressInfo
          const host = family === 'IPv6' ? `[${address}]` : address
          resolve(`${settings.tls === null ? 'http' : 'https'}://${host}:${port}`)
        })
      }),
    renewTls(material) {
      if (server instanceof HttpsServer) server.setSecureContext({ ...material })
    },
    async close() {
      draining = true
      if (server.listening) {
        await new Promise((done) => setTimeout(done, settings.shutdownGraceMs))
        await closeServer(server, open, settings.shutdownTimeoutMs, () => upgrades?.cut())
      }
      deadlines.close()
      handshakes.close()
    },
  }
}

function listenError(cause: NodeJS.ErrnoException, { host, port }: ServerSettings): SvcError {
  const reason =
    cause.code === 'EADDRINUSE'
      ? `port ${port} is already in use; stop the other process or choose another port (--port, SVC_SERVER__PORT, server.port)`
      : cause.code === 'EACCES'
        ? `the system does not let this user bind port ${port}; choose one above 1023`
        : cause.message
  return new SvcError('SVC_LISTEN_FAILED', `The server cannot listen on ${host}:${port}: ${reason}.`, { cause })
}
