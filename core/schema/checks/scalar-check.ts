import { textToNumbers } from '../../base/util/exact-number.ts'
import { compileExpression, type ExpressionScope } from '../../expression/compile-expression.ts'
import { ExpressionFailure } from '../../expression/expression-fault.ts'
import { workOfJob } from '../../expression/pattern/pattern.ts'
import type { Rule } from '../rules.ts'
import type { Check } from './check.ts'
import { compileChecks } from './compile-check.ts'

/** Validation rules that an author declares for a custom scalar. */
export interface ScalarRules {
  readonly rules: readonly Rule[]
  /** Expression over `value` that must be true (`elo_expression`); `undefined`: none. */
  readonly expression: string | undefined
  /** `true` if JSON transports the scalar's numbers as text: Decimal, BigInt. */
  readonly isNumberText: boolean
}

const NOTHING = Object.freeze({})
const SITE = { functions: [], fields: new Map(), field: null }

/**
 * Compiles the validation rules of a custom scalar to one function. It checks the rules in order, then the expression.
 * @returns function that takes a non-null value and returns the message of the first violated rule; `null`: the value
 * is valid
 * @throws Error for an invalid pattern or expression, which `svc compile` rejects before
 */
export function compileScalarCheck({
  rules,
  expression,
  isNumberText,
}: ScalarRules): (value: unknown) => string | null {
  const checks = compileChecks(rules, SITE).flatMap((phase): readonly Check[] => phase ?? [])
  const condition = expression === undefined ? null : compileExpression(expression, scalarScope(isNumberText))
  return (value) => {
    let problem: string | null = null
    for (const check of checks) {
      check({ fields: NOTHING, value, auth: null }, ({ message }) => {
        problem ??= message
      })
      if (problem !== null) return problem
    }
    if (condition === null) return null
    try {
      return condition.test(value) ? null : `Must fulfil ${expression}`
    } catch (error) {
      // A condition that cannot be evaluated rejects the value.
      if (error instanceof ExpressionFailure) return `Must fulfil ${expression}: ${error.message}`
      throw error
    }
  }
}

/**
 * Defines the names that the expression of a custom scalar (`elo_expression`) can use: only `value`.
 * @param isNumberText `true`: values are numbers as text, which are converted
 */
export function scalarScope(isNumberText: boolean): ExpressionScope<unknown> {
  const read = isNumberText ? textToNumbers : (value: unknown) => value
  return {
    variable: (name) => (name === 'value' ? read : null),
    patternWork: workOfJob,
    names: () => ['value'],
  }
}
