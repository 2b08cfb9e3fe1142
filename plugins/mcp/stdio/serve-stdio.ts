import { type Exchange, type Reply, type Scope, SvcError } from '../../../core/doors/plugin.ts'
import type { McpStreams } from '../api.ts'
import { type Changes, listChanged } from '../changes.ts'
import { readMeta, saysVersion } from '../http/check-headers.ts'
import { acknowledgement, SUBSCRIPTION_KEY, wantedOf } from '../http/listeners.ts'
import { answer, type MethodParts } from '../methods.ts'
import { idOf, type RpcRequest, readMessage } from '../protocol/message.ts'
import { parseMessage } from '../protocol/parse-message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { toRpcError } from '../protocol/to-rpc-error.ts'
import { MODERN_VERSION, negotiate, UNSAID_VERSION } from '../protocol/versions.ts'
import { writeError, writeNotification, writeResult } from '../protocol/write-message.ts'
import { Running } from '../running.ts'
import { readLines } from './line-reader.ts'

export interface StdioParts {
  readonly scope: Pick<Scope, 'pipeline'>
  readonly methods: MethodParts
  readonly changes: Changes
  readonly requireAuth: boolean
  readonly maxLineBytes: number
  /** `subscriptions/listen` that are open at once. */
  readonly mostListeners: number
}

/** Messages that are answered at once; one more waits until one of them is. */
const MOST_RUNNING = 64
const SESSION = 'stdio'

const isListen = ({ method, params }: RpcRequest): boolean => method === 'subscriptions/listen' && saysVersion(params)

/** The protocol over two streams: a message a line. @returns ends it, when what is running is answered */
export function serveStdio(parts: StdioParts, streams: McpStreams): () => Promise<void> {
  const { scope, methods, changes, requireAuth, mostListeners } = parts
  const { input, write, headers, address = '', ended } = streams
  const running = new Running()
  const pending = new Set<Promise<void>>()
  const ends = new Map<string, () => void>()
  let negotiated: string | null = null

  const stopHearing = changes.listen((what) => {
    // A client that began with `initialize` hears of everything; a newer one of what it asks for.
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
    // Nobody waits for what was taken back; who waits for changes is told of them.
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

  /** It has no answer until it ends. @throws RpcError */
  function listen(message: RpcRequest, { aborted }: Exchange): null {
    readMeta(message)
    // It was taken back before anybody knew who asks.
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
