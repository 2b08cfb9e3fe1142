import type { ObjectShape } from '../input-shape.ts'
import type { FieldModel } from '../model.ts'

/**
 * Type of an operand.
 * - `field`: a value of the field's type · `list`: a list of such values
 * - `key`: the id of a row of the field's hierarchy
 * - `boolean`, `int`, `string`, `strings` (a list of texts), `json`: this type, independent of the field
 * - `place`: a geometry, as GeoJSON (RFC 7946)
 * - `object`: an input type of the operator, {@link Operator.input}
 */
export type OperandKind =
  | 'field'
  | 'list'
  | 'boolean'
  | 'int'
  | 'string'
  | 'strings'
  | 'json'
  | 'place'
  | 'object'
  | 'key'

/** Kinds of fields. The first nine are groups of scalars (`BuiltinScalar.group`); `place`: a geometry in a PostGIS column. */
export type OperatorGroup =
  | 'id'
  | 'string'
  | 'number'
  | 'boolean'
  | 'datetime'
  | 'date'
  | 'time'
  | 'json'
  | 'vector'
  | 'place'
  | 'enum'
  | 'list'

/**
 * Identifies an operator of the table. Operators of one name differ for scalars, lists and JSON: `_contains`, `_contains:list`,
 * `_contains:json`. Dialects look up their SQL by it.
 */
export type OperatorId = string

/**
 * Converts an operand from a client into the value that is bound.
 * @param field compared field
 */
export type Convert = (value: unknown, field: FieldModel) => unknown

/** A filter operator (docs/reference/scalars.md#operators-of-filters). */
export interface Operator {
  readonly id: OperatorId
  /** Name in GraphQL: `_eq`. */
  readonly name: string
  /** Further names that REST accepts, normalised: lower case, without underscores. */
  readonly aliases: readonly string[]
  readonly groups: readonly OperatorGroup[]
  /** Semantic scalars that have this operator. Empty: every scalar of `groups`. */
  readonly scalars: readonly string[]
  /** Column types that have this operator. Empty: all types, and keys of JSON documents. */
  readonly columns: readonly string[]
  /** Database extension that the operator needs. `null`: none, or the type of the column implies it. */
  readonly extension: string | null
  /** Input type of an operand `object`, else `null`. */
  readonly input: ObjectShape | null
  readonly operand: OperandKind
  readonly description: string
  /**
   * Escapes and checks the operand. `null`: it is bound unchanged, as the type of the operand requires.
   * @throws Error whose message describes the fault; the caller adds path and code
   */
  readonly convert: Convert | null
}

/** An entry of an operator table. Absent options are filled by {@link defineOperators}. */
export interface OperatorEntry {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly groups: readonly OperatorGroup[]
  readonly scalars?: readonly string[]
  readonly columns?: readonly string[]
  readonly extension?: string
  readonly input?: ObjectShape
  /**
   * Id of the operator. Default: the name, followed by the group for operators of lists and JSON alone
   * (`_contains:list`).
   */
  readonly id?: OperatorId
  readonly operand: OperandKind
  readonly description: string
  readonly convert?: Convert
}

export function defineOperators(entries: readonly OperatorEntry[]): readonly Operator[] {
  return entries.map(
    ({ aliases = [], convert = null, scalars = [], columns = [], extension = null, input = null, ...rest }) =>
      Object.freeze({ ...rest, id: rest.id ?? idOf(rest), aliases, scalars, columns, extension, input, convert }),
  )
}

function idOf({ name, groups }: Pick<OperatorEntry, 'name' | 'groups'>): OperatorId {
  const [only, ...others] = groups
  return others.length === 0 && (only === 'list' || only === 'json') ? `${name}:${only}` : name
}
