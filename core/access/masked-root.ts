import type { Access } from '../contract/access.ts'
import type { MaskedPlace, RootSelection } from '../contract/operation.ts'
import { maskAggregate } from './mask-aggregate.ts'
import { maskSelection } from './mask-selection.ts'

export type DataRoot = Extract<RootSelection, { kind: 'operation' | 'node' | 'rows' | 'aggregate' }>

/** Names of the types whose denial closes the root, whatever is selected of it. */
export function namesOf(root: DataRoot): readonly string[] {
  if (root.kind === 'rows') return [root.type.name]
  return root.kind !== 'node' && root.operation.named.kind === 'object' ? [root.operation.named.name] : []
}

/** Roots that read data, which may be denied. */
export function isDataRoot(root: RootSelection): root is DataRoot {
  return root.kind !== 'typename' && root.kind !== 'literal'
}

/** A root with what is denied taken out, and the places where something was. */
export function maskRoot(
  denied: Access['denied'],
  root: RootSelection,
): { readonly root: RootSelection; readonly places: readonly MaskedPlace[]; readonly fails: boolean } {
  if (!isDataRoot(root)) return { root, places: [], fails: false }
  const at = { path: [root.responseKey], location: root.location }
  const target = namesOf(root).find((name) => denied.has(name))
  if (target === undefined) {
    if (root.kind === 'aggregate') {
      const { masked, places } = maskAggregate(denied, root, at)
      return { root: masked, places, fails: false }
    }
    const masked = maskSelection(denied, root.selection, at)
    if (!('lost' in masked)) {
      const masking = { ...root, selection: masked.selection } as RootSelection
      return { root: masking, places: masked.places, fails: false }
    }
    return lostRoot(root, masked.lost)
  }
  return lostRoot(root, { ...at, target })
}

function lostRoot(
  root: DataRoot,
  lost: MaskedPlace,
): { readonly root: RootSelection; readonly places: readonly MaskedPlace[]; readonly fails: boolean } {
  // What is no operation of the schema may be null.
  const nullable = root.kind !== 'operation' || root.operation.type.nullable
  return { root: { ...root, denied: lost.target }, places: [lost], fails: !nullable }
}
