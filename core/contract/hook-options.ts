import type { MutationModel } from '../schema/model.ts'
import type { Position } from './stages.ts'

/** Options of `scope.on`. */
export interface HookOptions {
  /** Position in the order of the stage. Default: between `guard` and `cache`. */
  readonly position?: Position
  /**
   * Selects the mutations that a hook of `mutation:before` or `mutation:after` runs for. Called once for each mutation
   * of a schema, after `perGeneration` functions and before the schema serves. Mutations without hooks stay one
   * statement. Default: all.
   */
  readonly mutations?: (mutation: MutationModel) => boolean
}
