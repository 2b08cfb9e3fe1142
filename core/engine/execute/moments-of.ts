import type { SealedStages } from '../../contract/kernel.ts'
import type { MomentsOf, WriteMoments } from '../../contract/write-moments.ts'
import type { MutationModel } from '../../schema/model.ts'

/**
 * Creates the look-up of mutation hooks. `HookOptions.mutations` is evaluated once for each mutation of a schema.
 * @returns `null` when no plugin hooks `mutation:before` or `mutation:after`
 */
export function createMomentsOf(hooks: Pick<SealedStages, 'runner' | 'runnerFor'>): MomentsOf | null {
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
