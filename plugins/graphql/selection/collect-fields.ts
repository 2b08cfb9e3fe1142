import { type DirectiveNode, type FieldNode, Kind, type SelectionNode, type SelectionSetNode } from 'graphql'
import type { SelectionContext } from './selection-context.ts'

/** Selected fields by response key (alias or name), in response order. A field that is selected twice has two nodes. */
export type CollectedFields = ReadonlyMap<string, readonly FieldNode[]>

/**
 * Collects the selected fields of an object type, as `CollectFields` in the GraphQL specification does.
 * @param sets selection sets to merge
 * @param applies tests whether a fragment on this type applies to the object type
 */
export function collectFields(
  context: SelectionContext,
  sets: readonly SelectionSetNode[],
  applies: (typeName: string) => boolean,
): CollectedFields {
  const collected = new Map<string, FieldNode[]>()
  const visited = new Set<string>()

  function visit(selection: SelectionNode): void {
    if (!isIncluded(context, selection.directives)) return
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value
      const known = collected.get(key)
      if (known === undefined) collected.set(key, [selection])
      else known.push(selection)
      return
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const condition = selection.typeCondition?.name.value
      if (condition === undefined || applies(condition)) selection.selectionSet.selections.forEach(visit)
      return
    }
    const name = selection.name.value
    if (visited.has(name)) return
    visited.add(name)
    const fragment = context.fragments.get(name)
    if (fragment !== undefined && applies(fragment.typeCondition.name.value)) {
      fragment.selectionSet.selections.forEach(visit)
    }
  }

  for (const set of sets) set.selections.forEach(visit)
  for (const _ of collected) context.countField()
  return collected
}

/** Returns the selection sets of the nodes that select the same field. Nodes without a selection set are left out. */
export function subselections(nodes: readonly FieldNode[]): readonly SelectionSetNode[] {
  return nodes.map((node) => node.selectionSet).filter((set) => set !== undefined)
}

/** Is the node selected? `@skip` takes precedence over `@include`. */
function isIncluded(context: SelectionContext, directives: readonly DirectiveNode[] | undefined): boolean {
  if (directives === undefined || directives.length === 0) return true
  for (const directive of directives) {
    const name = directive.name.value
    if (name === 'skip' && readCondition(context, directive)) return false
    if (name === 'include' && !readCondition(context, directive)) return false
  }
  return true
}

function readCondition(context: SelectionContext, directive: DirectiveNode): boolean {
  const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value
  if (value?.kind === Kind.VARIABLE) return context.conditions[value.name.value] === true
  return value?.kind === Kind.BOOLEAN && value.value
}
