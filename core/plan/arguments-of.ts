import type { Operation, RootSelection } from '../front/operation.ts'
import { valueOfNode } from './plan-value.ts'

const NONE: Readonly<Record<string, unknown>> = Object.freeze({})

/**
 * The arguments of a root field as this request gives them, coerced, by wire name: for audit, keys of caches, rules that look at values.
 * One that the client left out, or whose variable is absent, has no key. May be secret: log the names, not the values.
 */
export function argumentsOf(root: RootSelection, variables: Operation['variables']): Readonly<Record<string, unknown>> {
  if (root.kind !== 'operation' && root.kind !== 'node') return NONE
  const given: Record<string, unknown> = Object.create(null)
  for (const { name, value } of root.arguments) {
    const { sample } = valueOfNode(value, variables)
    if (sample !== undefined) given[name] = sample
  }
  return given
}
