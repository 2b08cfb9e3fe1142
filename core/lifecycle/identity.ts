import type { Auth, Exchange } from '../contract/exchange.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import { isPromise } from '../util/promise.ts'

type Authenticate<C extends Exchange> = (ctx: C) => MaybePromise<Auth | undefined>

/** Who asks: in the pipeline, where a bad credential is refused, and before it, where it is nobody's yet. */
export interface Identity {
  /** As `scope.identify`. */
  identify(ctx: Exchange): MaybePromise<Auth | null>
  /** The stage, for the pipeline. `null`: nobody hooked it. */
  readonly authenticate: Authenticate<Exchange> | null
}

/** What the credential said, and the headers that it was read from. */
interface Verdict {
  readonly headers: Exchange['headers']
  readonly outcome: { readonly auth: Auth | undefined } | { readonly error: unknown }
}

/**
 * The credential of a request is verified once, also when somebody asks before it is due; what was found then holds as
 * long as the headers are the same.
 */
export function createIdentity(authenticate: Authenticate<Exchange> | null): Identity {
  if (authenticate === null) return { identify: (ctx) => ctx.auth, authenticate }
  const verdicts = new WeakMap<Exchange, Verdict>()

  function known(ctx: Exchange): Verdict | undefined {
    const verdict = verdicts.get(ctx)
    return verdict !== undefined && isSame(verdict.headers, ctx.headers) ? verdict : undefined
  }

  function keep(ctx: Exchange, outcome: Verdict['outcome'], headers: Exchange['headers']): Auth | null {
    verdicts.set(ctx, { headers, outcome })
    return authOf(outcome)
  }

  return {
    identify(ctx) {
      if (ctx.auth !== null) return ctx.auth
      const verdict = known(ctx)
      if (verdict !== undefined) return authOf(verdict.outcome)
      const headers = { ...ctx.headers }
      try {
        const auth = authenticate(ctx)
        if (!isPromise(auth)) return keep(ctx, { auth }, headers)
        return auth.then(
          (resolved) => keep(ctx, { auth: resolved }, headers),
          (error: unknown) => keep(ctx, { error }, headers),
        )
      } catch (error) {
        return keep(ctx, { error }, headers)
      }
    },
    authenticate(ctx) {
      const verdict = known(ctx)
      if (verdict === undefined) return authenticate(ctx)
      if ('error' in verdict.outcome) throw verdict.outcome.error
      return verdict.outcome.auth
    },
  }
}

/** Of a credential that is bad nobody is told anything before it is refused. */
function authOf(outcome: Verdict['outcome']): Auth | null {
  return 'auth' in outcome ? (outcome.auth ?? null) : null
}

function isSame(before: Exchange['headers'], now: Exchange['headers']): boolean {
  const names = Object.keys(now)
  return names.length === Object.keys(before).length && names.every((name) => before[name] === now[name])
}
