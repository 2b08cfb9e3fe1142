import { defineCompilePart } from '../../core/doors/command.ts'
import { didYouMean } from '../../core/doors/plugin.ts'
import { AFTER, BEFORE, isNamed, MIDDLEWARE } from './kinds.ts'

/** Compile part that checks that the author's mutation hooks name existing mutations. */
export default defineCompilePart({
  functions: {
    [MIDDLEWARE]: 'Runs around every request: `(request, next) => reply`.',
    [BEFORE]: 'Runs in the transaction of the mutation of its name, before its function: `(args, context) => void`.',
    [AFTER]: 'Runs in the transaction of the mutation of its name, after its function: `(entity, context) => void`.',
  },
  repeatable: [MIDDLEWARE, BEFORE, AFTER],
  compile({ schema, fault }) {
    const mutations = (schema.mutations ?? []).map(({ name }) => name)
    for (const element of schema.author_functions ?? []) {
      const { kind, name } = element
      if ((kind !== BEFORE && kind !== AFTER) || mutations.some((mutation) => isNamed(mutation, name))) continue
      const known = mutations.length === 0 ? ' The schema has none.' : didYouMean(name, mutations)
      fault('unknown-mutation', `${kind} "${name}": there is no mutation of this name.${known}`, element)
    }
    return undefined
  },
})
