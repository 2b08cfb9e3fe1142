import { isPromise } from '../../base/util/promise.ts'
import type { Auth, Exchange } from '../../contract/exchange.ts'
import type { AnyExchange } from '../../contract/http-exchange.ts'
import type { MaybePromise } from '../../contract/stages.ts'

type Authenticate<C extends Exchange> = (ctx: C) => MaybePromise<Auth | undefined>

/** Identifies callers by their credential, through the `authenticate` hooks of plugins. */
export interface Identity {
  /** Returns the caller of an exchange (`scope.pipeline.identify`); `null`: it has no valid credential. */
  identify(ctx: Exchange): MaybePromise<Auth | null>
  /** Runs the `authenticate` hooks of an exchange; `null`: no plugin has such hooks. */
  readonly authenticate: Authenticate<Exchange> | null
}

/** Result of verifying a credential, with the headers that it was read from. */
interface Verdict {
  readonly exchange: Exchange
  /** Name, value, name, value … */
  readonly headers: readonly unknown[]
  readonly auth: Auth | undefined
  /** The credential was rejected with `error`. */
  readonly failed: boolean
  readonly error: unknown
}

/**
 * Creates the {@link Identity} of a service, which finds out who sent a request. It verifies the credential of each
 * exchange (a request with its response) once and keeps the result. It verifies again only after a change of the headers.
 * @param authenticate verifies a credential; `null`: no credential is verified
 * @param isAnonymous returns `true` for exchanges whose credential is not verified; their caller is anonymous
 */
export function createIdentity(
  authenticate: Authenticate<Exchange> | null,
  isAnonymous: (ctx: AnyExchange) => boolean = () => false,
): Identity {
  if (authenticate === null) return { identify: (ctx) => ctx.auth, authenticate }
  // `authenticate` usually follows `identify` at once, so the last verdict is kept in a variable. Others go to the map, which is slower.
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
      // From here on `exchange.auth` has the result.
      if (verdict.auth !== undefined && verdict === last) last = null
      return verdict.auth
    },
  }
}

/** Returns the caller of a verdict; `null` for a missing or rejected credential. */
function authOf({ auth }: Verdict): Auth | null {
  return auth ?? null
}

/** Copies headers to a flat list, which is faster than an object. It runs for each request. */
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
