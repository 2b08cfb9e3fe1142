import type { Access } from '../../contract/access.ts'
import type { MaskedPath, RootSelection, Selection } from '../../contract/operation.ts'
import { maskAggregate } from './mask-aggregate.ts'
import { maskSelection } from './mask-selection.ts'
import { nodeTarget } from './targets.ts'

export type DataRoot = Extract<RootSelection, { kind: 'operation' | 'node' | 'rows' | 'aggregate' }>

/**
 * Returns the object types of a root field: if one of them is denied, the root field is null, whatever it selects.
 * Empty for interfaces, unions and the root field `node`, where only rows of the denied type are hidden.
 */
export function namesOf(root: DataRoot): readonly string[] {
  if (root.kind === 'rows') return [root.type.name]
  return root.kind !== 'node' && root.operation.named.kind === 'object' ? [root.operation.named.name] : []
}

/**
 * Tests whether a root field reads data of the schema, to which denials apply. `false` for `__typename` and for root
 * fields that plugins answer.
 */
export function isDataRoot(root: RootSelection): root is DataRoot {
  return root.kind !== 'typename' && root.kind !== 'literal' && root.kind !== 'related'
}

/**
 * Removes the parts that a caller may not see from a root field.
 * @returns the remaining root field, the positions of the removed parts, and `fails`: `true` if the field is non-null
 * and denied, so that `data` of the response is null
 */
export function maskRoot(
  denied: Access['denied'],
  root: RootSelection,
): { readonly root: RootSelection; readonly places: readonly MaskedPath[]; readonly fails: boolean } {
  if (!isDataRoot(root)) return { root, places: [], fails: false }
  const at = { path: [root.responseKey], location: root.location }
  const target = namesOf(root).find((name) => denied.has(name))
  if (target === undefined) {
    if (root.kind === 'aggregate') {
      const { masked, places } = maskAggregate(denied, root, at)
      return { root: masked, places, fails: false }
    }
    const selection = root.kind === 'node' ? withoutDeniedNodes(denied, root.selection) : root.selection
    if (typeof selection === 'string') return lostRoot(root, { ...at, target: selection })
    const masked = maskSelection(denied, selection, at)
    if (!('lost' in masked)) {
      const masking = { ...root, selection: masked.selection } as RootSelection
      return { root: masking, places: masked.places, fails: false }
    }
    return lostRoot(root, masked.lost)
  }
  return lostRoot(root, { ...at, target })
}

/**
 * Removes types whose `node:Type` is denied from the root field `node`. Their rows are null without an error, like an unknown id.
 * @returns the remaining selection; or the target of a denial that leaves no type
 */
function withoutDeniedNodes(denied: Access['denied'], selection: Selection): Selection | string {
  if (selection?.kind === 'object') {
    const target = nodeTarget(selection.type.name)
    return denied.has(target) ? target : selection
  }
  if (selection?.kind !== 'abstract') return selection
  const possible = new Map(selection.possible)
  let shown = possible.size
  let last: string | null = null
  for (const [name, member] of possible) {
    const target = nodeTarget(name)
    if (!denied.has(target)) continue
    possible.set(name, { ...member, fields: [], denied: target })
    last = target
    shown--
  }
  if (last === null) return selection
  return shown === 0 ? last : { ...selection, possible }
}

function lostRoot(
  root: DataRoot,
  lost: MaskedPath,
): { readonly root: RootSelection; readonly places: readonly MaskedPath[]; readonly fails: boolean } {
  // A root that is no operation of the schema may be null.
  const nullable = root.kind !== 'operation' || root.operation.type.nullable
  return { root: { ...root, denied: lost.target }, places: [lost], fails: !nullable }
}
