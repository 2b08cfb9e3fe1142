import type { Auth } from '../front/exchange.ts'
import type { Reply } from '../front/reply.ts'
import type { Route } from '../kernel/scope.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import type { Signals } from '../signals/signals.ts'
import { isPromise } from '../util/promise.ts'
import type { HttpContext } from './http-context.ts'
import { renderError, toPublicError } from './render-error.ts'
import type { Router } from './router.ts'

export interface PipelineParts {
  readonly router: Router
  /** The sealed chains of the kernel; `null` where nobody hooked. */
  readonly onRequest: ((ctx: HttpContext, innermost: () => MaybePromise<Reply>) => MaybePromise<Reply>) | null
  readonly authenticate: ((ctx: HttpContext) => MaybePromise<Auth | undefined>) | null
  readonly signals: Signals
}

export type Pipeline = (ctx: HttpContext) => MaybePromise<Reply>

/**
 * The way of every HTTP request: onRequest → route match → authenticate → the front's handler. Never throws and never
 * rejects: whatever fails becomes a reply, in the shape of the route that it failed on.
 */
export function createPipeline({ router, onRequest, authenticate, signals }: PipelineParts): Pipeline {
  function fail(ctx: HttpContext, route: Route | null, error: unknown): Reply {
    try {
      if (route?.renderError !== undefined) return route.renderError(ctx, error)
    } catch (renderFailure) {
      return renderError(toPublicError(renderFailure, ctx.id, signals))
    }
    return renderError(toPublicError(error, ctx.id, signals))
  }

  function handle(ctx: HttpContext, route: Route): MaybePromise<Reply> {
    const reply = route.handler(ctx)
    const check = (settled: unknown): Reply =>
      isReply(settled) ? settled : fail(ctx, route, noReply(`The handler of ${route.method} ${route.path}`))
    return isPromise(reply) ? reply.then(check, (error) => fail(ctx, route, error)) : check(reply)
  }

  function dispatch(ctx: HttpContext): MaybePromise<Reply> {
    let route: Route | null = null
    try {
      const matched = router.match(ctx)
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

  function handleSafely(ctx: HttpContext, route: Route): MaybePromise<Reply> {
    try {
      return handle(ctx, route)
    } catch (error) {
      return fail(ctx, route, error)
    }
  }

  /** The shape of the answer is the front's, also when a hook failed before the route was matched. */
  function failOnRequest(ctx: HttpContext, error: unknown): Reply {
    let route: Route | null = null
    try {
      route = router.match(ctx)
    } catch {
      // No route, no shape of its own.
    }
    return fail(ctx, route, error)
  }

  if (onRequest === null) return dispatch
  return (ctx) => {
    let dispatched: MaybePromise<Reply> | null = null
    try {
      const reply = onRequest(ctx, () => {
        dispatched = dispatch(ctx)
        return dispatched
      })
      // What the hooks only hand on is a reply, and never rejects.
      if (dispatched !== null && reply === dispatched) return reply
      const check = (settled: unknown): Reply =>
        isReply(settled) ? settled : failOnRequest(ctx, noReply('A hook of onRequest'))
      return isPromise(reply) ? reply.then(check, (error) => failOnRequest(ctx, error)) : check(reply)
    } catch (error) {
      return failOnRequest(ctx, error)
    }
  }
}

/** Plugins are not always type-checked: what is no reply would end the process when it is written. */
function isReply(value: unknown): value is Reply {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers, body } = value as Partial<Reply>
  return typeof status === 'number' && typeof headers === 'object' && headers !== null && body !== undefined
}

function noReply(who: string): TypeError {
  return new TypeError(`${who} gave no reply. It has to return { status, headers, body }, or what next() gave.`)
}
