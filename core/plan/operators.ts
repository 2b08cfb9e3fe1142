import type { FieldModel } from '../schema/model.ts'
import { BUILTIN_SCALARS, scalarOf } from '../schema/scalars.ts'
import type { Operator, OperatorGroup } from './operator.ts'
import { COLLECTION_OPERATORS } from './operators-collection.ts'
import { SCALAR_OPERATORS } from './operators-scalar.ts'
import { TEXT_OPERATORS } from './operators-text.ts'

export type { OperandKind, Operator, OperatorGroup } from './operator.ts'

/**
 * The one table of operators (behaviours 3.2): GraphQL inputs, REST brackets, OpenAPI, error lists and the filter
 * compiler read it, so that nothing is advertised that does not run.
 */
export const OPERATORS: readonly Operator[] = [...SCALAR_OPERATORS, ...TEXT_OPERATORS, ...COLLECTION_OPERATORS]

/** Every name that is an operator somewhere. No field may be called like one. */
export const OPERATOR_NAMES: ReadonlySet<string> = new Set(OPERATORS.map((operator) => operator.name))

const byGroup = new Map<OperatorGroup, readonly Operator[]>()
for (const operator of OPERATORS) {
  for (const group of operator.groups) byGroup.set(group, [...(byGroup.get(group) ?? []), operator])
}

/** The operators of a kind of field, in the order of the table. */
export function operatorsOfGroup(group: OperatorGroup): readonly Operator[] {
  return byGroup.get(group) ?? []
}

const EQUALITY = new Set(['_eq', '_neq', '_in', '_nin', '_is_null', '_is_not_null'])
const known = new WeakMap<FieldModel, readonly Operator[]>()

/**
 * The operators that a filter on this field takes: those of its type, fewer when the field restricts them. Objects,
 * unions, lists of lists and fields that cannot be filtered have none.
 */
export function operatorsFor(field: FieldModel): readonly Operator[] {
  let operators = known.get(field)
  if (operators === undefined) {
    operators = pickOperators(field)
    known.set(field, operators)
  }
  return operators
}

/** One operator of a field by name, `undefined` when the field does not take it. */
export function operatorOf(field: FieldModel, name: string): Operator | undefined {
  return operatorsFor(field).find((operator) => operator.name === name)
}

function pickOperators(field: FieldModel): readonly Operator[] {
  const group = groupOf(field)
  if (group === null || !field.filterable || field.read === null || field.read.from === 'relation') return []
  let operators = operatorsOfGroup(group)
  if (group !== 'list' && field.named.kind === 'scalar' && field.named.custom) {
    operators = operators.filter((operator) => EQUALITY.has(operator.name))
  }
  const lacking = field.lackingOperators
  if (lacking.size > 0) operators = operators.filter((operator) => !lacking.has(operator.id))
  const allowed = field.filterOperators
  return allowed === null ? operators : operators.filter((operator) => allowed.includes(operator.name))
}

/** The kind of field that decides the operators; `null` when it has none. */
export function groupOf(field: FieldModel): OperatorGroup | null {
  const { named, type } = field
  if (named.kind !== 'scalar' && named.kind !== 'enum') return null
  if (type.kind === 'list') return type.of.kind === 'list' ? null : 'list'
  if (named.kind === 'enum') return 'enum'
  return filterScalar(field)?.group ?? scalarOf(named).group
}

/** `filter_type: "StringFilter"` gives a field the operators of another built-in scalar. */
function filterScalar(field: FieldModel): { readonly group: OperatorGroup } | undefined {
  if (field.filterType === undefined || !field.filterType.endsWith('Filter')) return undefined
  return BUILTIN_SCALARS.get(scalarNameOfFilter(field.filterType))
}

function scalarNameOfFilter(filterType: string): string {
  const name = filterType.slice(0, -'Filter'.length)
  return name === 'Json' ? 'JSON' : name
}

/**
 * Name of the GraphQL input of a field's filter (behaviours 3.3): `IDFilter`, `StringArrayFilter`, `JsonFilter`,
 * `{Enum}Filter`. A field that restricts its operators gets a type of its own that says so: `StringEqInFilter`. Equal
 * names mean equal members, for one element type.
 */
export function filterTypeName(field: FieldModel): string {
  const scalar = field.named.name === 'JSON' ? 'Json' : field.named.name
  const base = `${scalar}${field.type.kind === 'list' ? 'Array' : ''}`
  const own = field.filterType ?? `${base}Filter`
  if (field.filterOperators === null) return own
  const suffix = operatorsFor(field).map((operator) =>
    operator.name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  )
  return `${own.endsWith('Filter') ? own.slice(0, -'Filter'.length) : own}${suffix.join('')}Filter`
}
