/** The language of conditions (docs/guides/validate-input.md#conditions): parse an expression once, compile it, call the result. */

export { isAbsent, pathsOf } from '../../expression/absence.ts'
export { compileTest, compileValue, type ExpressionScope } from '../../expression/compile-expression.ts'
export { type Decimal, decimalText } from '../../expression/decimal.ts'
export { ExpressionFault } from '../../expression/expression-fault.ts'
export { parseExpression as parse } from '../../expression/parse-expression.ts'
export type { ExpressionNode } from '../../expression/syntax.ts'
export { instantOf } from '../../expression/value.ts'
