import { didYouMean } from '../../base/util/nearest.ts'
import { compileExpression } from '../../expression/compile-expression.ts'
import { compilePattern } from '../../expression/pattern/pattern.ts'
import { conditionScope } from '../../schema/checks/condition-scope.ts'
import type { CrossField, Rule } from '../../schema/rules.ts'
import { findField, type RuleField, type RuleOwner } from './rule-owner.ts'
import type { RulePlace } from './rule-place.ts'

/** Rules about several fields of an input. */
const GROUPS: ReadonlySet<Rule['type']> = new Set(['one_of', 'any_of', 'conditional_required', 'required_if_absent'])
/** Rules about a value or several fields. The rules inside of them are checked separately. */
const EITHER: ReadonlySet<Rule['type']> = new Set(['conditional', 'all', 'any'])

/**
 * Checks that a validation rule can be applied to its input, operation or field: for example, `range` only to a number.
 * Reports a fault otherwise.
 * @returns `false` after a fault
 */
export function checkRule(rule: Rule, place: RulePlace): boolean {
  const problem = placeProblem(rule, place) ?? ownProblem(rule, place)
  if (problem !== null) place.fault(problem)
  return problem === null
}

function placeProblem({ type }: Rule, { owner, field }: RulePlace): string | null {
  if (EITHER.has(type)) return null
  const what = owner.isInput ? 'an input' : 'an operation'
  if (field === null && !GROUPS.has(type)) {
    const [first] = owner.fields.keys()
    return `it is about one field, and ${owner.name} is ${what}. Name the field: "${owner.name}.${first ?? 'field'}".`
  }
  if (field !== null && GROUPS.has(type)) {
    return `it is about the fields of an input together, and ${owner.name}.${field.name} is one of them. Put it on ${owner.name}.`
  }
  return null
}

function ownProblem(rule: Rule, { owner, field }: RulePlace): string | null {
  if (rule.type === 'conditional') return conditionProblem(rule.value.condition, owner, field)
  if (field === null || field.kind === 'unknown') return null
  switch (rule.type) {
    case 'pattern':
      return textProblem(field) ?? patternProblem(rule.value)
    case 'checksum':
      return textProblem(field)
    case 'length':
      return field.isList ? null : textProblem(field)
    case 'range':
      if (field.kind === 'number') return null
      return `it is for numbers, and ${field.typeName} is none. Use ${field.kind === 'text' ? 'length' : 'cross_field or custom'}.`
    case 'enum':
      return field.kind === 'enum' ? enumProblem(rule.value, field) : textProblem(field)
    case 'cross_field':
      return crossProblem(rule.value, field, owner)
    default:
      return null
  }
}

function textProblem({ kind, typeName }: RuleField): string | null {
  if (kind === 'text' || kind === 'date') return null
  const instead =
    kind === 'number' ? 'Use range (minimum, maximum)' : kind === 'enum' ? 'Use enum' : 'Use custom, or another type'
  return `it is for texts, and ${typeName} is none. ${instead}.`
}

function patternProblem(source: string): string | null {
  try {
    compilePattern(source)
    return null
  } catch (error) {
    return `the regular expression ${JSON.stringify(source)} cannot be used: ${(error as Error).message}.`
  }
}

function conditionProblem(condition: string, owner: RuleOwner, field: RuleField | null): string | null {
  try {
    compileExpression(condition, conditionScope([...owner.fields.values()], field))
    return null
  } catch (error) {
    return `the condition ${JSON.stringify(condition)}: ${(error as Error).message}${/[.?]$/.test((error as Error).message) ? '' : '.'}`
  }
}

function enumProblem(values: readonly string[], { named }: RuleField): string | null {
  if (named?.kind !== 'enum') return null
  const names = named.element.values.map(({ name }) => name)
  const unknown = values.find((value) => !names.includes(value))
  return unknown === undefined ? null : `${named.name} has no value "${unknown}".${didYouMean(unknown, names)}`
}

function crossProblem({ field: other, operator }: CrossField, field: RuleField, owner: RuleOwner): string | null {
  const target = findField(owner, other.written)
  if (target === undefined || target.kind === 'unknown') return null
  if (target === field) return `${field.name} would be compared with itself.`
  if (field.isList || target.isList) return 'a list has no order. Use custom.'
  const together = `${field.name} is ${field.typeName}, and ${target.name} is ${target.typeName}`
  if (field.kind !== target.kind) return `the two cannot be compared: ${together}.`
  if (field.kind === 'json' || field.kind === 'input') return `the two cannot be compared: ${together}. Use custom.`
  if (isTimeOfDay(field) !== isTimeOfDay(target)) return `a time of day cannot be compared with a day: ${together}.`
  const unordered = [field, target].find((one) => !hasOrder(one))
  return unordered === undefined || operator === 'eq'
    ? null
    : `${unordered.typeName} has no order, only eq. Use custom.`
}

function isTimeOfDay({ named }: RuleField): boolean {
  return named?.kind === 'scalar' && named.base.group === 'time'
}

/** Can values of the field be ordered? Not if the same value has several spellings, as durations have. */
function hasOrder({ kind, named }: RuleField): boolean {
  if (kind === 'boolean' || kind === 'enum') return false
  return named?.kind !== 'scalar' || named.base.semantic?.unordered !== true
}
