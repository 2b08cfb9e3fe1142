import { textToNumbers } from '../../base/util/exact-number.ts'
import { compileExpression } from '../../expression/compile-expression.ts'
import { ExpressionFailure } from '../../expression/expression-fault.ts'
import { areEqual, compareValues } from '../../expression/value.ts'
import type { InputFieldModel } from '../model.ts'
import type { CrossOperator, FieldName } from '../rules.ts'
import { scalarOf } from '../scalars.ts'
import type { Check, CheckSite, Facts, RuleOf } from './check.ts'
import { type ConditionField, conditionScope } from './condition-scope.ts'

/** Rules about more than one field. */

type Fields = Facts['fields']

/** Tests whether the field is present and not null. */
function isProvided(fields: Fields, { wire }: FieldName): boolean {
  return Object.hasOwn(fields, wire) && fields[wire] !== null && fields[wire] !== undefined
}

const HOLDS: Readonly<Record<Exclude<CrossOperator, 'eq'>, (order: number) => boolean>> = {
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gte: (order) => order >= 0,
  gt: (order) => order > 0,
}

/**
 * Compiles the rule `cross_field`, which compares the field with another one: numbers by value, dates and times by
 * time, texts by characters.
 */
export function checkCrossField(
  { value: { field: other, operator }, message }: RuleOf<'cross_field'>,
  site: CheckSite,
): Check {
  const { field } = site
  const asNumbers = field !== null && isNumberText(field)
  const otherAsNumbers = isNumberText(site.fields.get(other.wire))
  const objection = {
    message: message ?? `Must be ${operator} ${other.written}`,
    context: { rule: 'cross_field', field: other.wire, operator },
    below: [],
  }
  return ({ value, fields }, object) => {
    if (value === null || value === undefined || !isProvided(fields, other)) return
    const left = asNumber(value, asNumbers)
    const right = asNumber(fields[other.wire], otherAsNumbers)
    if (operator === 'eq') {
      if (!areEqual(left, right)) object(objection)
      return
    }
    const order = compareValues(left, right)
    if (order === null || !HOLDS[operator](order)) object(objection)
  }
}

function asNumber(value: unknown, isText: boolean): unknown {
  return isText ? textToNumbers(value) : value
}

/** Tests for fields whose numbers are transmitted as text: Decimal, BigInt. */
function isNumberText(field: InputFieldModel | undefined): boolean {
  if (field?.named.kind !== 'scalar') return false
  const { group, wire } = scalarOf(field.named)
  return group === 'number' && wire === 'string'
}

function conditionField(field: InputFieldModel): ConditionField {
  const { name, wireName, named, type } = field
  return {
    name,
    wireName,
    isList: type.kind === 'list',
    isNumberText: isNumberText(field),
    members: named.kind === 'input' ? () => [...named.fields.values()].map(conditionField) : 'any',
  }
}

/**
 * Compiles the rule `conditional`: the nested rules are checked only if the condition is true.
 * @param then the nested rules, compiled
 */
export function checkConditional(
  { value: { condition }, message }: RuleOf<'conditional'>,
  then: readonly Check[],
  site: CheckSite,
): Check {
  const own = site.field === null ? null : conditionField(site.field)
  const expression = compileExpression(condition, conditionScope([...site.fields.values()].map(conditionField), own))
  const undecided = {
    message: message ?? 'A condition cannot be decided with these values',
    context: { rule: 'conditional' },
    below: [],
  }
  return (facts, object) => {
    try {
      if (!expression.test(facts)) return
    } catch (error) {
      if (!(error instanceof ExpressionFailure)) throw error
      object(undecided)
      return
    }
    for (const check of then) {
      check(facts, (objection) => object(message === undefined ? objection : { ...objection, message }))
    }
  }
}

export function checkOneOf({ value: { fields: names }, message }: RuleOf<'one_of'>): Check {
  const list = names.map(({ written }) => written).join(', ')
  const context = { rule: 'one_of', fields: names.map(({ wire }) => wire) }
  return ({ fields }, object) => {
    const given = names.filter((name) => isProvided(fields, name)).length
    if (given === 1) return
    const text = message ?? `Exactly one of [${list}] must be provided, but ${given} were provided`
    object({ message: text, context, below: [] })
  }
}

export function checkAnyOf({ value: { fields: names }, message }: RuleOf<'any_of'>): Check {
  const list = names.map(({ written }) => written).join(', ')
  const context = { rule: 'any_of', fields: names.map(({ wire }) => wire) }
  const objection = { message: message ?? `At least one of [${list}] must be provided`, context, below: [] }
  return ({ fields }, object) => {
    if (!names.some((name) => isProvided(fields, name))) object(objection)
  }
}

export function checkConditionalRequired({ value, message }: RuleOf<'conditional_required'>): Check {
  const { if_field_present: present, then_required: wanted } = value
  return ({ fields }, object) => {
    if (!isProvided(fields, present)) return
    const missing = wanted.filter((name) => !isProvided(fields, name))
    if (missing.length === 0) return
    const text = message ?? `Since '${present.written}' is provided, ${quoted(missing)} must also be provided`
    object({
      message: text,
      context: { rule: 'conditional_required', missing: missing.map(({ wire }) => wire) },
      below: [],
    })
  }
}

export function checkRequiredIfAbsent({ value, message }: RuleOf<'required_if_absent'>): Check {
  const { absent_field: absent, then_required: wanted } = value
  return ({ fields }, object) => {
    if (isProvided(fields, absent)) return
    const missing = wanted.filter((name) => !isProvided(fields, name))
    if (missing.length === 0) return
    const text = message ?? `Since '${absent.written}' is not provided, ${quoted(missing)} must be provided`
    object({
      message: text,
      context: { rule: 'required_if_absent', missing: missing.map(({ wire }) => wire) },
      below: [],
    })
  }
}

function quoted(names: readonly FieldName[]): string {
  return names.map(({ written }) => `'${written}'`).join(', ')
}
