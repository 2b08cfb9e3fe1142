import type { ObjectShape } from '../input-shape.ts'
import type { FieldModel } from '../model.ts'

/**
 * Type of the value that a client sends for a filter operator.
 * - `field`: a value of the field's type. `list`: a list of such values
 * - `key`: the id of a row in the tree that the field's paths belong to (`hierarchy`)
 * - `boolean`, `int`, `string`, `strings` (a list of texts), `json`: this type, independent of the field
 * - `place`: a geometry, as GeoJSON (RFC 7946)
 * - `object`: the input object in {@link Operator.input}
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

/**
 * Kinds of fields that have the same filter operators. The first nine are kinds of scalars (`BuiltinScalar.group`);
 * `place` is a geometry in a PostGIS column.
 */
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
 * Identifies a filter operator. Operators with the same name have different ids for scalars, lists and JSON:
 * `_contains`, `_contains:list`, `_contains:json`. Dialects look up the SQL of an operator by its id.
 */
export type OperatorId = string

/**
 * Checks the operand of a filter operator from a client, and converts it to the value for SQL. Throws an Error for an
 * invalid operand.
 * @param field the field that is compared
 */
export type Convert = (value: unknown, field: FieldModel) => unknown

/** A filter operator that clients can use on a field (docs/reference/scalars.md#operators-of-filters). */
export interface Operator {
  readonly id: OperatorId
  /** Name in GraphQL filters: `_eq`. */
  readonly name: string
  /** Further names that REST filters accept, in lower case and without underscores. */
  readonly aliases: readonly string[]
  readonly groups: readonly OperatorGroup[]
  /** Names of the scalars, such as `Email`, whose fields alone have this operator. Empty: all scalars in `groups`. */
  readonly scalars: readonly string[]
  /** Types of columns whose fields have this operator. Empty: all types, and keys of JSON documents. */
  readonly columns: readonly string[]
  /**
   * Name of the PostgreSQL extension that the operator needs. `null`: none, or the one that the column's type belongs
   * to.
   */
  readonly extension: string | null
  /** Form of the input object if `operand` is `object`, otherwise `null`. */
  readonly input: ObjectShape | null
  readonly operand: OperandKind
  readonly description: string
  /**
   * Checks the operand from a client, and converts it for SQL. `null`: only the type of the operand is checked.
   * @throws Error whose message describes the problem; the caller adds path and code
   */
  readonly convert: Convert | null
}

/** Definition of a filter operator in one of the operator tables. {@link defineOperators} fills in absent options. */
export interface OperatorEntry {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly groups: readonly OperatorGroup[]
  readonly scalars?: readonly string[]
  readonly columns?: readonly string[]
  readonly extension?: string
  readonly input?: ObjectShape
  /**
   * Id of the operator. Default: its name; with the suffix `:list` or `:json` if that is its only group
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
