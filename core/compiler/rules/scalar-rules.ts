import { compileExpression } from '../../expression/compile-expression.ts'
import type { AuthoredScalar } from '../../schema/authored.ts'
import { compileScalarCheck, type ScalarRules, scalarScope } from '../../schema/checks/scalar-check.ts'
import type { CompiledScalar } from '../../schema/compiled.ts'
import type { Rule, RuleType } from '../../schema/rules.ts'
import type { CompileContext } from '../ground/context.ts'
import { readRules } from './read-rules.ts'
import { isNumberText, kindOf, type RuleField, type RuleOwner } from './rule-owner.ts'

/** Rules about a single value. A scalar has no other fields to compare with. */
const OF_A_VALUE: ReadonlySet<RuleType> = new Set(['pattern', 'length', 'range', 'enum', 'checksum', 'all', 'any'])

/**
 * Checks `validation_rules` and `elo_expression` of every custom scalar, and stores the rules in `context.rules`. It
 * must run before defaults are checked.
 */
export function compileScalarRules(context: CompileContext): void {
  for (const scalar of context.schema.custom_scalars ?? []) {
    const fault = (what: string): void => context.report.fault('validation', `Scalar "${scalar.name}": ${what}`, scalar)
    const rules = scalar.validation_rules === undefined ? [] : readScalarRules(context, scalar, fault)
    if (rules.length > 0) context.rules.set(scalar, rules)
    if (scalar.elo_expression === undefined) continue
    try {
      compileExpression(scalar.elo_expression, scalarScope(isNumberText(context.index.get(scalar.name))))
    } catch (error) {
      const { message } = error as Error
      fault(
        `elo_expression ${JSON.stringify(scalar.elo_expression)}: ${message}${/[.?]$/.test(message) ? '' : '.'} It is a condition about \`value\`.`,
      )
    }
  }
}

/** Returns the custom scalars in their form in the compiled schema, with their compiled validation rules. */
export function compileScalars(context: CompileContext): readonly CompiledScalar[] {
  return (context.schema.custom_scalars ?? []).map((scalar) => {
    const { $place: _place, validation_rules: _rules, ...kept } = scalar
    const rules = context.rules.get(scalar)
    return rules === undefined ? kept : { ...kept, rules }
  })
}

/**
 * Makes a function that checks a value against the rules of a custom scalar and describes the problem; it returns
 * `null` for a valid value. The compiler checks defaults with it.
 * @returns `null`: the scalar has no rules, or invalid rules
 */
export function scalarCheckOf(
  context: CompileContext,
  scalar: AuthoredScalar,
): ((value: unknown) => string | null) | null {
  const rules: ScalarRules = {
    rules: context.rules.get(scalar) ?? [],
    expression: scalar.elo_expression,
    isNumberText: isNumberText(context.index.get(scalar.name)),
  }
  try {
    return compileScalarCheck(rules)
  } catch {
    return null
  }
}

function readScalarRules(
  context: CompileContext,
  scalar: AuthoredScalar,
  fault: (what: string) => void,
): readonly Rule[] {
  const named = context.index.get(scalar.name)
  const field: RuleField = {
    name: 'value',
    wireName: 'value',
    element: { name: 'value', type: scalar.name },
    isList: false,
    typeName: scalar.name,
    kind: kindOf(named),
    named,
    isNumberText: isNumberText(named),
    members: 'any',
  }
  const owner: RuleOwner = {
    name: scalar.name,
    element: { name: scalar.name, fields: [] },
    isInput: true,
    fields: new Map([['value', field]]),
  }
  const place = {
    owner,
    field,
    validators: [],
    fault: (what: string) => fault(`validation_rules: ${what}`),
    read: readRules,
  }
  return readRules(scalar.validation_rules, place).filter((rule) => {
    const other = otherThanOfAValue(rule)
    if (other === null) return true
    const instead = other === 'custom' ? 'Give the scalar a parse' : 'Put it on the field or the input'
    place.fault(`${other} is no rule about a value by itself. ${instead}.`)
    return false
  })
}

function otherThanOfAValue(rule: Rule): RuleType | null {
  if (!OF_A_VALUE.has(rule.type)) return rule.type
  if (rule.type !== 'all' && rule.type !== 'any') return null
  for (const inner of rule.value) {
    const other = otherThanOfAValue(inner)
    if (other !== null) return other
  }
  return null
}
