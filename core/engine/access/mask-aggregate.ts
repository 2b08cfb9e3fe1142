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

/** Returns the type of the rows that a selected aggregate field computes over. */
export function countedType(asked: AggregateSelection): NamedType {
  return 'operation' in asked ? asked.operation.named : asked.field.named
}

/**
 * Removes denied fields from a selected aggregate: `sum`, `min` and the like of such a field become null. If the
 * document groups by a denied field, the whole aggregate is null, because the groups would reveal its values. The
 * planner rejects denied fields in `groupBy` variables, `having` and `orderBy`.
 * @param at position of the aggregate in the document
 * @returns the selection without denied parts, and the positions of the removed parts
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

/**
 * Returns the denied target (`User.email`) of a field; `null`: the caller may see the field. A field of an interface is
 * denied if it is denied for any of the interface's types.
 */
export function deniedTarget(denied: Denied, named: NamedType, field: FieldModel): string | null {
  const objects = named.kind === 'object' ? [named] : named.kind === 'interface' ? named.members : []
  return objects.map(({ name }) => `${name}.${field.wireName}`).find((target) => denied.has(target)) ?? null
}

/** Returns the group keys that the document itself names, without those of variables. */
function fixedKeys({ groupBy }: AggregateOf): readonly FieldModel[] {
  if (groupBy === null || 'kind' in groupBy) return []
  return groupBy.map((by) => ('period' in by ? by.field : by))
}

/**
 * Returns the fields whose values a selected aggregate can reveal: group keys, measures, and fields in `having` and
 * `orderBy`. Fields in filter arguments are not included.
 */
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
