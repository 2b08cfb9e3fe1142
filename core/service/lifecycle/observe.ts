import { isPromise } from '../../base/util/promise.ts'
import type { OwnedObserver } from '../../contract/observer.ts'
import type { Signals } from '../../contract/signals.ts'
import type { AnyFunction } from '../../contract/stage-definition.ts'

/** The parts of the request processing that plugins can observe (`scope.observe`), in the order of a request. */
export const OBSERVED = ['exchange', 'authenticate', 'handler', 'operation', 'engine', 'plan', 'statement'] as const
export type ObservedPart = (typeof OBSERVED)[number]

/**
 * Wraps a function that implements a part of the request processing, so that observers of plugins are called around it.
 * Without observers it returns `inner` itself.
 */
export type Observe = <F extends (...args: never[]) => unknown>(part: ObservedPart, inner: F) => F

/**
 * Creates the function that wraps parts of the request processing with observers.
 * @param observers observers of plugins, the outermost first
 * @param signals receives a warning if an observer throws
 */
export function createObserve(observers: readonly OwnedObserver[], signals: Signals): Observe {
  const failed = (plugin: string, part: ObservedPart, error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error)
    signals.emit({ type: 'warning', plugin, message: `Its observer of "${part}" failed: ${reason}` })
  }
  return <F extends (...args: never[]) => unknown>(part: ObservedPart, inner: F): F =>
    observers.reduceRight<AnyFunction>(
      (within, { plugin, observer }) => {
        const around = observer[part] as AnyFunction | undefined
        return around === undefined
          ? within
          : observeWith(around.bind(observer), within, (error) => failed(plugin, part, error))
      },
      inner as unknown as AnyFunction,
    ) as unknown as F
}

/** Wraps a part with one observer. In any case the part runs once, and the caller gets its outcome. */
function observeWith(around: AnyFunction, inner: AnyFunction, failed: (error: unknown) => void): AnyFunction {
  return (...args) => {
    const run = new ObservedRun(() => inner(...args))
    try {
      const seen = around(...args, run.next)
      if (isPromise(seen)) seen.then(undefined, (error) => run.unlessItsOwn(error, failed))
    } catch (error) {
      run.unlessItsOwn(error, failed)
    }
    return run.next()
  }
}

class ObservedRun {
  readonly #start: () => unknown
  #outcome: { readonly failed: boolean; readonly value: unknown } | null = null

  constructor(start: () => unknown) {
    this.#start = start
  }

  readonly next = (): unknown => {
    this.#outcome ??= this.#run()
    if (this.#outcome.failed) throw this.#outcome.value
    return this.#outcome.value
  }

  /** Calls `failed`, unless the error is that of the part itself, which the observer only passed on. */
  unlessItsOwn(error: unknown, failed: (error: unknown) => void): void {
    const outcome = this.#outcome
    if (outcome === null || (!outcome.failed && !isPromise(outcome.value))) failed(error)
    else if (outcome.failed) {
      if (outcome.value !== error) failed(error)
    } else {
      ;(outcome.value as Promise<unknown>).then(
        () => failed(error),
        (own) => {
          if (own !== error) failed(error)
        },
      )
    }
  }

  #run(): { readonly failed: boolean; readonly value: unknown } {
    try {
      return { failed: false, value: this.#start() }
    } catch (error) {
      return { failed: true, value: error }
    }
  }
}
