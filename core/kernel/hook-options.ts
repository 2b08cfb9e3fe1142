import type { MutationModel } from '../schema/model.ts'
import type { Position } from './stages.ts'

/** Where a hook stands in its stage, and what it is for. */
export interface HookOptions {
  /** Default: between `guard` and `cache`. */
  readonly position?: Position
  /**
   * Of `mutation:before` and `mutation:after`: which mutations? Asked once for each mutation of a schema, before it
   * serves, behind what `perGeneration` builds. The others stay one statement. Default: all.
   */
  readonly mutations?: (mutation: MutationModel) => boolean
}
