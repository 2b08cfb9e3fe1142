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
  /**
   * Parses, validates and prepares one request of a batch.
   * @throws DocumentErrors or SvcError when the request is invalid
   */
  readonly prepare: (ctx: Exchange, request: GraphQLRequest) => MaybePromise<Operation>
  readonly describe: (ctx: HttpExchange) => DescribeAnswer | null
  /** Executes an operation of a batch. @throws SvcError for a subscription */
  readonly start: (ctx: HttpExchange, operation: Operation) => MaybePromise<Result>
  readonly batch: BatchRules
}

/** A member of the list: an operation, or the error of its preparation. */
type Member = { readonly operation: Operation } | { readonly failure: unknown }

/**
 * Answers a batch, which is a JSON list of GraphQL requests, with a list of responses in the same order. Rate and
 * complexity limits are checked for all requests before the first runs. The requests run one after another, so that a
 * batch uses no more of the database than a single request.
 * @param values the parsed list
 * @param type media type of the response
 * @throws SvcError REQUEST_ERROR, RATE_LIMITED, VALIDATION_ERROR before any request runs
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
  // The first one was counted with the HTTP request.
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
    // Checked before each request: a request that has run always gets its response.
    const isFull = mostBytes > 0 && bytes >= mostBytes
    const reply = await answerMember(parts, ctx, isFull ? { failure: tooLarge(mostBytes) } : member, type)
    bytes += Buffer.byteLength(String(reply.body))
    replies.push(reply)
  }
  const [first] = replies
  const headers = first?.headers ?? {}
  const bodies = replies.map(({ body }) => String(body))
  // As for a single request: nothing was run, and the client can try again.
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
    // The client has disconnected, so the remaining requests are not run.
    if (ctx.aborted) throw new SvcError('TIMEOUT', 'The request ended before this was run.')
    const reply = respond(ctx, await start(ctx, member.operation), type, show, describe)
    // The text can be a buffer that the next statement overwrites, so it is copied.
    return { ...reply, body: String(reply.body) }
  } catch (error) {
    return respondToFailure(ctx, error, type, show, describe)
  }
}

/** Limits on batches of GraphQL requests, from the configuration and from other plugins. */
export interface BatchRules {
  /** Maximum number of requests in a batch. 0: batches are rejected. */
  readonly most: number
  /** Total size of responses in bytes; after it, the remaining requests of the batch are not run. 0: no limit. */
  readonly mostBytes: number
  /** Counts one more request of the client for the rate limiter. @throws SvcError RATE_LIMITED, SERVICE_UNAVAILABLE */
  readonly count: (ctx: HttpExchange) => MaybePromise<void>
  /**
   * Checks the requests of a batch together against the complexity limits of a single request.
   * @throws SvcError VALIDATION_ERROR
   */
  readonly check: (templates: readonly Operation['template'][], ctx: HttpExchange) => MaybePromise<void>
}
