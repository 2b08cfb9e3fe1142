import type { MutationModel } from '../schema/model.ts'
import type { Runner } from './stages.ts'

/**
 * The hooks of `mutation:before` and `mutation:after` that apply to one mutation, each combined into one function;
 * `null`: none.
 */
export interface MutationHooks {
  readonly before: Runner<'mutation:before'> | null
  readonly after: Runner<'mutation:after'> | null
}

/** Returns the hooks that apply to a mutation; `null`: none, so that it needs no explicit transaction. */
export type MutationHooksOf = (mutation: MutationModel) => MutationHooks | null
