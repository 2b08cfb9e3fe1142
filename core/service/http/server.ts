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
  /** 0 = requests have no limit. */
  readonly requestTimeoutMs: number
  /** How long reading a request, or a handshake, may take where requests have no limit. Default 5 minutes. */
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
  /** Makes the reply for a request whose hook or handler did not finish in time, in the format of its route. */
  readonly failOverdue: (ctx: HttpContext, error: unknown) => Reply
  /** `null` when no plugin handles upgrades; Node then ignores the `Upgrade` header. */
  readonly upgrades: UpgradePipeline | null
  /** Default: that of a service whose plugins declare no credentials. */
  readonly cacheability?: Cacheability
}

export interface HttpServer {
  /** @returns the URL it listens on; port 0 is filled in. @throws SVC_LISTEN_FAILED */
  listen(): Promise<string>
  /** New connections get this certificate; those that are open keep theirs. */
  renewTls(material: TlsMaterial): void
  /** Stops in order: grace, no new connections, requests in flight finish up to the timeout, then the rest is cut. */
  close(): Promise<void>
  /** Serves one request that did not come over a socket (tests, embedding). */
  readonly handle: (source: RequestSource, response: ServerResponse) => void
}

const NET_MS = 5000
const DEFAULT_READ_MS = 300_000

const tooLong = () => new SvcError('URI_TOO_LONG', `The URL is longer than ${MAX_URL_BYTES} bytes.`)

/**
 * The contexts of the requests in flight on one connection; nearly always one. No Set: one makes a new table every few
 * requests, each old one refers to the next, and once one has grown old the whole chain does, with all it held.
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

/** Closes the connection of a reply that failed and cannot be sent as an error either. Other requests go on. */
function lose(response: ServerResponse, error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
  response.destroy()
}

function remove(inFlight: HttpContext[], ctx: HttpContext): void {
  const at = inFlight.indexOf(ctx)
  const last = inFlight.pop()
  if (last !== undefined && at !== -1 && at < inFlight.length) inFlight[at] = last
}

/** The HTTP server: makes a context per request, runs the pipeline, writes the reply. */
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
  // Reading head and body is part of the request's time; Node's own checks are the net below ours.
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

  /** Never throws: it is called by the server, where an error would end the process. */
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
        // It was answered when its time was up.
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
        // A header that HTTP does not allow, for one. This answer is lost; the others are not.
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
    // The second of two is not dropped in silence: of `Host`, of a credential, of a type.
    joinDuplicateHeaders: true,
  }
  const server: Server =
    settings.tls === null
      ? createHttpServer(options, handle)
      : createHttpsServer({ ...options, ...settings.tls }, handle)
  server.on(settings.tls === null ? 'connection' : 'secureConnection', trackSocket)
  server.on('connection', keepOpen)
  // The handshake is read from the one below it.
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
