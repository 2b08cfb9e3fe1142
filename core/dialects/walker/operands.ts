import type { Operand } from '../../contract/plan/condition.ts'
import type { Target } from '../../contract/plan/stored-value.ts'
import { NULL, parameter } from '../../engine/sql/fragment.ts'
import type { Comparable, EmitOperator, SqlOperand } from '../sql-value.ts'
import { type Emission, sqlValueOf } from './emission.ts'

/** Returns the operator of the dialect. @throws Error when the dialect lacks it; the compiled schema does not offer such operators */
export function operator(emission: Emission, id: string): EmitOperator {
  const emit = emission.dialect.operators.get(id)
  if (emit === undefined) throw new Error(`The dialect has no operator ${id}`)
  return emit
}

export function comparableOf(emission: Emission, target: Target): Comparable {
  return emission.dialect.comparable(target, sqlValueOf(emission, target.value))
}

export function operandOf(emission: Emission, target: Comparable, operand: Operand): SqlOperand {
  switch (operand.kind) {
    case 'boolean':
      return { sql: NULL, yes: operand.yes }
    case 'field':
      return { sql: target.operand(parameter(operand.slot)), yes: false }
    case 'list':
      return { sql: target.list(parameter(operand.slot)), yes: false }
    default:
      return { sql: emission.dialect.operand(operand.kind, parameter(operand.slot)), yes: false }
  }
}
