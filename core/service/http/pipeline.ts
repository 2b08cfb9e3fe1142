import type { SvcError } from '../../base/errors/svc-error.ts'
import { isPromise } from '../../base/util/promise.ts'
import type { Auth, Exchange } from '../../contract/exchange.ts'
import type { ToPublicError } from '../../contract/public-error.ts'
import type { Reply } from '../../contract/reply.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import type { HttpContext } from './http-context.ts'
import { renderError } from './render-error.ts'

/**
 * What the pipeline runs for an exchange: the handler of a route, or, for a request over another transport than HTTP,
 * the handler that the plugin passed to `enter`.
 */
export interface Work<C> {
  readonly handler: (ctx: C) => MaybePromise<Reply>
  readonly renderError?: ((ctx: C, error: unknown) => Reply) | undefined
  readonly anonymous?: boolean
  /** HTTP method of the route; absent for a request over another transport than HTTP. */
  readonly method?: string
  readonly path?: string
}

/** Calls the handler of an exchange. It is a function of its own so that observers can wrap it. */
export function callHandler<C>(ctx: C, work: Work<C>): MaybePromise<Reply> {
  return work.handler(ctx)
}

export interface PipelineParts<C extends Exchange = HttpContext> {
  /**
   * Finds the route of an exchange. `find` runs before the `onRequest` hooks, so that they know the route. `match` runs
   * after them, and throws if there is no route.
   */
  readonly router: { find(ctx: C): Work<C> | null; match(ctx: C): Work<C> }
  /** The compiled hooks of plugins for the stage `onRequest`; `null`: none. `authenticate` has those of its stage. */
  readonly onRequest: ((ctx: C, innermost: () => MaybePromise<Reply>) => MaybePromise<Reply>) | null
  readonly authenticate: ((ctx: C) => MaybePromise<Auth | undefined>) | null
  readonly toPublicError: ToPublicError
  /** Calls the handler of a route; observers may wrap it. Default: {@link callHandler}. */
  readonly callHandler?: (ctx: C, work: Work<C>) => MaybePromise<Reply>
}

/**
 * Creates the function that converts an error to a reply, in the format of the route (`renderError`), or as plain JSON
 * without one. It never throws.
 */
export function createFailure<C extends Exchange>({
  toPublicError,
}: Pick<PipelineParts<C>, 'toPublicError'>): (ctx: C, route: Work<C> | null, error: unknown) => Reply {
  return (ctx, route, error) => {
    try {
      if (route?.renderError !== undefined) return route.renderError(ctx, error)
      return renderError(toPublicError(error, ctx))
    } catch (renderFailure) {
      // For example, the details of the error cannot be written as JSON. The new error has no details of the original one.
      return renderError(toPublicError(renderFailure, ctx))
    }
  }
}

/**
 * Creates the function that makes the reply to an exchange whose hook or handler exceeded the time limit, in the format
 * of its route.
 */
export function createOverdue<C extends Exchange>(
  parts: Pick<PipelineParts<C>, 'router' | 'toPublicError'>,
): (ctx: C, error: unknown) => Reply {
  const fail = createFailure(parts)
  return (ctx, error) => fail(ctx, parts.router.find(ctx), error)
}

export type Pipeline = (ctx: HttpContext) => MaybePromise<Reply>

/**
 * Creates the function that runs an exchange: route match, `onRequest` hooks, `authenticate` hooks, handler. It never
 * throws or rejects: every error becomes a reply in the format of the route.
 */
export function createPipeline<C extends Exchange = HttpContext>({
  router,
  onRequest,
  authenticate,
  toPublicError,
  callHandler: call = callHandler,
}: PipelineParts<C>): (ctx: C) => MaybePromise<Reply> {
  const fail = createFailure<C>({ toPublicError })

  function handle(ctx: C, route: Work<C>): MaybePromise<Reply> {
    const reply = call(ctx, route)
    const check = (settled: unknown): Reply => (isReply(settled) ? settled : fail(ctx, route, noReply(route)))
    return isPromise(reply) ? reply.then(check, (error) => fail(ctx, route, error)) : check(reply)
  }

  function dispatch(ctx: C, found: Work<C> | null): MaybePromise<Reply> {
    let route = found
    try {
      const matched = found ?? router.match(ctx)
      route = matched
      if (authenticate === null || matched.anonymous === true) return handle(ctx, matched)
      const auth = authenticate(ctx)
      if (isPromise(auth)) {
        return auth.then(
          (resolved) => {
            ctx.auth = resolved ?? null
            return handleSafely(ctx, matched)
          },
          (error) => fail(ctx, matched, error),
        )
      }
      ctx.auth = auth ?? null
      return handle(ctx, matched)
    } catch (error) {
      return fail(ctx, route, error)
    }
  }

  function handleSafely(ctx: C, route: Work<C>): MaybePromise<Reply> {
    try {
      return handle(ctx, route)
    } catch (error) {
      return fail(ctx, route, error)
    }
  }

  return (ctx) => {
    const { fault } = ctx as { readonly fault?: SvcError | null }
    if (fault !== undefined && fault !== null) return fail(ctx, null, fault)
    const found = router.find(ctx)
    if (onRequest === null) return dispatch(ctx, found)
    let dispatched: MaybePromise<Reply> | null = null
    // The front of the route determines the format of the reply, also when a hook fails.
    const failed = (error: unknown): Reply => fail(ctx, found, error)
    try {
      const reply = onRequest(ctx, () => {
        dispatched = dispatch(ctx, found)
        return dispatched
      })
      // The hooks returned the reply of `dispatch` itself, which is valid and never rejects.
      if (dispatched !== null && reply === dispatched) return reply
      const check = (settled: unknown): Reply => (isReply(settled) ? settled : failed(noReply(null)))
      return isPromise(reply) ? reply.then(check, failed) : check(reply)
    } catch (error) {
      return failed(error)
    }
  }
}

/** Checks the result of a hook or handler, which may come from untyped code. A malformed reply would crash the process on write. */
function isReply(value: unknown): value is Reply {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers, body } = value as Partial<Reply>
  return typeof status === 'number' && typeof headers === 'object' && headers !== null && body !== undefined
}

function noReply(work: { readonly method?: string; readonly path?: string } | null): TypeError {
  const who =
    work === null
      ? 'A hook of onRequest'
      : `The handler of ${work.path === undefined ? 'scope.pipeline.enter' : `${work.method} ${work.path}`}`
  return new TypeError(`${who} gave no reply. It has to return { status, headers, body }, or what next() gave.`)
}
