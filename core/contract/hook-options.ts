import type { MutationModel } from '../schema/model.ts'
import type { Position } from './stages.ts'

/** Options of a hook: the third argument of `scope.on`. */
export interface HookOptions {
  /** Position of the hook among all hooks of the stage. Default: between `guard` and `cache`. */
  readonly position?: Position
  /**
   * Selects the mutations that a hook of `mutation:before` or `mutation:after` runs for. Called once for each mutation
   * of a loaded schema, after the `perGeneration` functions. Select few: a mutation without hooks needs only one
   * statement, one with hooks a transaction. Default: all.
   */
  readonly mutations?: (mutation: MutationModel) => boolean
}
