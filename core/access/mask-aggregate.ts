import type { Access } from '../contract/access.ts'
import type { AggregateField, AggregateRoot, MaskedPlace } from '../contract/operation.ts'
import type { FieldModel } from '../schema/model.ts'

type Denied = Access['denied']

/**
 * An aggregate with null for the numbers about denied fields. Groups by such a field are lost as a whole: that there are
 * groups tells what it holds. What conditions and order say of it is refused where they are planned.
 */
export function maskAggregate(
  denied: Denied,
  root: AggregateRoot,
): { readonly root: AggregateRoot; readonly places: readonly MaskedPlace[] } {
  const at = { path: [root.responseKey], location: root.location }
  const closed = (root.groupBy ?? [])
    .map((field) => deniedTarget(denied, root, field))
    .find((target) => target !== null)
  if (closed != null) return { root: { ...root, denied: closed }, places: [{ ...at, target: closed }] }
  const places: MaskedPlace[] = []
  const fields = maskFields(denied, root, root.fields, at.path, places)
  return { root: { ...root, fields }, places }
}

function maskFields(
  denied: Denied,
  root: AggregateRoot,
  fields: readonly AggregateField[],
  path: readonly string[],
  places: MaskedPlace[],
): readonly AggregateField[] {
  return fields.map((field): AggregateField => {
    const { responseKey } = field
    const at = [...path, responseKey]
    if (field.kind === 'object') return { ...field, fields: maskFields(denied, root, field.fields, at, places) }
    const target = field.kind === 'measure' && field.field !== null ? deniedTarget(denied, root, field.field) : null
    if (target === null) return field
    places.push({ path: at, target, location: root.location })
    return { kind: 'denied', responseKey, target }
  })
}

/** Of a field of an interface: that of any type that may stand behind it. */
export function deniedTarget(denied: Denied, { operation }: AggregateRoot, field: FieldModel): string | null {
  const { named } = operation
  const objects = named.kind === 'object' ? [named] : named.kind === 'interface' ? named.members : []
  return objects.map(({ name }) => `${name}.${field.wireName}`).find((target) => denied.has(target)) ?? null
}

/** All fields that an aggregate tells something of. */
export function fieldsOfAggregate({ groupBy, fields, having, orderBy }: AggregateRoot): readonly FieldModel[] {
  const found = [...(groupBy ?? [])]
  const collect = (members: readonly AggregateField[]): void => {
    for (const member of members) {
      if (member.kind === 'object') collect(member.fields)
      else if ((member.kind === 'measure' || member.kind === 'key') && member.field !== null) found.push(member.field)
    }
  }
  collect(fields)
  for (const { measure } of having) if (measure.field !== null) found.push(measure.field)
  for (const { by } of orderBy) {
    const field = 'key' in by ? by.key : by.field
    if (field !== null) found.push(field)
  }
  return found
}
