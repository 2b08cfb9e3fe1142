import type { SqlFragment } from '../engine/sql/fragment.ts'
import type { EmitOperator } from './sql-value.ts'

type Emit = (value: SqlFragment, operand: SqlFragment) => SqlFragment

/** Makes an operator over the value in the type that comparisons use, not over its text. */
export const onValue =
  (emit: Emit): EmitOperator =>
  ({ value }, operand) =>
    emit(value, operand.sql)

/** Makes an operator that uses the text of the value. */
export const onText =
  (emit: Emit): EmitOperator =>
  ({ text }, operand) =>
    emit(text, operand.sql)

/** Makes an operator whose operand is `true` or `false`. */
export const either =
  (yes: (value: SqlFragment) => SqlFragment, no: (value: SqlFragment) => SqlFragment): EmitOperator =>
  ({ value }, operand) =>
    operand.yes ? yes(value) : no(value)
