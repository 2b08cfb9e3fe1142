import { compileExpression, type ExpressionScope } from '../expression/compile-expression.ts'
import { ExpressionFailure } from '../expression/expression-fault.ts'
import { workOfJob } from '../expression/pattern/pattern.ts'
import type { Rule } from '../schema/rules.ts'
import { textToNumbers } from '../util/exact-number.ts'
import type { Check } from './check.ts'
import { compileChecks } from './compile-check.ts'

/** The rules of a custom scalar that has no code of its own (behaviours 4.4). */
export interface ScalarRules {
  readonly rules: readonly Rule[]
  /** A condition about `value`. `undefined`: none. */
  readonly expression: string | undefined
  /** Its values are numbers that travel as texts: Decimal, BigInt. */
  readonly isNumberText: boolean
}

const NOTHING = Object.freeze({})
const SITE = { functions: [], fields: new Map(), field: null }

/**
 * Compiles what a value of the scalar has to fulfil: its rules in their order, then the expression.
 * @returns says what is wrong with a value that is not null; `null`: nothing
 * @throws Error for a pattern or an expression that cannot be used (the compiler has refused such a schema before)
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
      // What cannot be decided is refused.
      if (error instanceof ExpressionFailure) return `Must fulfil ${expression}: ${error.message}`
      throw error
    }
  }
}

/** The value alone: a scalar knows of no fields around it, and of no caller. */
export function scalarScope(isNumberText: boolean): ExpressionScope<unknown> {
  const read = isNumberText ? textToNumbers : (value: unknown) => value
  return {
    variable: (name) => (name === 'value' ? read : null),
    patternWork: workOfJob,
    names: () => ['value'],
  }
}
