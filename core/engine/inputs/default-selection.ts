import type { AbstractSelection, FieldSelection, ObjectSelection, Selection } from '../../contract/operation.ts'
import type { FieldModel, InterfaceType, NamedType, ObjectType, UnionType } from '../../schema/model.ts'

/**
 * Returns the selection of an object type for requests that name no fields: all stored fields, including objects in
 * JSON documents, without relations. The fields are optional: those that the caller may not see are left out.
 * @param above types that contain this one, whose repetition is left out
 */
export function defaultSelection(type: ObjectType, above: readonly NamedType[] = []): ObjectSelection {
  const within = [...above, type]
  const fields = [...type.fields.values()].flatMap((field) => defaultField(field, within))
  return { kind: 'object', type, fields }
}

function defaultField(field: FieldModel, within: readonly NamedType[]): readonly FieldSelection[] {
  const { named, read, wireName: responseKey } = field
  // A type that contains itself would recurse without end.
  if (read?.from === 'relation' || within.includes(named)) return []
  const selection = selectionOf(named, within)
  return [{ kind: 'field', responseKey, field, arguments: [], selection, location: null, optional: true }]
}

/**
 * Returns the selection of any type for requests that name no fields, see {@link defaultSelection}; `null` for a scalar
 * or enum.
 * @param above types that contain this one, whose repetition is left out
 */
export function selectionOf(named: NamedType, above: readonly NamedType[] = []): Selection {
  if (named.kind === 'object') return defaultSelection(named, above)
  return named.kind === 'interface' || named.kind === 'union' ? abstractSelection(named, above) : null
}

function abstractSelection(type: InterfaceType | UnionType, above: readonly NamedType[]): AbstractSelection {
  const possible = type.members.map((member) => {
    const { fields, ...rest } = defaultSelection(member, [...above, type])
    return [
      member.name,
      { ...rest, fields: [{ kind: 'typename', responseKey: '__typename' } as const, ...fields] },
    ] as const
  })
  return { kind: 'abstract', possible: new Map(possible) }
}
