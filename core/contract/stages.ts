import type { MaybePromise } from '../base/util/promise.ts'
import type { Stages } from './all-stages.ts'

export type { MaybePromise } from '../base/util/promise.ts'

/**
 * How the hooks of a stage are combined (docs/explain/architecture.md#hooks): `around` nests them, `first` stops at the
 * first result, `every` and `series` run one after the other, `waterfall` passes each the result of the previous one,
 * `settle` runs them in the background.
 */
export type Kind = 'around' | 'first' | 'every' | 'settle' | 'waterfall' | 'series'

/**
 * Order of the hooks of a stage, the outermost first. A hook without a position runs between `guard` and `cache`. Hooks
 * with the same position run in the order of their plugins' set-up.
 *
 * - `measure`: observes all requests, also rejected ones
 * - `guard`: may reject a request
 * - `cache`: may answer from a cache
 * - `share`: combines equal concurrent requests into one run
 */
export type Position = 'measure' | 'guard' | 'cache' | 'share'

export type Stage = keyof Stages
export type Handler<S extends Stage> = Stages[S]['handler']

/**
 * The function that runs all hooks of a stage. It has the arguments of a handler; for the kind `around`, the last one
 * is the innermost function. For a stage with `sync`, it does not return a promise.
 */
export type Runner<S extends Stage> = Stages[S]['kind'] extends 'settle'
  ? (...args: Parameters<Handler<S>>) => void
  : Stages[S] extends { sync: true }
    ? (...args: Parameters<Handler<S>>) => Parameters<Handler<S>>[0]
    : Stages[S]['kind'] extends 'waterfall'
      ? (...args: Parameters<Handler<S>>) => MaybePromise<Parameters<Handler<S>>[0]>
      : Handler<S>

/** A stage that a plugin added with `scope.stage`, so that the plugin can run its hooks. */
export interface StageHandle<S extends Stage> {
  /** Runs the hooks of the stage; `null`: no plugin hooks it. @throws SVC_SCOPE_PHASE when it is read during set-up */
  readonly run: Runner<S> | null
}
