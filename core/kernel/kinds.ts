import { blame } from '../base/errors/blame.ts'
import { SvcError } from '../base/errors/svc-error.ts'
import { isPromise } from '../base/util/promise.ts'
import type { AnyFunction } from '../contract/stage-definition.ts'
import type { Kind } from '../contract/stages.ts'

/** A function that a plugin added to a stage, with the plugin's name. */
export interface Hook {
  readonly plugin: string
  readonly handler: AnyFunction
}

/** Receives the promise and the error of each hook of a `settle` stage. The stage does not wait for its hooks. */
export interface SettleReport {
  failed(plugin: string, error: unknown): void
  /** Called with the promise of a hook that has started. The promise never rejects. */
  pending(work: Promise<void>): void
}

/**
 * Functions that combine the hooks of a stage into one, by kind of stage; the list of hooks must not be empty. The
 * result runs synchronously until a hook returns a promise, and records the plugin of each thrown error (`blame`).
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
 * Each handler wraps the next one. The compiled function takes the arguments of the stage and then the innermost function. With two
 * arguments, `next(instead)` replaces the second one for the handlers further inside.
 */
function around(hooks: readonly Hook[]): AnyFunction {
  function call(index: number, args: readonly unknown[], innermost: AnyFunction): unknown {
    const hook = hooks[index]
    if (hook === undefined) return innermost(args[1])
    const inner: Inner = { called: false, value: undefined, failed: false, error: undefined }
    let out: unknown
    try {
      // An unnamed closure: tsx defines the name of a named one on each creation, which costs 200 ns.
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
    // The common case: the handler returns the promise of next() itself, which needs no further `then`.
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

/** Calls a handler without spread, which is several times slower. Stages of the kernel have one or two arguments. */
function invoke(handler: AnyFunction, args: readonly unknown[], next: AnyFunction): unknown {
  if (args.length === 1) return handler(args[0], next)
  if (args.length === 2) return handler(args[0], args[1], next)
  return handler(...args, next)
}

/** Outcome of the inner part of an `around` chain, as one handler received it from `next()`. */
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

/** Attaches the plugin to an error, unless the handler only rethrew the error of an inner one. */
function ownFault(inner: Inner, error: unknown, plugin: string): unknown {
  return inner.failed && inner.error === error ? error : blame(error, plugin)
}

/** Calls a handler and passes its result, awaited if necessary, to `then`. The plugin is attached to its errors. */
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

/** Calls handlers in order until one returns a value other than `undefined`. A throw ends the search. */
function first(hooks: readonly Hook[]): AnyFunction {
  function from(index: number, args: readonly unknown[]): unknown {
    const hook = hooks[index]
    if (hook === undefined) return undefined
    return call(hook, args, (value) => (value === undefined ? from(index + 1, args) : value))
  }
  return (...args) => from(0, args)
}

/** Calls all handlers in order. A throw stops the chain; in a stage that checks, it denies. */
function series(hooks: readonly Hook[]): AnyFunction {
  function from(index: number, args: readonly unknown[]): unknown {
    const hook = hooks[index]
    return hook === undefined ? undefined : call(hook, args, () => from(index + 1, args))
  }
  return (...args) => from(0, args)
}

/** Passes the first argument through all handlers. Each returns the new value; `undefined` keeps the current one. */
function waterfall(hooks: readonly Hook[]): AnyFunction {
  function from(index: number, value: unknown, rest: readonly unknown[]): unknown {
    const hook = hooks[index]
    if (hook === undefined) return value
    return call(hook, [value, ...rest], (out) => from(index + 1, out === undefined ? value : out, rest))
  }
  return (value, ...rest) => from(0, value, rest)
}

/** Starts all handlers without waiting. A failure is reported with its plugin and does not reach the caller. */
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
