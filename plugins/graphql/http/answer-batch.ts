import {
  type Exchange,
  type HttpExchange,
  type MaybePromise,
  type Operation,
  type Reply,
  type Result,
  SvcError,
} from '../../../core/doors/plugin.ts'
import type { ResponseType } from './media-types.ts'
import { type GraphQLRequest, readMember } from './read-request.ts'
import { type DescribeAnswer, respond, respondToFailure, type ShowError } from './respond.ts'

export interface BatchParts {
  readonly show: ShowError
  /** @throws SvcError REQUEST_ERROR: the member of the list is no GraphQL request */
  readonly prepare: (ctx: Exchange, request: GraphQLRequest) => MaybePromise<Operation>
  readonly describe: (ctx: HttpExchange) => DescribeAnswer | null
  /** Runs an operation that this transport carries. */
  readonly start: (ctx: HttpExchange, operation: Operation) => MaybePromise<Result>
  readonly batch: BatchRules
}

/** One place of the list: an operation, or the reason why there is none. */
type Member = { readonly operation: Operation } | { readonly failure: unknown }

/**
 * A list of requests in one body: one answer for each, in the order of the list. All of them are counted and measured together before
 * the first runs, so that a list is no way round a limit; then they run one after another, so that it takes no more of the
 * database at once than one request does.
 * @throws SvcError REQUEST_ERROR, RATE_LIMITED, VALIDATION_ERROR: nothing was run
 */
export async function answerBatch(
  parts: BatchParts,
  ctx: HttpExchange,
  values: readonly unknown[],
  type: ResponseType,
): Promise<Reply> {
  const { most, mostBytes, count, check } = parts.batch
  if (values.length === 0) throw new SvcError('REQUEST_ERROR', 'The batch is empty: send 1 or more requests.')
  if (values.length > most) {
    throw new SvcError('REQUEST_ERROR', `The batch has ${values.length} requests, and may have ${most}.`, {
      details: { limit: most, setting: 'graphql.max_batch' },
    })
  }
  // The first was counted where the request came in.
  for (let counted = 1; counted < values.length; counted++) await count(ctx)
  const members: Member[] = []
  for (const value of values) members.push(await prepareMember(parts, ctx, value))
  await check(
    members.flatMap((member) => ('operation' in member ? [member.operation.template] : [])),
    ctx,
  )
  const replies: Reply[] = []
  let bytes = 0
  for (const member of members) {
    // A request that has run gets its answer, so the bound is checked before each one.
    const isFull = mostBytes > 0 && bytes >= mostBytes
    const reply = await answerMember(parts, ctx, isFull ? { failure: tooLarge(mostBytes) } : member, type)
    bytes += Buffer.byteLength(String(reply.body))
    replies.push(reply)
  }
  const [first] = replies
  const headers = first?.headers ?? {}
  const bodies = replies.map(({ body }) => String(body))
  // As of one request: nothing could be done, and it may be tried again.
  const isUnavailable = replies.every(({ status }) => status === 503)
  return {
    status: isUnavailable ? 503 : 200,
    headers: isUnavailable ? headers : { 'content-type': headers['content-type'] ?? type },
    body: `[${bodies.join(',')}]`,
  }
}

function tooLarge(mostBytes: number): SvcError {
  return new SvcError(
    'VALIDATION_ERROR',
    `This was not run: the answers before it in the batch reach ${mostBytes} bytes, the bound of svc.max_response_bytes. Send it by itself.`,
  )
}

async function prepareMember({ prepare }: BatchParts, ctx: HttpExchange, value: unknown): Promise<Member> {
  try {
    const request: GraphQLRequest = readMember(value)
    return { operation: await prepare(ctx, request) }
  } catch (failure) {
    return { failure }
  }
}

async function answerMember(parts: BatchParts, ctx: HttpExchange, member: Member, type: ResponseType): Promise<Reply> {
  const { show, start } = parts
  const describe = parts.describe(ctx)
  if ('failure' in member) return respondToFailure(ctx, member.failure, type, show, describe)
  try {
    // The client reads no more of the list, so the rest is not begun.
    if (ctx.aborted) throw new SvcError('TIMEOUT', 'The request ended before this was run.')
    const reply = respond(ctx, await start(ctx, member.operation), type, show, describe)
    // The text may be lent until the next statement runs.
    return { ...reply, body: String(reply.body) }
  } catch (error) {
    return respondToFailure(ctx, error, type, show, describe)
  }
}

/** The rules for a list, by the option and by other plugins. */
export interface BatchRules {
  /** 0: a list is refused. */
  readonly most: number
  /** When the answers are as large, no more of the list is run. 0: no bound. */
  readonly mostBytes: number
  /** One more request, for limits of rates. @throws SvcError RATE_LIMITED, SERVICE_UNAVAILABLE */
  readonly count: (ctx: HttpExchange) => MaybePromise<void>
  /** Holds all of them together to the bounds of one request. @throws SvcError */
  readonly check: (templates: readonly Operation['template'][], ctx: HttpExchange) => MaybePromise<void>
}
