import type { Access } from '../contract/access.ts'
import type {
  AggregateField,
  AggregateOf,
  AggregateRoot,
  FieldSelection,
  Location,
  MaskedPlace,
} from '../contract/operation.ts'
import type { FieldModel, NamedType } from '../schema/model.ts'

type Denied = Access['denied']
type AggregateSelection = AggregateRoot | Extract<FieldSelection, { kind: 'aggregate' }>

/** The type of the rows that an aggregate is about. */
export function countedType(asked: AggregateSelection): NamedType {
  return 'operation' in asked ? asked.operation.named : asked.field.named
}

/**
 * An aggregate with null for the numbers about denied fields. Groups by such a field are lost as a whole: that there are
 * groups tells what it holds. What variables group by, and what conditions and order say of it, is refused where they are
 * planned.
 */
export function maskAggregate<T extends AggregateSelection>(
  denied: Denied,
  asked: T,
  at: { readonly path: readonly string[]; readonly location: Location | null },
): { readonly masked: T; readonly places: readonly MaskedPlace[] } {
  const of = countedType(asked)
  const closed = fixedKeys(asked)
    .map((field) => deniedTarget(denied, of, field))
    .find((target) => target !== null)
  if (closed != null) return { masked: { ...asked, denied: closed }, places: [{ ...at, target: closed }] }
  const places: MaskedPlace[] = []
  const maskFields = (fields: readonly AggregateField[], path: readonly string[]): readonly AggregateField[] =>
    fields.map((field): AggregateField => {
      const { responseKey } = field
      const below = [...path, responseKey]
      if (field.kind === 'object') return { ...field, fields: maskFields(field.fields, below) }
      const target = field.kind === 'measure' && field.field !== null ? deniedTarget(denied, of, field.field) : null
      if (target === null) return field
      places.push({ path: below, target, location: at.location })
      return { kind: 'denied', responseKey, target }
    })
  return { masked: { ...asked, fields: maskFields(asked.fields, at.path) }, places }
}

/** The target under which the field is denied. A field of an interface is denied where that of any type behind it is. */
export function deniedTarget(denied: Denied, named: NamedType, field: FieldModel): string | null {
  const objects = named.kind === 'object' ? [named] : named.kind === 'interface' ? named.members : []
  return objects.map(({ name }) => `${name}.${field.wireName}`).find((target) => denied.has(target)) ?? null
}

/** Keys that the document names. */
function fixedKeys({ groupBy }: AggregateOf): readonly FieldModel[] {
  if (groupBy === null || 'kind' in groupBy) return []
  return groupBy.map((by) => ('period' in by ? by.field : by))
}

/** All fields that an aggregate tells something of, but for those that its arguments name. */
export function fieldsOfAggregate(asked: AggregateOf): readonly FieldModel[] {
  const found = [...fixedKeys(asked)]
  const collect = (members: readonly AggregateField[]): void => {
    for (const member of members) {
      if (member.kind === 'object') collect(member.fields)
      else if ((member.kind === 'measure' || member.kind === 'key') && member.field !== null) found.push(member.field)
    }
  }
  collect(asked.fields)
  for (const { measure } of asked.having) if (measure.field !== null) found.push(measure.field)
  for (const { by } of asked.orderBy) {
    const field = 'key' in by ? by.key : by.field
    if (field !== null) found.push(field)
  }
  return found
}
