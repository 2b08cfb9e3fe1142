import type { MutationModel } from '../schema/model.ts'
import type { Runner } from './stages.ts'

/** Compiled hooks of `mutation:before` and `mutation:after` for one mutation; `null`: none. */
export interface MutationHooks {
  readonly before: Runner<'mutation:before'> | null
  readonly after: Runner<'mutation:after'> | null
}

/** Returns the hooks of a mutation; `null`: it has none. */
export type MutationHooksOf = (mutation: MutationModel) => MutationHooks | null
