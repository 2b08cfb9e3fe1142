import { blame } from '../errors/blame.ts'
import { SvcError } from '../errors/svc-error.ts'
import { isPromise } from '../util/promise.ts'
import type { Kind } from './stages.ts'

/** Any handler, as the runners see it; its real type is fixed by the stage table. */
export type AnyFunction = (...args: readonly unknown[]) => unknown

/** One handler of a stage and the plugin it belongs to. */
export interface Hook {
  readonly plugin: string
  readonly handler: AnyFunction
}

/** What the runner of a `settle` stage reports to. */
export interface SettleReport {
  failed(plugin: string, error: unknown): void
  /** A handler that is still running; never rejects. */
  pending(work: Promise<void>): void
}

/**
 * The runner factory of every kind: turns a sealed list of hooks into one function. Called only with lists that are
 * not empty. All runners stay synchronous until a handler returns a promise, and note the plugin an error came from.
 */
export const KINDS: Readonly<Record<Kind, (hooks: readonly Hook[], report: SettleReport) => AnyFunction>> = {
  around,
  first,
  every: series,
  series,
  waterfall,
  settle,
}

function nextTwice(plugin: string): SvcError {
  return new SvcError(
    'SVC_HOOK_NEXT_TWICE',
    `A hook of plugin "${plugin}" called next() twice; it may be called once, because the rest could write.`,
  )
}

/**
 * `(…args, innermost)`: every handler wraps the next; the last argument is what stands in the middle. Of two arguments the
 * second may be handed on as another one: `next(instead)`.
 */
function around(hooks: readonly Hook[]): AnyFunction {
  function call(index: number, args: readonly unknown[], innermost: AnyFunction): unknown {
    const hook = hooks[index]
    if (hook === undefined) return innermost(args[1])
    const inner: Inner = { called: false, value: undefined, failed: false, error: undefined }
    let out: unknown
    try {
      // Without a name of its own: tsx defines the name of a named closure each time it is made, which costs 200 ns.
      out = invoke(hook.handler, args, (instead) => {
        if (inner.called) throw nextTwice(hook.plugin)
        inner.called = true
        try {
          const rest = instead === undefined || args.length < 2 ? args : [args[0], instead]
          inner.value = call(index + 1, rest, innermost)
        } catch (error) {
          rememberFailure(inner, error)
          throw error
        }
        return inner.value
      })
    } catch (error) {
      throw ownFault(inner, error, hook.plugin)
    }
    // Handing on what next() gave is the common case and costs nothing.
    if (!isPromise(out) || out === inner.value) return out
    return out.then(undefined, async (error) => {
      if (isPromise(inner.value)) await inner.value.then(undefined, (cause) => rememberFailure(inner, cause))
      throw ownFault(inner, error, hook.plugin)
    })
  }
  return (...args: unknown[]) => {
    const innermost = args.pop() as AnyFunction
    return call(0, args, innermost)
  }
}

/** Spread is several times slower, and the stages of the kernel have one or two arguments. */
function invoke(handler: AnyFunction, args: readonly unknown[], next: AnyFunction): unknown {
  if (args.length === 1) return handler(args[0], next)
  if (args.length === 2) return handler(args[0], args[1], next)
  return handler(...args, next)
}

/** How the rest of an `around` chain ended, as one handler saw it. */
interface Inner {
  called: boolean
  value: unknown
  failed: boolean
  error: unknown
}

function rememberFailure(inner: Inner, error: unknown): void {
  inner.failed = true
  inner.error = error
}

/** Notes the plugin, unless the handler only let through what came from further inside. */
function ownFault(inner: Inner, error: unknown, plugin: string): unknown {
  return inner.failed && inner.error === error ? error : blame(error, plugin)
}

/** Calls one handler; a failure, sync or async, is noted under its plugin. `then` sees the value of a promise. */
function call(hook: Hook, args: readonly unknown[], then: (value: unknown) => unknown): unknown {
  let out: unknown
  try {
    out = hook.handler(...args)
  } catch (error) {
    throw blame(error, hook.plugin)
  }
  if (!isPromise(out)) return then(out)
  return out.then(then, (error) => {
    throw blame(error, hook.plugin)
  })
}

/** Asks one after the other until one answers something else than `undefined`; a throw ends the search. */
function first(hooks: readonly Hook[]): AnyFunction {
  function from(index: number, args: readonly unknown[]): unknown {
    const hook = hooks[index]
    if (hook === undefined) return undefined
    return call(hook, args, (value) => (value === undefined ? from(index + 1, args) : value))
  }
  return (...args) => from(0, args)
}

/** All, one after the other; a throw stops (and denies, where the stage is a check). */
function series(hooks: readonly Hook[]): AnyFunction {
  function from(index: number, args: readonly unknown[]): unknown {
    const hook = hooks[index]
    return hook === undefined ? undefined : call(hook, args, () => from(index + 1, args))
  }
  return (...args) => from(0, args)
}

/** The first argument goes through all handlers; `undefined` leaves it as it is. */
function waterfall(hooks: readonly Hook[]): AnyFunction {
  function from(index: number, value: unknown, rest: readonly unknown[]): unknown {
    const hook = hooks[index]
    if (hook === undefined) return value
    return call(hook, [value, ...rest], (out) => from(index + 1, out === undefined ? value : out, rest))
  }
  return (value, ...rest) => from(0, value, rest)
}

/** All are started, nobody waits; a failure is reported under its plugin and reaches nobody else. */
function settle(hooks: readonly Hook[], report: SettleReport): AnyFunction {
  return (...args) => {
    for (const { plugin, handler } of hooks) {
      try {
        const out = handler(...args)
        if (isPromise(out)) report.pending(out.then(undefined, (error) => report.failed(plugin, error)).then(() => {}))
      } catch (error) {
        report.failed(plugin, error)
      }
    }
  }
}
