import type { Auth, Exchange } from '../contract/exchange.ts'
import type { AnyExchange } from '../contract/http-exchange.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import { isPromise } from '../util/promise.ts'

type Authenticate<C extends Exchange> = (ctx: C) => MaybePromise<Auth | undefined>

/** Who asks: in the pipeline, where a bad credential is refused, and before it, where it is nobody's yet. */
export interface Identity {
  /** As `scope.pipeline.identify`. */
  identify(ctx: Exchange): MaybePromise<Auth | null>
  /** The stage, for the pipeline. `null`: nobody hooked it. */
  readonly authenticate: Authenticate<Exchange> | null
}

/** What the credential said, and the headers that it was read from. */
interface Verdict {
  readonly exchange: Exchange
  /** Name, value, name, value … */
  readonly headers: readonly unknown[]
  readonly auth: Auth | undefined
  /** It was refused, with `error`. */
  readonly failed: boolean
  readonly error: unknown
}

/**
 * The credential of a request is verified once, also when somebody asks before it is due; what was found then holds as
 * long as the headers are the same.
 * @param isAnonymous whose credential nobody will ask for
 */
export function createIdentity(
  authenticate: Authenticate<Exchange> | null,
  isAnonymous: (ctx: AnyExchange) => boolean = () => false,
): Identity {
  if (authenticate === null) return { identify: (ctx) => ctx.auth, authenticate }
  // Nearly always it is due as soon as it was asked for: the last one stands by itself, others wait in the map, which is slow.
  const verdicts = new WeakMap<Exchange, Verdict>()
  let last: Verdict | null = null

  function known(ctx: Exchange): Verdict | undefined {
    const verdict = last !== null && last.exchange === ctx ? last : verdicts.get(ctx)
    return verdict !== undefined && isSame(verdict.headers, ctx.headers) ? verdict : undefined
  }

  function keep(verdict: Verdict): Auth | null {
    if (last !== null && last.exchange !== verdict.exchange) verdicts.set(last.exchange, last)
    last = verdict
    return authOf(verdict)
  }

  return {
    identify(ctx) {
      if (ctx.auth !== null) return ctx.auth
      if (isAnonymous(ctx as AnyExchange)) return null
      const verdict = known(ctx)
      if (verdict !== undefined) return authOf(verdict)
      const headers = listOf(ctx.headers)
      const accept = (auth: Auth | undefined) => keep({ exchange: ctx, headers, auth, failed: false, error: null })
      const refuse = (error: unknown) => keep({ exchange: ctx, headers, auth: undefined, failed: true, error })
      try {
        const auth = authenticate(ctx)
        return isPromise(auth) ? auth.then(accept, refuse) : accept(auth)
      } catch (error) {
        return refuse(error)
      }
    },
    authenticate(ctx) {
      const verdict = known(ctx)
      if (verdict === undefined) return authenticate(ctx)
      if (verdict.failed) throw verdict.error
      // From here on the exchange says it itself.
      if (verdict.auth !== undefined && verdict === last) last = null
      return verdict.auth
    },
  }
}

/** Of a credential that is bad nobody is told anything before it is refused. */
function authOf({ auth }: Verdict): Auth | null {
  return auth ?? null
}

/** A copy that is made quickly: there is one for each request. */
function listOf(headers: Exchange['headers']): readonly unknown[] {
  const list: unknown[] = []
  for (const name in headers) list.push(name, headers[name])
  return list
}

function isSame(before: readonly unknown[], now: Exchange['headers']): boolean {
  let i = 0
  for (const name in now) {
    if (before[i] !== name || before[i + 1] !== now[name]) return false
    i += 2
  }
  return i === before.length
}
