import { type HttpExchange, type MaybePromise, type Reply, SvcError } from '../../../core/doors/plugin.ts'
import { answer, inputSchemaOf, mayStream } from '../methods/methods.ts'
import type { Client } from '../protocol/client.ts'
import { isObject, type Params, type RpcMessage, type RpcRequest } from '../protocol/message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { toRpcError } from '../protocol/to-rpc-error.ts'
import { MODERN_VERSION, negotiate } from '../protocol/versions.ts'
import { writeError, writeNotification, writeResult } from '../protocol/write-message.ts'
import { checkHeaders, readMeta } from './check-headers.ts'
import type { Era } from './era.ts'
import { EventStream, streamReply } from './event-stream.ts'
import { headerText } from './header-value.ts'
import { type HttpParts, JSON_HEADERS } from './http-parts.ts'

const ACCEPTED: Reply = { status: 202, headers: {}, body: null }
const NO_CAPABILITIES: Params = Object.freeze({})

/** Permitted formats of the HTTP reply to an MCP message. A reply within a batch can only be JSON. */
export interface AnswerForm {
  /** `true` if the reply may be an event stream instead of JSON. */
  readonly streams: boolean
}

const ALONE: AnswerForm = { streams: true }

/**
 * Handles one MCP message over HTTP: a request, a notification or a response.
 * @param era protocol revision and session of the HTTP request
 * @throws RpcError or SvcError to reject the HTTP request
 */
export async function answerMessage(
  parts: HttpParts,
  ctx: HttpExchange,
  message: RpcMessage,
  era: Era,
  form: AnswerForm = ALONE,
): Promise<Reply> {
  if (message.kind === 'response') return { ...ACCEPTED, headers: {} }
  if (message.kind === 'notification') {
    const { method, params } = message
    if (method === 'notifications/cancelled' && era.session !== null) parts.cancel(era.session, params.requestId)
    return { ...ACCEPTED, headers: {} }
  }
  if (era.isModern) {
    checkHeaders(ctx.headers, message)
    const schema = inputSchemaOf(parts.methods, message, ctx)
    if (schema !== null)
      checkParameters(ctx.headers, schema, isObject(message.params.arguments) ? message.params.arguments : {})
    const client = { exchange: ctx, version: MODERN_VERSION, capabilities: readMeta(message) }
    if (message.method === 'subscriptions/listen') return parts.listeners.open(ctx, message, null)
    return answerRequest(parts, ctx, message, client, null, form)
  }
  const client = { exchange: ctx, version: era.version, capabilities: NO_CAPABILITIES }
  if (message.method !== 'initialize') return answerRequest(parts, ctx, message, client, era.session, form)
  const session = parts.sessions.begin(negotiate(message.params.protocolVersion), ctx.auth)
  const reply = await answerRequest(parts, ctx, message, client, null, form)
  return { ...reply, headers: { ...reply.headers, 'mcp-session-id': session } }
}

async function answerRequest(
  parts: HttpParts,
  ctx: HttpExchange,
  message: RpcRequest,
  client: Omit<Client, 'notify'>,
  session: string | null,
  { streams }: AnswerForm,
): Promise<Reply> {
  const { methods, running } = parts
  const done = session === null ? null : running.start(session, message.id, () => ctx.abort('client'))
  if (!streams || !takesStream(ctx) || !mayStream(methods, message, ctx)) {
    try {
      const result = await answer(methods, message, { ...client, notify: null })
      return { status: 200, headers: { ...JSON_HEADERS }, body: writeResult(message.id, result) }
    } finally {
      done?.()
    }
  }
  const stream = new EventStream(done ?? undefined)
  const notify = (method: string, params: unknown): void => stream.say(writeNotification(method, params))
  // The reply has begun, so errors are sent as the last message too.
  void withinTime(ctx, () => answer(methods, message, { ...client, notify }))
    .then((result) => writeResult(message.id, result))
    .catch((thrown: unknown) => writeError(message.id, toRpcError(thrown, methods.toPublicError, ctx).error))
    .then((last) => stream.finish(last))
  return streamReply(stream)
}

function takesStream({ headers: { accept } }: HttpExchange): boolean {
  return typeof accept === 'string' && accept.includes('text/event-stream')
}

interface Mirrored {
  readonly header: string
  readonly path: readonly string[]
}

const found = new WeakMap<object, readonly Mirrored[]>()

/**
 * Compares arguments with the headers that repeat them (`x-mcp-header` in the schema of the tool). Proxies decide by the header, so a
 * header that differs from its argument could bypass them.
 * @throws RpcError −32020
 */
function checkParameters(headers: HttpExchange['headers'], schema: object, values: Params): void {
  for (const { header, path } of mirroredIn(schema)) {
    const given = headers[`mcp-param-${header.toLowerCase()}`]
    const value = path.reduce<unknown>(
      (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      values,
    )
    const isThere = value !== undefined && value !== null
    if (!isThere && given === undefined) continue
    if (!isThere || typeof given !== 'string' || !isSame(headerText(given), value)) {
      const message = `Header mismatch: the header Mcp-Param-${header} is not what "${path.join('.')}" says.`
      throw new RpcError(RPC.headerMismatch, message, { status: 400 })
    }
  }
}

function isSame(text: string | null, value: unknown): boolean {
  if (text === null) return false
  if (typeof value === 'number') return text.trim() !== '' && Number(text) === value
  return text === String(value)
}

function mirroredIn(schema: object): readonly Mirrored[] {
  let mirrored = found.get(schema)
  if (mirrored === undefined) {
    mirrored = [...walk(schema, [])]
    found.set(schema, mirrored)
  }
  return mirrored
}

/** Finds headers in nested `properties`. Other places of a schema have no path from the root. */
function* walk(schema: unknown, path: readonly string[]): Generator<Mirrored> {
  if (!isObject(schema)) return
  const { properties, 'x-mcp-header': header } = schema
  if (typeof header === 'string' && path.length > 0) yield { header, path }
  if (!isObject(properties)) return
  for (const [name, member] of Object.entries(properties)) yield* walk(member, [...path, name])
}

/** Time after the deadline in which a call can end by itself, so that its own error is sent. */
const LATE_MS = 1000

/**
 * Runs a streamed call, and stops waiting for it soon after its deadline.
 * @throws SvcError TIMEOUT; errors of the call
 */
function withinTime<T>(ctx: HttpExchange, call: () => MaybePromise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined
    const end = ctx.onAbort(() => {
      if (ctx.abortReason !== 'timeout') return
      const error = new SvcError('TIMEOUT', 'The call outlived its deadline and did not end.')
      late = setTimeout(() => reject(error), LATE_MS)
    })
    const over = (): void => {
      end()
      clearTimeout(late)
    }
    Promise.resolve().then(call).finally(over).then(resolve, reject)
  })
}
