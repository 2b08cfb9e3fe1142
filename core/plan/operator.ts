import type { DialectName } from '../front/database.ts'
import type { SqlFragment } from '../sql/fragment.ts'

/**
 * What an operator takes.
 * - `field`: a value of the field's own type · `list`: a list of them
 * - `boolean`, `int`, `string`, `strings` (a list of texts), `json`: these, whatever the field is
 */
export type OperandKind = 'field' | 'list' | 'boolean' | 'int' | 'string' | 'strings' | 'json'

/** Kinds of fields. The first eight are groups of scalars (`BuiltinScalar.group`). */
export type OperatorGroup =
  | 'id'
  | 'string'
  | 'number'
  | 'boolean'
  | 'datetime'
  | 'date'
  | 'time'
  | 'json'
  | 'enum'
  | 'list'

/** The left side of a comparison. */
export interface OperatorTarget {
  /** Typed as its column, or as its declared type when it is read from a document. An array for lists. */
  readonly value: SqlFragment
  /** The same as text. */
  readonly text: SqlFragment
}

/** The right side. */
export interface OperatorOperand {
  /** A parameter, cast to what the operand kind says. Not to be used for `boolean`. */
  readonly sql: SqlFragment
  /** Value of a `boolean` operand: part of the shape of a plan, so it may decide the SQL. */
  readonly yes: boolean
}

export type EmitOperator = (target: OperatorTarget, operand: OperatorOperand) => SqlFragment

/** One row of the operator table (behaviours 3.2). */
export interface Operator {
  /** As advertised in GraphQL: `_eq`. */
  readonly name: string
  /** Other spellings that REST accepts, normalised (lower case, no underscores). */
  readonly aliases: readonly string[]
  readonly groups: readonly OperatorGroup[]
  readonly operand: OperandKind
  readonly description: string
  /**
   * Turns the client's value into the one that is bound: escapes, checks.
   * @throws Error whose message says what is wrong (the caller adds place and code)
   */
  readonly convert: ((value: unknown) => unknown) | null
  /** A dialect that is not here does not have the operator. */
  readonly emit: Readonly<Partial<Record<DialectName, EmitOperator>>>
}

/** An entry as the tables write it. */
export interface OperatorEntry {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly groups: readonly OperatorGroup[]
  readonly operand: OperandKind
  readonly description: string
  readonly convert?: (value: unknown) => unknown
  readonly postgres: EmitOperator
}

export function defineOperators(entries: readonly OperatorEntry[]): readonly Operator[] {
  return entries.map(({ postgres, aliases = [], convert = null, ...rest }) =>
    Object.freeze({ ...rest, aliases, convert, emit: { postgres } }),
  )
}
