import type { Access } from '../../contract/access.ts'
import type {
  AbstractSelection,
  EdgeMember,
  FieldSelection,
  Location,
  MaskedPath,
  ObjectSelection,
  Selection,
  WrapperField,
  WrapperSelection,
} from '../../contract/operation.ts'
import { isPartial } from './denials.ts'
import { countedType, maskAggregate } from './mask-aggregate.ts'

type Denied = Access['denied']
type SelectedField = Extract<FieldSelection, { kind: 'field' }>
type SelectedNumbers = Extract<FieldSelection, { kind: 'aggregate' }>

/** Position of a selection in the document of the client, for errors. */
export interface At {
  readonly path: readonly string[]
  readonly location: Location | null
}

/**
 * Result of removing denied parts from a selection: the remaining selection with the positions of the removed parts; or
 * `lost`, the position and target of a denial that makes the whole selection null.
 */
export type MaskedSelection<S> =
  | { readonly selection: S; readonly places: readonly MaskedPath[] }
  | { readonly lost: MaskedPath }

/**
 * Removes the fields and types that a caller may not see from a selection. If a non-null field is denied, its object
 * becomes null. A list of such objects becomes null as a whole, even if it is empty, so that the caller does not learn
 * its length.
 * @param at position of the selection in the document
 */
export function maskSelection(denied: Denied, selection: Selection, at: At): MaskedSelection<Selection> {
  if (selection === null) return { selection, places: [] }
  switch (selection.kind) {
    case 'object':
      return maskObject(denied, selection, at)
    case 'abstract':
      return maskAbstract(denied, selection, at)
    default:
      return maskWrapper(denied, selection, at)
  }
}

function maskObject(denied: Denied, selection: ObjectSelection, at: At): MaskedSelection<ObjectSelection> {
  const { type } = selection
  if (denied.has(type.name)) return { lost: { ...at, target: type.name } }
  const places: MaskedPath[] = []
  const fields: FieldSelection[] = []
  for (const field of selection.fields) {
    if (field.kind === 'aggregate') {
      const masked = maskNumbers(denied, type.name, field, at)
      fields.push(masked.selection)
      places.push(...masked.places)
      continue
    }
    if (field.kind !== 'field') {
      fields.push(field)
      continue
    }
    const masked = maskField(denied, type.name, field, {
      path: [...at.path, field.responseKey],
      location: field.location,
    })
    if (!('lost' in masked)) {
      fields.push(masked.selection)
      places.push(...masked.places)
    } else if (field.optional === true) {
      // The field is omitted.
    } else if (field.field.type.nullable) {
      fields.push({ kind: 'denied', responseKey: field.responseKey, field: field.field, target: masked.lost.target })
      places.push(masked.lost)
    } else return masked
  }
  return { selection: { ...selection, fields }, places }
}

/** Masks aggregates over related rows. They are null when the relation or the type of the rows is denied. */
function maskNumbers(
  denied: Denied,
  typeName: string,
  field: SelectedNumbers,
  { path }: At,
): { readonly selection: SelectedNumbers; readonly places: readonly MaskedPath[] } {
  const at = { path: [...path, field.responseKey], location: field.location }
  const names = [`${typeName}.${field.field.wireName}`, ...(field.field.guards ?? []), countedType(field).name]
  const target = names.find((name) => denied.has(name))
  if (target !== undefined) return { selection: { ...field, denied: target }, places: [{ ...at, target }] }
  const { masked, places } = maskAggregate(denied, field, at)
  return { selection: masked, places }
}

function maskField(denied: Denied, typeName: string, field: SelectedField, at: At): MaskedSelection<SelectedField> {
  const target = `${typeName}.${field.field.wireName}`
  const denial = denied.get(target)
  if (denial !== undefined && isPartial(denial) && field.unmasked !== true) {
    const unless = denial.unless === true ? { unless: target } : {}
    const masks = denial.masks === undefined ? {} : { masks: denial.masks }
    return { selection: { ...field, ...unless, ...masks }, places: [] }
  }
  if (denial !== undefined) return { lost: { ...at, target } }
  const guard = field.field.guards?.find((name) => denied.has(name))
  if (guard !== undefined) return { lost: { ...at, target: guard } }
  const below = maskSelection(denied, field.selection, at)
  return 'lost' in below ? below : { selection: { ...field, selection: below.selection }, places: below.places }
}

/** Masks the selection of an interface or union. Rows of denied types are hidden; the others stay. */
function maskAbstract(denied: Denied, selection: AbstractSelection, at: At): MaskedSelection<AbstractSelection> {
  const possible = new Map<string, ObjectSelection>()
  const places: MaskedPath[] = []
  let shown = 0
  let hidden: MaskedPath | null = null
  for (const [name, member] of selection.possible) {
    if (denied.has(name)) {
      hidden = { ...at, target: name }
      // The denial is an error only when the document selects fields of the type.
      if (member.fields.some(({ kind }) => kind !== 'typename')) places.push(hidden)
      possible.set(name, { ...member, denied: name })
      continue
    }
    const masked = maskObject(denied, member, at)
    if ('lost' in masked) return masked
    shown++
    possible.set(name, masked.selection)
    places.push(...masked.places)
  }
  return shown === 0 && hidden !== null ? { lost: hidden } : { selection: { ...selection, possible }, places }
}

/** Masks a connection or list wrapper. Its members with rows are non-null, so a lost selection loses the wrapper. */
function maskWrapper(denied: Denied, selection: WrapperSelection, at: At): MaskedSelection<WrapperSelection> {
  const places: MaskedPath[] = []
  const fields: WrapperField[] = []
  for (const field of selection.fields) {
    const masked = maskWrapperField(denied, field, { path: [...at.path, field.responseKey], location: at.location })
    if ('lost' in masked) return masked
    fields.push(masked.selection)
    places.push(...masked.places)
  }
  return { selection: { ...selection, fields }, places }
}

function maskWrapperField(denied: Denied, field: WrapperField, at: At): MaskedSelection<WrapperField> {
  if (field.field === 'items') {
    const items = maskSelection(denied, field.selection, at)
    return 'lost' in items ? items : { selection: { ...field, selection: items.selection }, places: items.places }
  }
  if (field.field !== 'edges') return { selection: field, places: [] }
  const places: MaskedPath[] = []
  const members: EdgeMember[] = []
  for (const member of field.members) {
    if (member.name !== 'node') {
      members.push(member)
      continue
    }
    const node = maskSelection(denied, member.selection, { ...at, path: [...at.path, member.responseKey] })
    if ('lost' in node) return node
    members.push({ ...member, selection: node.selection })
    places.push(...node.places)
  }
  return { selection: { ...field, members }, places }
}
