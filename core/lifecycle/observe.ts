import type { AnyFunction } from '../kernel/kinds.ts'
import type { ObservedPart, OwnedObserver } from '../kernel/observer.ts'
import type { Signals } from '../signals/signals.ts'
import { isPromise } from '../util/promise.ts'

/** Lays the observers of a part around it; the very same function where there are none. */
export type Observe = <F extends (...args: never[]) => unknown>(part: ObservedPart, inner: F) => F

/**
 * @param observers the outermost first
 * @param signals told about what an observer throws; it has no other effect
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

/** Whatever the observer does: the part runs once, and its outcome is what the caller gets. */
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

  /** What the part failed with and the observer let through is no fault of the observer's. */
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
