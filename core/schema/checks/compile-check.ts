import type { Rule } from '../rules.ts'
import type { Check, CheckSite } from './check.ts'
import {
  checkAnyOf,
  checkConditional,
  checkConditionalRequired,
  checkCrossField,
  checkOneOf,
  checkRequiredIfAbsent,
} from './input-checks.ts'
import {
  checkChecksum,
  checkCustom,
  checkEnum,
  checkLength,
  checkPattern,
  checkRange,
  checkRequired,
} from './value-checks.ts'

/**
 * Phase of each rule (docs/guides/validate-input.md#order-and-what-the-client-sees). A phase runs for the whole input
 * before the next one begins.
 */
const PHASES: Readonly<Record<Rule['type'], number>> = {
  required: 0,
  pattern: 0,
  length: 0,
  range: 0,
  enum: 0,
  checksum: 0,
  custom: 0,
  cross_field: 1,
  conditional: 1,
  one_of: 2,
  any_of: 2,
  conditional_required: 2,
  required_if_absent: 2,
  all: 3,
  any: 3,
}
export const PHASE_COUNT = 4

/**
 * Compiled validation rules of one input, field or argument, by the phase in which they run: 0 for rules about single
 * values, 1 for comparisons of fields, 2 for presence of fields, 3 for combinations of rules. `null`: the phase has no
 * rules.
 */
export type PhasedChecks = readonly (readonly Check[] | null)[]

export function compileChecks(rules: readonly Rule[], site: CheckSite): PhasedChecks {
  return Array.from({ length: PHASE_COUNT }, (_, phase) => {
    const own = rules.filter(({ type }) => PHASES[type] === phase)
    return own.length === 0 ? null : own.map((rule) => compileCheck(rule, site))
  })
}

/** @throws Error when the rule names a validator that is not loaded */
function compileCheck(rule: Rule, site: CheckSite): Check {
  switch (rule.type) {
    case 'required':
      return checkRequired(rule)
    case 'pattern':
      return checkPattern(rule)
    case 'length':
      return checkLength(rule)
    case 'range':
      return checkRange(rule)
    case 'enum':
      return checkEnum(rule)
    case 'checksum':
      return checkChecksum(rule)
    case 'custom':
      return checkCustom(rule, site)
    case 'cross_field':
      return checkCrossField(rule, site)
    case 'conditional': {
      const then = rule.value.then_rules.map((nested) => compileCheck(nested, site))
      return checkConditional(rule, then, site)
    }
    case 'one_of':
      return checkOneOf(rule)
    case 'any_of':
      return checkAnyOf(rule)
    case 'conditional_required':
      return checkConditionalRequired(rule)
    case 'required_if_absent':
      return checkRequiredIfAbsent(rule)
    case 'all':
      return checkAll(rule.value, rule.message, site)
    case 'any':
      return checkAny(rule.value, rule.message, site)
  }
}

/** Checks nested rules and reports each violation. */
function checkAll(rules: readonly Rule[], message: string | undefined, site: CheckSite): Check {
  const members = rules.map((nested) => compileCheck(nested, site))
  return (facts, object) => {
    for (const member of members) {
      member(facts, (objection) => object(message === undefined ? objection : { ...objection, message }))
    }
  }
}

function checkAny(rules: readonly Rule[], message = 'At least one rule must pass', site: CheckSite): Check {
  const members = rules.map((nested) => compileCheck(nested, site))
  return (facts, object) => {
    const passes = members.some((member) => {
      let holds = true
      member(facts, () => {
        holds = false
      })
      return holds
    })
    if (!passes) object({ message, context: { rule: 'any' }, below: [] })
  }
}
