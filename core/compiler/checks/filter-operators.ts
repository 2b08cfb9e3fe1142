import { toWireName } from '../../base/util/naming.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import type { FieldModel, SchemaModel } from '../../schema/model.ts'
import { filterScalar, OPERATORS, operatorsFor } from '../../schema/operators/operators.ts'
import { findScalar, SCALAR_NAMES, scalarOf } from '../../schema/scalars.ts'
import { printTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'

/**
 * Checks that the operators in the option `filter_operators` of a field exist for its type. It runs on the schema with
 * resolved names (`SchemaModel`), for which the operators of each field are known.
 */
export function checkFilterOperators(context: CompileContext, compiled: CompiledSchema, model: SchemaModel): void {
  const { schema, report } = context
  for (const owner of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    const linked = model.types.get(owner.name)
    if (linked?.kind !== 'object' && linked?.kind !== 'interface') continue
    for (const field of owner.fields) {
      const own = linked.fields.get(toWireName(field.name))
      if (own === undefined) continue
      const { filter_operators: wanted, filter_type: type } = field
      const label = `${owner.name}.${field.name}`
      const names = wanted === undefined ? [] : operatorsFor(unrestricted(own)).map((operator) => operator.name)
      for (const operator of wanted ?? []) {
        if (names.includes(operator)) continue
        const hint = didYouMean(operator, names)
        const known =
          columnsOf(own, operator) ?? (names.length === 0 ? ' It has none.' : ` It has: ${listNames(names, 40)}.`)
        report.fault(
          'filter-operator',
          `${label}: ${field.type} has no operator "${operator}".${hint === '' ? known : hint}`,
          field,
          owner,
        )
      }
      if (type === undefined || compiled.input_types.some((input) => input.name === type)) continue
      if (isFilterName(type)) {
        const problem = misfit(own)
        if (problem !== null) report.fault('filter-type', `${label}: filter_type "${type}": ${problem}`, field, owner)
        continue
      }
      const inputs = compiled.input_types.map((input) => input.name)
      const filters = SCALAR_NAMES.map((scalar) => `${scalar === 'JSON' ? 'Json' : scalar}Filter`)
      report.fault(
        'filter-type',
        `${label}: filter_type "${type}" is no input type and no built-in filter.${didYouMean(type, [...inputs, ...filters])}`,
        field,
        owner,
      )
    }
  }
}

function unrestricted(field: FieldModel): FieldModel {
  return { ...field, filterOperators: null }
}

/** Returns a sentence with the column types on which the scalar has the operator; `null`: it has it on none. */
function columnsOf({ named }: FieldModel, name: string): string | null {
  const scalar = named.kind === 'scalar' ? (named.semantic ?? named.name) : ''
  const found = OPERATORS.filter((operator) => operator.name === name && operator.scalars.includes(scalar))
  const columns = [...new Set(found.flatMap((operator) => operator.columns))]
  return columns.length === 0 ? null : ` It needs a column of the type ${listNames(columns)}.`
}

/** Groups of scalars that text operators can compare as text. */
const AS_TEXT = new Set(['id', 'string', 'number', 'boolean', 'datetime', 'date', 'time'])

/**
 * @returns the reason why the field cannot have the operators of another scalar (its `filterType`); `null` when it can
 */
function misfit(field: FieldModel): string | null {
  const { named, type } = field
  const filter = filterScalar(field)
  if (filter === undefined) return null
  if (type.kind === 'list') return 'a list has operators of its own. Drop it, or leave some with filter_operators.'
  if (named.kind !== 'scalar') return 'only fields of scalars take the operators of another. Drop it.'
  const { group } = scalarOf(named)
  if (filter.group === group || ((filter.group === 'id' || filter.group === 'string') && AS_TEXT.has(group)))
    return null
  return `${printTypeRef(type)} cannot carry its operators, which are those of ${filter.name}. Declare ${filter.name}, or drop it.`
}

function isFilterName(type: string): boolean {
  if (!type.endsWith('Filter')) return false
  const scalar = type.slice(0, -'Filter'.length)
  return findScalar(scalar === 'Json' ? 'JSON' : scalar) !== undefined
}
