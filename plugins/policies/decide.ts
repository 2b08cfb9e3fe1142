import type { Exchange } from '../../core/doors/plugin.ts'
import type { ResolvedPolicy } from './check-tables.ts'
import { evaluateRule, type FieldOf, type Verdict } from './evaluate-rule.ts'
import { type PolicyUser, userKey } from './policy-user.ts'

/** A policy function of the author. @param user the caller; `null`: anonymous @returns only `true` allows access */
export type PolicyFunction = (user: PolicyUser | null, question: { readonly policy: string }) => unknown

/** Decides whether a policy allows access for a caller. @param user the caller; `null`: anonymous */
export type Decide = (
  user: PolicyUser | null,
  exchange: Pick<Exchange, 'onAbort' | 'aborted'>,
) => Verdict | Promise<Verdict>

export interface DecideParts {
  readonly functions: ReadonlyMap<string, PolicyFunction>
  readonly timeoutMs: number
  /** Called when the evaluation of a policy fails; access is then denied. */
  readonly report: (policy: string, error: unknown) => void
  readonly fieldOf: FieldOf
}

/**
 * Creates the function that evaluates a policy. Decisions are cached for `ttl` seconds. A failed evaluation denies
 * access.
 */
export function createDecide(policy: ResolvedPolicy, parts: DecideParts): Decide {
  const own = askOf(policy, parts)
  const ask = policy.ttl === 0 ? own : kept(own, policy.ttl * 1000)
  const fail = (error: unknown): false => {
    parts.report(policy.name, error)
    return false
  }
  return (user, exchange) => {
    try {
      const verdict = ask(user, exchange)
      return verdict instanceof Promise ? verdict.catch(fail) : verdict
    } catch (error) {
      return fail(error)
    }
  }
}

function askOf({ name, roles, strategy, source }: ResolvedPolicy, parts: DecideParts): Decide {
  const byRoles = (user: PolicyUser | null): boolean =>
    roles === null || (user !== null && meets(user.roles, roles, strategy))
  if (source === null) return byRoles
  if ('function' in source) {
    const call = parts.functions.get(source.function)
    if (call === undefined) throw new Error(`There is no function "${source.function}"`)
    return (user, exchange) => within(parts.timeoutMs, exchange, call(user, { policy: name }))
  }
  const { tree } = source
  return (user) => byRoles(user) && evaluateRule(tree, user, Date.now(), parts.fieldOf)
}

function meets(has: readonly string[], wanted: readonly string[], strategy: ResolvedPolicy['strategy']): boolean {
  if (strategy === 'any') return wanted.some((role) => has.includes(role))
  const all = wanted.every((role) => has.includes(role))
  return strategy === 'all' ? all : all && has.every((role) => wanted.includes(role))
}

/** Waits for a function until its time limit, or until the request ends. */
function within(
  ms: number,
  exchange: Pick<Exchange, 'onAbort' | 'aborted'>,
  given: unknown,
): boolean | Promise<boolean> {
  if (!isThenable(given)) return given === true
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it did not decide within ${ms} ms`)), ms)
    const off = exchange.onAbort(() => reject(new Error('the request was aborted')))
    Promise.resolve(given)
      .then((allowed) => resolve(allowed === true), reject)
      .finally(() => {
        clearTimeout(timer)
        off()
      })
  })
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

/** Maximum number of cached decisions. The oldest is evicted. */
const MOST_KEPT = 1000
/** Maximum length of a cache key. Decisions about callers with more claims are not cached. */
const LONGEST_KEY = 8192

/** Caches decisions, including denials, but not failures. */
function kept(ask: Decide, ttlMs: number): Decide {
  const verdicts = new Map<string, { readonly verdict: Verdict; readonly until: number }>()
  const keep = (key: string, verdict: Verdict): Verdict => {
    if (verdicts.size >= MOST_KEPT) for (const [oldest] of verdicts) if (verdicts.delete(oldest)) break
    verdicts.set(key, { verdict, until: Date.now() + ttlMs })
    return verdict
  }
  return (user, exchange) => {
    const key = userKey(user)
    if (key === null || key.length > LONGEST_KEY) return ask(user, exchange)
    const known = verdicts.get(key)
    if (known !== undefined && known.until > Date.now()) return known.verdict
    verdicts.delete(key)
    const verdict = ask(user, exchange)
    return verdict instanceof Promise ? verdict.then((one) => keep(key, one)) : keep(key, verdict)
  }
}
