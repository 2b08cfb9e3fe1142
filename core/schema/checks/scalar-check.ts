import { textToNumbers } from '../../base/util/exact-number.ts'
import { compileExpression, type ExpressionScope } from '../../expression/compile-expression.ts'
import { ExpressionFailure } from '../../expression/expression-fault.ts'
import { workOfJob } from '../../expression/pattern/pattern.ts'
import type { Rule } from '../rules.ts'
import type { Check } from './check.ts'
import { compileChecks } from './compile-check.ts'

/** Validation rules of a custom scalar. */
export interface ScalarRules {
  readonly rules: readonly Rule[]
  /** A condition about `value`. `undefined`: none. */
  readonly expression: string | undefined
  /** `true` if the values are numbers in the form of texts: Decimal, BigInt. */
  readonly isNumberText: boolean
}

const NOTHING = Object.freeze({})
const SITE = { functions: [], fields: new Map(), field: null }

/**
 * Compiles the rules of a scalar. They are checked in order, then the expression.
 * @returns a function that takes a non-null value and returns the message of the first violated rule; `null`: the value is valid
 * @throws Error for an invalid pattern or expression; the compiler rejects such schemas
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

/** Creates the scope of a scalar's expression, whose only name is `value`. */
export function scalarScope(isNumberText: boolean): ExpressionScope<unknown> {
  const read = isNumberText ? textToNumbers : (value: unknown) => value
  return {
    variable: (name) => (name === 'value' ? read : null),
    patternWork: workOfJob,
    names: () => ['value'],
  }
}
