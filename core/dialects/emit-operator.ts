import type { SqlFragment } from '../engine/sql/fragment.ts'
import type { EmitOperator } from './sql-value.ts'

type Emit = (value: SqlFragment, operand: SqlFragment) => SqlFragment

/**
 * Makes an operator of the filter language from a function that writes its SQL. The function receives the column cast
 * to the type that comparisons use (`value` of the target), and the cast parameter.
 */
export const onValue =
  (emit: Emit): EmitOperator =>
  ({ value }, operand) =>
    emit(value, operand.sql)

/**
 * Makes an operator of the filter language from a function that writes its SQL. The function receives the column as
 * text (`text` of the target), and the cast parameter; it is for operators such as `_like`.
 */
export const onText =
  (emit: Emit): EmitOperator =>
  ({ text }, operand) =>
    emit(text, operand.sql)

/**
 * Makes an operator whose operand is `true` or `false`, such as `_is_null`. The operand is known when the SQL is
 * written: `yes` writes the SQL for `true`, `no` the SQL for `false`.
 */
export const either =
  (yes: (value: SqlFragment) => SqlFragment, no: (value: SqlFragment) => SqlFragment): EmitOperator =>
  ({ value }, operand) =>
    operand.yes ? yes(value) : no(value)
