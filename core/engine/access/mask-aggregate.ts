import type { Access } from '../../contract/access.ts'
import type {
  AggregateField,
  AggregateOf,
  AggregateRoot,
  FieldSelection,
  Location,
  MaskedPath,
} from '../../contract/operation.ts'
import type { FieldModel, NamedType } from '../../schema/model.ts'

type Denied = Access['denied']
type AggregateSelection = AggregateRoot | Extract<FieldSelection, { kind: 'aggregate' }>

/** Returns the type of the aggregated rows. */
export function countedType(asked: AggregateSelection): NamedType {
  return 'operation' in asked ? asked.operation.named : asked.field.named
}

/**
 * Masks an aggregate: measures of denied fields are null. Grouping by a denied field makes the whole aggregate null, because the groups
 * would reveal its values. Denied fields in `groupBy` variables, `having` and `orderBy` are rejected later, by the planner.
 * @returns the masked aggregate and the places of its denials
 */
export function maskAggregate<T extends AggregateSelection>(
  denied: Denied,
  asked: T,
  at: { readonly path: readonly string[]; readonly location: Location | null },
): { readonly masked: T; readonly places: readonly MaskedPath[] } {
  const of = countedType(asked)
  const closed = fixedKeys(asked)
    .map((field) => deniedTarget(denied, of, field))
    .find((target) => target !== null)
  if (closed != null) return { masked: { ...asked, denied: closed }, places: [{ ...at, target: closed }] }
  const places: MaskedPath[] = []
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

/** Returns the target that denies a field; `null`: it is not denied. A field of an interface is denied when that of any of its types is. */
export function deniedTarget(denied: Denied, named: NamedType, field: FieldModel): string | null {
  const objects = named.kind === 'object' ? [named] : named.kind === 'interface' ? named.members : []
  return objects.map(({ name }) => `${name}.${field.wireName}`).find((target) => denied.has(target)) ?? null
}

/** Returns the group keys that the document itself names, without those of variables. */
function fixedKeys({ groupBy }: AggregateOf): readonly FieldModel[] {
  if (groupBy === null || 'kind' in groupBy) return []
  return groupBy.map((by) => ('period' in by ? by.field : by))
}

/** Returns the fields whose values an aggregate can reveal, except those in its arguments. */
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
