import type { ObjectShape } from '../../schema/input-shape.ts'
import type { FieldModel } from '../../schema/model.ts'

/**
 * What an operator takes.
 * - `field`: a value of the field's own type · `list`: a list of them
 * - `key`: the id of a row of the field's hierarchy
 * - `boolean`, `int`, `string`, `strings` (a list of texts), `json`: these, whatever the field is
 * - `place`: a geometry, as GeoJSON
 * - `object`: an input of the operator's own
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

/** Kinds of fields. The first nine are groups of scalars (`BuiltinScalar.group`); `place`: one in a column of PostGIS. */
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
 * Names an entry of the table, where the same name means different things for scalars, lists and JSON: `_contains`,
 * `_contains:list`, `_contains:json`. Dialects write operators by it.
 */
export type OperatorId = string

/** @param field that is compared */
export type Convert = (value: unknown, field: FieldModel) => unknown

/** One row of the operator table (behaviours 3.2). */
export interface Operator {
  readonly id: OperatorId
  /** As advertised in GraphQL: `_eq`. */
  readonly name: string
  /** Other spellings that REST accepts, normalised (lower case, no underscores). */
  readonly aliases: readonly string[]
  readonly groups: readonly OperatorGroup[]
  /** The semantic scalars whose operator it is; empty: of no one scalar, but of its groups. */
  readonly scalars: readonly string[]
  /** Only for columns of these types; empty: for all, and for keys of documents. */
  readonly columns: readonly string[]
  /** Of the database, which has to have it; `null`: none, or one that such a column shows. */
  readonly extension: string | null
  /** Of an operand `object`. */
  readonly input: ObjectShape | null
  readonly operand: OperandKind
  readonly description: string
  /**
   * Turns the client's value into the one that is bound: escapes, checks.
   * @throws Error whose message says what is wrong (the caller adds place and code)
   */
  readonly convert: Convert | null
}

/** An entry as the tables write it. */
export interface OperatorEntry {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly groups: readonly OperatorGroup[]
  readonly scalars?: readonly string[]
  readonly columns?: readonly string[]
  readonly extension?: string
  readonly input?: ObjectShape
  /** Where it is not the name, with the group behind it. */
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
