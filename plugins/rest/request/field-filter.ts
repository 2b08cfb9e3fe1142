import {
  type Coercer,
  compileCoercer,
  filterOperators,
  type NamedType,
  queryStrings,
  type TypeRef,
  typeRefs,
} from '../../../core/doors/front.ts'
import type { FieldModel } from '../../../core/doors/plugin.ts'
import { invalidFields, nullInFilter, unknownOperator } from './refusals.ts'

/** A filter operator of a field in REST, with functions that read its operand. */
export interface FieldOperator {
  /** Name of the operator in GraphQL filters: `_eq`. */
  readonly name: string
  /**
   * Reads the operand from a query string.
   * @param place name of the parameter, for errors
   * @throws SvcError VALIDATION_ERROR with status 422
   */
  readText(text: string, place: string): unknown
  /**
   * Reads the operand from the JSON of the parameter `filter`.
   * @param place path of the value, for errors
   * @throws SvcError BAD_USER_INPUT for null
   */
  readValue(value: unknown, place: string): unknown
}

/** In the order in which they are documented. */
const BRACKETS = [
  'eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'contains', 'icontains', 'startswith', 'endswith', 'like', 'ilike', 'is_null',
] // biome-ignore format: one line
const byField = new WeakMap<FieldModel, ReadonlyMap<string, FieldOperator>>()

/**
 * Finds a filter operator of a field by any of its spellings: `gte`, `_gte`, `domainEq`, `_domain_eq` or an alias.
 * @throws SvcError UNKNOWN_OPERATOR
 */
export function operatorOfField(field: FieldModel, spelling: string): FieldOperator {
  let operators = byField.get(field)
  if (operators === undefined) {
    operators = compileOperators(field)
    byField.set(field, operators)
  }
  const operator = operators.get(normalise(spelling))
  if (operator === undefined) throw unknownOperator(field.wireName, spelling, operatorNames(field))
  return operator
}

/** A filter operator as it is written in brackets in a query string: `name[gte]`. */
export interface BracketOperator {
  readonly name: string
  readonly operator: filterOperators.Operator
}

interface Bracket extends BracketOperator {
  /** In the order in which they are documented. */
  readonly place: number
}

/** Bracket names by operator. Many fields share an operator. */
const brackets = new WeakMap<filterOperators.Operator, Bracket>()

/** Returns the filter operators of a field in REST, in the order of the documentation. */
export function bracketOperators(field: FieldModel): readonly BracketOperator[] {
  return filterOperators
    .ofField(field)
    .map(bracketOf)
    .sort((a, b) => a.place - b.place)
}

function bracketOf(operator: filterOperators.Operator): Bracket {
  let bracket = brackets.get(operator)
  if (bracket === undefined) {
    const word = operator.name.slice(1)
    const place = BRACKETS.indexOf(word)
    bracket = place < 0 ? { name: camel(word), operator, place: BRACKETS.length } : { name: word, operator, place }
    brackets.set(operator, bracket)
  }
  return bracket
}

function operatorNames(field: FieldModel): readonly string[] {
  return bracketOperators(field).map(({ name }) => name)
}

function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function normalise(spelling: string): string {
  return spelling.toLowerCase().replaceAll('_', '')
}

function compileOperators(field: FieldModel): ReadonlyMap<string, FieldOperator> {
  const operators = new Map<string, FieldOperator>()
  const all = filterOperators
    .ofField(field)
    .map((operator) => ({ operator, compiled: compileOperator(field, operator) }))
  // The main name of an operator takes precedence over an alias of another one.
  for (const { operator, compiled } of all)
    for (const alias of operator.aliases) operators.set(normalise(alias), compiled)
  for (const { operator, compiled } of all) operators.set(normalise(operator.name), compiled)
  return operators
}

function compileOperator(field: FieldModel, operator: filterOperators.Operator): FieldOperator {
  const { notation, shape } = filterOperators.operandInput(operator, field)
  const ref = refOf(notation)
  const named: NamedType | null = operator.operand === 'field' || operator.operand === 'list' ? field.named : null
  const coerce: Coercer = compileCoercer(ref, shape)
  const check = (place: string, read: () => unknown): unknown => {
    try {
      return read()
    } catch (error) {
      throw invalidFields([{ field: place, reason: error instanceof Error ? error.message : String(error) }])
    }
  }
  return {
    name: operator.name,
    readText: (text, place) => check(place, () => coerce(queryStrings.textValue(text, ref, shape, named))),
    readValue: (value, place) => {
      if (value === null) throw nullInFilter(place)
      return check(place, () => coerce(value))
    },
  }
}

function refOf(notation: string): TypeRef {
  const ref = typeRefs.parse(notation)
  if (ref === null) throw new Error(`${notation} is no type`)
  return ref
}
