import type { EnumType, FieldModel, ScalarType } from '../model.ts'
import { isPlaceColumn } from '../place.ts'
import { type BuiltinScalar, findScalar, scalarOf } from '../scalars.ts'
import { CODE_OPERATORS } from './code-operators.ts'
import { EXTENT_OPERATORS } from './extent-operators.ts'
import { NETWORK_OPERATORS } from './network-operators.ts'
import { defineOperators, type Operator, type OperatorEntry, type OperatorGroup } from './operator.ts'
import { COLLECTION_OPERATORS } from './operators-collection.ts'
import { SCALAR_OPERATORS } from './operators-scalar.ts'
import { TEXT_OPERATORS } from './operators-text.ts'
import { PLACE_OPERATORS } from './place-operators.ts'
import { VECTOR_OPERATORS } from './vector-operators.ts'

export type { OperandKind, Operator, OperatorGroup } from './operator.ts'

/**
 * Filter operators that exist for single scalars only, such as `_domain_eq` for `Email`
 * (docs/reference/scalars.md#operators-of-single-scalars). They use only what the stored value contains; the carrier of
 * a telephone number, for example, is not part of it.
 */
export const SPECIAL_OPERATORS: readonly Operator[] = defineOperators(
  [...CODE_OPERATORS, ...NETWORK_OPERATORS, ...EXTENT_OPERATORS, ...VECTOR_OPERATORS, ...PLACE_OPERATORS].map(
    (entry: OperatorEntry): OperatorEntry => ({ ...entry, aliases: [...(entry.aliases ?? []), aliasOf(entry.name)] }),
  ),
)

/**
 * All filter operators. GraphQL inputs, REST filters, OpenAPI, error messages and the filter compiler use this one
 * table, so that each operator in an API is implemented (docs/reference/scalars.md#operators-of-filters).
 */
export const OPERATORS: readonly Operator[] = [
  ...SCALAR_OPERATORS,
  ...TEXT_OPERATORS,
  ...COLLECTION_OPERATORS,
  ...SPECIAL_OPERATORS,
]

/** Names of all filter operators. Fields of object types and interfaces must not have these names. */
export const OPERATOR_NAMES: ReadonlySet<string> = new Set(OPERATORS.map((operator) => operator.name))

const byGroup = new Map<OperatorGroup, readonly Operator[]>()
for (const operator of OPERATORS) {
  for (const group of operator.groups) byGroup.set(group, [...(byGroup.get(group) ?? []), operator])
}

/** Returns the filter operators of one kind of field, in the order of `OPERATORS`. */
export function operatorsOfGroup(group: OperatorGroup): readonly Operator[] {
  return byGroup.get(group) ?? []
}

const ORDER = new Set(['_gt', '_gte', '_lt', '_lte'])
const EQUALITY = new Set(['_eq', '_neq', '_in', '_nin', '_is_null', '_is_not_null'])
const known = new WeakMap<FieldModel, readonly Operator[]>()

/**
 * Returns the filter operators that clients can use on a field: those of its type, or fewer if the author restricts
 * them. Objects, unions, nested lists and fields with `filterable: false` have none.
 */
export function operatorsFor(field: FieldModel): readonly Operator[] {
  let operators = known.get(field)
  if (operators === undefined) {
    operators = pickOperators(field)
    known.set(field, operators)
  }
  return operators
}

/** Finds a filter operator of a field by its name; `undefined`: clients cannot use it on this field. */
export function operatorOf(field: FieldModel, name: string): Operator | undefined {
  return operatorsFor(field).find((operator) => operator.name === name)
}

/**
 * Finds a filter operator for a condition that `authorize` returns. Such a condition may also use operators that
 * clients cannot. `undefined`: the field's type has no such operator.
 */
export function anyOperatorOf(field: FieldModel, name: string): Operator | undefined {
  return typeOperators(field).find((operator) => operator.name === name)
}

function pickOperators(field: FieldModel): readonly Operator[] {
  if (!field.filterable) return []
  const operators = typeOperators(field)
  const allowed = field.filterOperators
  return allowed === null ? operators : operators.filter((operator) => allowed.includes(operator.name))
}

/** Returns all operators that the type of the field has and the database supports. */
function typeOperators(field: FieldModel): readonly Operator[] {
  const group = groupOf(field)
  if (group === null || field.read === null || field.read.from === 'relation') return []
  let operators = operatorsOfGroup(group)
  const scalar = semanticOf(field)
  if (group !== 'list' && scalar?.semantic !== undefined) {
    if (scalar.semantic.unordered) operators = operators.filter((operator) => !ORDER.has(operator.name))
    const ofPlaces = group === 'place'
    operators = [
      ...operators,
      ...specialOperators(field, scalar.name).filter(({ columns }) => !ofPlaces || columns.some(isPlaceColumn)),
    ]
  }
  if (group !== 'list' && field.named.kind === 'scalar' && field.named.custom) {
    operators = operators.filter((operator) => EQUALITY.has(operator.name) || operator.scalars.length > 0)
  }
  const lacking = field.lackingOperators
  return lacking.size > 0 ? operators.filter((operator) => !lacking.has(operator.id)) : operators
}

/** Returns the semantic scalar whose operators a field has: its own, that of its base, or that of its `filter_type`. */
function semanticOf(field: FieldModel): BuiltinScalar | undefined {
  if (field.named.kind !== 'scalar') return undefined
  const scalar = filterScalar(field) ?? findScalar(field.named.semantic ?? field.named.base)
  return scalar?.semantic === undefined ? undefined : scalar
}

function specialOperators(field: FieldModel, scalar: string): readonly Operator[] {
  const { read } = field
  const type = read?.from === 'column' ? read.column_type : null
  return SPECIAL_OPERATORS.filter(
    ({ scalars, columns, operand }) =>
      scalars.includes(scalar) &&
      (operand !== 'key' || field.hierarchy !== null) &&
      (columns.length === 0 || (type !== null && columns.includes(type))),
  )
}

/** Returns the kind of a field that determines its filter operators; `null`: the field has none. */
export function groupOf(field: FieldModel): OperatorGroup | null {
  const { named, type } = field
  if (named.kind !== 'scalar' && named.kind !== 'enum') return null
  if (type.kind === 'list') return type.of.kind === 'list' || isVector(named) ? null : 'list'
  if (named.kind === 'enum') return 'enum'
  if (field.place !== null) return 'place'
  return filterScalar(field)?.group ?? scalarOf(named).group
}

function isVector(named: ScalarType | EnumType): boolean {
  return named.kind === 'scalar' && scalarOf(named).group === 'vector'
}

/**
 * Returns the scalar that the option `filter_type` names: with `"StringFilter"`, a field has the filter operators of
 * String. `undefined`: the option is absent, or names another input type.
 */
export function filterScalar(field: FieldModel): BuiltinScalar | undefined {
  if (field.filterType === undefined || !field.filterType.endsWith('Filter')) return undefined
  return findScalar(scalarNameOfFilter(field.filterType))
}

function scalarNameOfFilter(filterType: string): string {
  const name = filterType.slice(0, -'Filter'.length)
  return name === 'Json' ? 'JSON' : name
}

/**
 * Returns the name of the GraphQL input type for filters on a field: `IDFilter`, `StringArrayFilter`, `JsonFilter`,
 * `<Enum>Filter`. With the option `filter_operators`, the name contains the operators: `StringEqInFilter`. Fields with
 * the same name have the same operators.
 */
export function filterTypeName(field: FieldModel): string {
  const scalar = field.named.name === 'JSON' ? 'Json' : field.named.name
  const kind =
    field.type.kind === 'list'
      ? 'Array'
      : field.place !== null
        ? PLACES[field.place.type]
        : isOutOfItsColumn(field)
          ? 'Text'
          : ''
  const tree = kind === '' && field.hierarchy !== null ? 'Hierarchy' : ''
  const given = filterScalar(field) === undefined ? field.filterType : declaredFilterName(field, kind)
  const own = given ?? `${scalar}${kind}${tree}Filter`
  if (field.filterOperators === null) return own
  const suffix = operatorsFor(field).map((operator) =>
    operator.name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  )
  return `${own.endsWith('Filter') ? own.slice(0, -'Filter'.length) : own}${suffix.join('')}Filter`
}

/**
 * Returns the name of the filter for `filter_type`: that of fields of the named scalar. A custom scalar has fewer
 * operators, so its filter has a name of its own.
 */
function declaredFilterName({ named, filterType }: FieldModel, kind: string): string {
  const own = named.kind === 'scalar' && named.custom ? named.name : ''
  return `${own}${filterType!.slice(0, -'Filter'.length)}${kind}Filter`
}

const PLACES = { geography: 'Geography', geometry: 'Geometry' } as const

const COLUMN_BOUND: ReadonlySet<string> = new Set(
  SPECIAL_OPERATORS.filter(({ columns }) => columns.length > 0 && !columns.some(isPlaceColumn)).flatMap(
    ({ scalars }) => scalars,
  ),
)

/**
 * Tests whether the scalar has operators that need another column type than that of the field. The filter then has a
 * name of its own.
 */
function isOutOfItsColumn(field: FieldModel): boolean {
  const scalar = semanticOf(field)
  if (scalar === undefined || !COLUMN_BOUND.has(scalar.name)) return false
  return !specialOperators(field, scalar.name).some(({ columns }) => columns.length > 0)
}

/** Returns the name that REST accepts, normalised: `domaineq` for `_domain_eq`. */
function aliasOf(name: string): string {
  return name.replaceAll('_', '')
}
