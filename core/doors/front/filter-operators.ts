/** Operators of filters: which a field has, and what their operands are. */

export { GROUP_OPERATORS } from '../../engine/plan/rows/having.ts'
export { operandInput } from '../../schema/operators/operand-input.ts'
export { OPERAND_INPUTS } from '../../schema/operators/operand-inputs.ts'
export type { Operator } from '../../schema/operators/operator.ts'
export { anyOperatorOf as findAny, filterTypeName, operatorsFor as ofField } from '../../schema/operators/operators.ts'
