import type { MaybePromise } from '../base/util/promise.ts'
import type { Stages } from './all-stages.ts'

export type { MaybePromise } from '../base/util/promise.ts'

/** Kind of a stage: how its hooks are combined (docs/explain/architecture.md#hooks). */
export type Kind = 'around' | 'first' | 'every' | 'settle' | 'waterfall' | 'series'

/**
 * Positions of hooks in a stage, the outermost first. A hook without a position runs between `guard` and `cache`. Hooks of one position
 * run in the order of set-up.
 *
 * - `measure`: observes all requests, also rejected ones
 * - `guard`: may reject a request
 * - `cache`: may answer from a cache
 * - `share`: runs equal concurrent work once
 */
export type Position = 'measure' | 'guard' | 'cache' | 'share'

export type Stage = keyof Stages
export type Handler<S extends Stage> = Stages[S]['handler']

/** Compiled hooks of a stage. For the kind `around`, the last argument is the innermost function. Hooks of a stage with `sync` return no promise. */
export type Runner<S extends Stage> = Stages[S]['kind'] extends 'settle'
  ? (...args: Parameters<Handler<S>>) => void
  : Stages[S] extends { sync: true }
    ? (...args: Parameters<Handler<S>>) => Parameters<Handler<S>>[0]
    : Stages[S]['kind'] extends 'waterfall'
      ? (...args: Parameters<Handler<S>>) => MaybePromise<Parameters<Handler<S>>[0]>
      : Handler<S>

/** A stage of a plugin, as `scope.stage` returns it. */
export interface StageHandle<S extends Stage> {
  /**
   * The compiled hooks; `null`: the stage has no hooks.
   * @throws SVC_SCOPE_PHASE during set-up
   */
  readonly run: Runner<S> | null
}
