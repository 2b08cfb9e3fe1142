import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { type Exchange, type Reply, type Scope, SvcError } from '../../../core/doors/plugin.ts'
import { readMeta, saysVersion } from '../http/check-headers.ts'
import { acknowledgement, SUBSCRIPTION_KEY, wantedOf } from '../http/listeners.ts'
import { answer, type MethodParts } from '../methods/methods.ts'
import { type Changes, listChanged } from '../protocol/changes.ts'
import { idOf, type RpcRequest, readMessage } from '../protocol/message.ts'
import { parseMessage } from '../protocol/parse-message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { Running } from '../protocol/running.ts'
import { toRpcError } from '../protocol/to-rpc-error.ts'
import { MODERN_VERSION, negotiate, UNSAID_VERSION } from '../protocol/versions.ts'
import { writeError, writeNotification, writeResult } from '../protocol/write-message.ts'

/** A pair of streams to an MCP client, with one JSON message per line. */
export interface McpStreams {
  readonly input: Readable
  /** Writes a message to the client. The line must not contain a line break. */
  readonly write: (line: string) => void
  /** Headers that apply to all messages, by lower-case name. They contain the client's credential. */
  readonly headers: Exchange['headers']
  /** Network address of the client; absent: unknown. */
  readonly address?: string
  /** Called when the client has closed its side of the streams. */
  readonly ended: () => void
}

/** Serves MCP to one client over a pair of streams. @returns a function that answers open requests and then stops */
export type ServeStreams = (streams: McpStreams) => () => Promise<void>

export interface StdioParts {
  readonly scope: Pick<Scope, 'pipeline'>
  readonly methods: MethodParts
  readonly changes: Changes
  readonly requireAuth: boolean
  readonly maxLineBytes: number
  /** Maximum number of open `subscriptions/listen` requests of the client. */
  readonly mostListeners: number
}

/** Maximum number of concurrent requests. Reading pauses at this number. */
const MOST_RUNNING = 64
const SESSION = 'stdio'

const isListen = ({ method, params }: RpcRequest): boolean => method === 'subscriptions/listen' && saysVersion(params)

/**
 * Serves MCP to one client over a pair of streams, with one message per line.
 * @returns a function that answers open requests and then stops
 */
export function serveStdio(parts: StdioParts, streams: McpStreams): () => Promise<void> {
  const { scope, methods, changes, requireAuth, mostListeners } = parts
  const { input, write, headers, address = '', ended } = streams
  const running = new Running()
  const pending = new Set<Promise<void>>()
  const ends = new Map<string, () => void>()
  let negotiated: string | null = null

  const stopHearing = changes.listen((what) => {
    // A client that began with `initialize` receives all notifications; a newer client subscribes to single lists.
    if (negotiated !== null) write(writeNotification(listChanged(what), {}))
  })

  async function respond(message: RpcRequest): Promise<void> {
    const stop = new AbortController()
    const done = running.start(SESSION, message.id, () => stop.abort())
    const failed = (ctx: Exchange, thrown: unknown): Reply => ({
      status: 400,
      headers: {},
      body: writeError(message.id, toRpcError(thrown, methods.toPublicError, ctx).error),
    })
    let reply: Reply
    try {
      reply = await scope.pipeline.enter(
        { transport: 'stdio', headers, address, signal: stop.signal, renderError: failed },
        async (exchange): Promise<Reply> => {
          if (requireAuth && exchange.auth === null) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
          const body = isListen(message) ? listen(message, exchange) : await result(message, exchange)
          return { status: 200, headers: {}, body }
        },
      )
    } finally {
      done()
    }
    // A cancelled request has no response. `subscriptions/listen` has a null body: it has no response until it ends.
    if (!stop.signal.aborted && typeof reply.body === 'string') write(reply.body)
  }

  async function result(message: RpcRequest, exchange: Exchange): Promise<string> {
    const modern = saysVersion(message.params)
    const capabilities = modern ? readMeta(message) : {}
    if (message.method === 'initialize' && !modern) negotiated = negotiate(message.params.protocolVersion)
    const version = modern ? MODERN_VERSION : (negotiated ?? UNSAID_VERSION)
    const notify = (method: string, params: unknown): void => write(writeNotification(method, params))
    return writeResult(message.id, await answer(methods, message, { exchange, version, capabilities, notify }))
  }

  /** Subscribes to changes. The request has no response until it ends. @throws RpcError */
  function listen(message: RpcRequest, { aborted }: Exchange): null {
    readMeta(message)
    // The client cancelled the request during authentication.
    if (aborted) return null
    const key = JSON.stringify(message.id)
    if (ends.size >= mostListeners && !ends.has(key))
      throw new RpcError(RPC.invalidRequest, `${mostListeners} requests wait for changes already: cancel one of them.`)
    const tag = { _meta: { [SUBSCRIPTION_KEY]: message.id } }
    const wanted = wantedOf(message)
    write(acknowledgement(wanted, tag))
    const end = changes.listen((what) => {
      if (wanted.includes(what)) write(writeNotification(listChanged(what), tag))
    })
    ends.get(key)?.()
    ends.set(key, end)
    return null
  }

  function cancel(id: unknown): void {
    const key = JSON.stringify(id) ?? ''
    ends.get(key)?.()
    ends.delete(key)
    running.cancel(SESSION, id)
  }

  function take(text: string): void {
    let value: unknown
    try {
      value = parseMessage(text)
      const message = readMessage(value)
      if (message.kind === 'response') return
      if (message.kind === 'notification') {
        if (message.method === 'notifications/cancelled') cancel(message.params.requestId)
        return
      }
      keep(respond(message))
    } catch (thrown) {
      const error = thrown instanceof RpcError ? thrown : new RpcError(RPC.internal, 'The message cannot be read.')
      write(writeError(idOf(value), error))
    }
  }

  function keep(work: Promise<void>): void {
    const kept = work.finally(() => {
      pending.delete(kept)
      if (pending.size < MOST_RUNNING) input.resume()
    })
    pending.add(kept)
    if (pending.size >= MOST_RUNNING) input.pause()
  }

  const stopReading = readLines(input, parts.maxLineBytes, {
    line: take,
    tooLong: () =>
      write(
        writeError(null, new RpcError(RPC.invalidRequest, `A message is longer than ${parts.maxLineBytes} bytes.`)),
      ),
    end: ended,
  })

  return async () => {
    stopReading()
    stopHearing()
    for (const end of ends.values()) end()
    await Promise.all(pending)
  }
}

interface LineListener {
  line(text: string): void
  /** A line exceeds the limit. The rest of it is skipped. */
  tooLong(): void
  end(): void
}

/**
 * Splits a stream into lines, skips empty ones, and reports each to a listener.
 * @param mostBytes maximum length of a line; longer ones are reported as errors
 * @returns a function that stops reading
 */
export function readLines(input: Readable, mostBytes: number, listener: LineListener): () => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let skips = false
  const take = (text: string): void => {
    const line = text.replace(/\r$/, '')
    if (line.trim() !== '') listener.line(line)
  }
  const onData = (chunk: Buffer | string): void => {
    const lines = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (skips) skips = false
      else if (line.length > mostBytes) listener.tooLong()
      else take(line)
    }
    if (rest.length <= mostBytes) return
    if (!skips) listener.tooLong()
    skips = true
    rest = ''
  }
  const onEnd = (): void => {
    if (!skips) take(rest)
    listener.end()
  }
  input.on('data', onData)
  input.once('end', onEnd)
  return () => {
    input.off('data', onData)
    input.off('end', onEnd)
    input.pause()
  }
}
