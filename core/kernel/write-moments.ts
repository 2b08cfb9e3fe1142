import type { MutationModel } from '../schema/model.ts'
import type { HookRegistry } from './hooks.ts'
import type { Runner } from './stages.ts'

/** The chains of the moments of one mutation; `null` = nobody hooked it. */
export interface WriteMoments {
  readonly before: Runner<'mutation:before'> | null
  readonly after: Runner<'mutation:after'> | null
}

/** @returns `null`: no hook is for this mutation */
export type MomentsOf = (mutation: MutationModel) => WriteMoments | null

/**
 * Which hooks are for which mutation: asked once for each mutation of a schema, so that the others stay one statement.
 * @returns `null` where nobody hooked a moment
 */
export function createMomentsOf(hooks: HookRegistry): MomentsOf | null {
  if (hooks.runner('mutation:before') === null && hooks.runner('mutation:after') === null) return null
  const known = new WeakMap<MutationModel, WriteMoments | { readonly none: true }>()
  return (mutation) => {
    let found = known.get(mutation)
    if (found === undefined) {
      const before = hooks.runnerFor('mutation:before', mutation) as WriteMoments['before']
      const after = hooks.runnerFor('mutation:after', mutation) as WriteMoments['after']
      found = before === null && after === null ? NONE : { before, after }
      known.set(mutation, found)
    }
    return 'none' in found ? null : found
  }
}

const NONE = { none: true } as const
