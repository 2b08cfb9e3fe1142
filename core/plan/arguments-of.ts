import type { ArgumentNode, Operation, RootSelection } from '../contract/operation.ts'
import { valueOfNode } from './plan-value.ts'

/**
 * The arguments of a root field as this request gives them, coerced, by wire name: for audit, keys of caches, rules that look at values.
 * One that the client left out, or whose variable is absent, has no key. May be secret: log the names, not the values.
 */
export function argumentsOf(root: RootSelection, variables: Operation['variables']): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = Object.create(null)
  for (const { name, value } of nodesOf(root)) {
    const { sample } = valueOfNode(value, variables)
    if (sample !== undefined) given[name] = sample
  }
  return given
}

function nodesOf(root: RootSelection): readonly ArgumentNode[] {
  if (root.kind === 'rows') return [{ name: 'keys', value: root.keys }]
  return root.kind === 'operation' || root.kind === 'node' || root.kind === 'aggregate' ? root.arguments : []
}
