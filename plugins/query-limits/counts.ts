import {
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from '../graphql/api.ts'
import { isMeta } from './is-meta.ts'

/** Number of aliases, directives and root fields of an operation, including its fragments. */
export interface Counts {
  readonly aliases: number
  readonly directives: number
  readonly rootFields: number
}

type Definition = OperationDefinitionNode | FragmentDefinitionNode
type Sum = Pick<Counts, 'aliases' | 'directives'>

/**
 * Creates a function that counts aliases, directives and root fields of an operation. It reads each fragment only once,
 * so that nested fragments stay cheap.
 */
export function createCounter(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): (operation: OperationDefinitionNode) => Counts {
  const sums = new Map<string, Sum>()

  function sum(definition: Definition): Sum {
    let aliases = 0
    let directives = 0
    visit(definition, {
      Field(node) {
        // Includes introspection fields, since each alias can return the whole schema again.
        if (node.alias !== undefined) aliases++
      },
      Directive() {
        directives++
      },
      FragmentSpread(node) {
        const inner = sumOf(node.name.value)
        aliases += inner.aliases
        directives += inner.directives
      },
    })
    return { aliases, directives }
  }

  function sumOf(name: string): Sum {
    let known = sums.get(name)
    if (known === undefined) {
      const fragment = fragments.get(name)
      known = fragment === undefined ? { aliases: 0, directives: 0 } : sum(fragment)
      sums.set(name, known)
    }
    return known
  }

  return (operation) => ({ ...sum(operation), rootFields: rootKeys(operation.selectionSet, fragments).size })
}

function rootKeys(root: SelectionSetNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): ReadonlySet<string> {
  const keys = new Set<string>()
  const spread = new Set<string>()
  const queue: SelectionSetNode[] = [root]
  for (let set = queue.pop(); set !== undefined; set = queue.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        if (!isMeta(selection)) keys.add(selection.alias?.value ?? selection.name.value)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) queue.push(selection.selectionSet)
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment !== undefined) queue.push(fragment.selectionSet)
      }
    }
  }
  return keys
}
