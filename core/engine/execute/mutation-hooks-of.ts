import type { SealedStages } from '../../contract/kernel.ts'
import type { MutationHooks, MutationHooksOf } from '../../contract/mutation-hooks.ts'
import type { MutationModel } from '../../schema/model.ts'

/**
 * Creates the look-up of mutation hooks. `HookOptions.mutations` is evaluated once for each mutation of a schema.
 * @returns `null` when no plugin hooks `mutation:before` or `mutation:after`
 */
export function createMutationHooksOf(hooks: Pick<SealedStages, 'runner' | 'runnerFor'>): MutationHooksOf | null {
  if (hooks.runner('mutation:before') === null && hooks.runner('mutation:after') === null) return null
  const known = new WeakMap<MutationModel, MutationHooks | { readonly none: true }>()
  return (mutation) => {
    let found = known.get(mutation)
    if (found === undefined) {
      const before = hooks.runnerFor('mutation:before', mutation) as MutationHooks['before']
      const after = hooks.runnerFor('mutation:after', mutation) as MutationHooks['after']
      found = before === null && after === null ? NONE : { before, after }
      known.set(mutation, found)
    }
    return 'none' in found ? null : found
  }
}

const NONE = { none: true } as const
