import type { NamedType } from '../../../core/doors/front.ts'
import type { FieldModel, FieldSelection, ObjectSelection, ObjectType, Selection } from '../../../core/doors/plugin.ts'

/** Levels of objects: the row, and the single objects in it. */
const LEVELS = 2

/**
 * What a tool answers of a row where the agent chooses no fields: its values, and those of the single objects in it, stored or
 * related. What leads to many rows is asked for by name. What the caller may not see is left out.
 */
export function shallowSelection(named: NamedType): Selection {
  return select(named, LEVELS)
}

function select(named: NamedType, levels: number): Selection {
  if (named.kind === 'object') return objectOf(named, levels)
  if (named.kind !== 'interface' && named.kind !== 'union') return null
  const possible = named.members.map((member) => {
    const { fields, ...rest } = objectOf(member, levels)
    return [member.name, { ...rest, fields: [TYPE_NAME, ...fields] }] as const
  })
  return { kind: 'abstract', possible: new Map(possible) }
}

const TYPE_NAME: FieldSelection = { kind: 'typename', responseKey: '__typename' }

function objectOf(type: ObjectType, levels: number): ObjectSelection {
  return { kind: 'object', type, fields: [...type.fields.values()].flatMap((field) => fieldOf(field, levels)) }
}

function fieldOf(field: FieldModel, levels: number): readonly FieldSelection[] {
  const selection = isComposite(field.named) ? belowOf(field, levels) : null
  if (selection === 'nothing') return []
  const { wireName: responseKey } = field
  return [{ kind: 'field', responseKey, field, arguments: [], selection, location: null, optional: true }]
}

function belowOf({ read, list, named }: FieldModel, levels: number): Selection | 'nothing' {
  if (levels === 1 || (list && read?.from === 'relation')) return 'nothing'
  const selection = select(named, levels - 1)
  return hasFields(selection) ? selection : 'nothing'
}

function isComposite({ kind }: NamedType): boolean {
  return kind === 'object' || kind === 'interface' || kind === 'union'
}

function hasFields(selection: Selection): boolean {
  if (selection?.kind === 'object') return selection.fields.length > 0
  return selection?.kind === 'abstract'
}
