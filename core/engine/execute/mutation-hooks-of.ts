import type { SealedStages } from '../../contract/kernel.ts'
import type { MutationHooks, MutationHooksOf } from '../../contract/mutation-hooks.ts'
import type { MutationModel } from '../../schema/model.ts'

/**
 * Creates a function that returns the `mutation:before` and `mutation:after` hooks of a mutation. It evaluates the
 * filter `HookOptions.mutations` of plugins once per mutation.
 * @returns `null`: no plugin registered such a hook
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
