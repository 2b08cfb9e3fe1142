import {
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from '../graphql/api.ts'
import { isMeta } from './is-meta.ts'

/**
 * Returns the depth of an operation: its nested levels of fields. A root field is one level; a fragment adds none.
 * @param most limit at which counting stops; the result is then any larger number
 */
export function depthOf(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  most: number,
): number {
  const known = new Map<string, number>()

  function measure(set: SelectionSetNode, above: number): number {
    if (above > most) return 0
    let deepest = 0
    for (const selection of set.selections) {
      let depth: number
      if (selection.kind === Kind.FIELD) {
        if (isMeta(selection)) continue
        depth = 1 + (selection.selectionSet === undefined ? 0 : measure(selection.selectionSet, above + 1))
      } else if (selection.kind === Kind.INLINE_FRAGMENT) depth = measure(selection.selectionSet, above)
      else depth = measureFragment(selection.name.value)
      if (depth > deepest) deepest = depth
      if (deepest > most) return deepest
    }
    return deepest
  }

  /** Measures a fragment as if it were spread at the root, so that the result is the same for all spreads. */
  function measureFragment(name: string): number {
    let depth = known.get(name)
    if (depth === undefined) {
      const fragment = fragments.get(name)
      depth = fragment === undefined ? 0 : measure(fragment.selectionSet, 0)
      known.set(name, depth)
    }
    return depth
  }

  return measure(operation.selectionSet, 0)
}
