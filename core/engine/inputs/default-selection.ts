import type { AbstractSelection, FieldSelection, ObjectSelection, Selection } from '../../contract/operation.ts'
import type { FieldModel, InterfaceType, NamedType, ObjectType, UnionType } from '../../schema/model.ts'

/**
 * Returns the selection of a type when the client names no fields: all stored fields, with objects in documents complete. Relations, and
 * fields that the caller may not see, are omitted.
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

/** Returns the default selection of any type; `null` for a leaf. */
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
