import type { AggregateFunction } from '../contract/operation.ts'
import type { Operand } from '../contract/plan/condition.ts'
import type { Direction, Leaf } from '../contract/plan/read-plan.ts'
import type { Target } from '../contract/plan/stored-value.ts'
import type { SqlFragment } from '../engine/sql/fragment.ts'
import type { CompiledSource } from '../schema/compiled.ts'
import type { Period } from '../schema/group-keys.ts'
import type { OperatorId } from '../schema/operators/operator.ts'
import type {
  Comparable,
  ComparedKeys,
  EmitOperator,
  LeafProof,
  LookupTexts,
  Projection,
  SqlMember,
  SqlValue,
  TextMember,
} from './sql-value.ts'

/** Order of the rows of a keyset page. The extra row that indicates a next page is not included. */
export interface PageOrder {
  /** Number of a row, from 1, in the order in which the page is read. */
  readonly number: SqlFragment
  /** `true`: the response lists rows by ascending `number` (a page read forward); `false`: by descending `number` (as with `last`). */
  readonly ascending: boolean
  readonly size: SqlFragment
}

/** A sort key of a keyset page. */
export interface PageKey {
  /** SQL of the value that rows are sorted by. */
  readonly value: SqlFragment
  /** The value as a text without loss, for cursors. */
  readonly text: SqlFragment
  /** Converts such a text back to a value that can be compared with `value`. */
  readonly operand: (slot: SqlFragment) => SqlFragment
}

/** SQL of a GROUP BY key. */
export interface GroupKey {
  readonly by: SqlFragment
  readonly value: SqlFragment
  /** Type of the value, under its PostgreSQL name; `null`: unknown. */
  readonly type: string | null
}

/**
 * The parts of SQL that differ between databases. The walker writes the rest of a read. Types have their PostgreSQL names, which a
 * dialect maps to its own. Identifiers are quoted as in standard SQL.
 */
export interface Primitives {
  /** Writes the placeholder of a parameter by its number: `$1`, `?1`, … */
  placeholder(number: number): string
  literal(text: string): SqlFragment
  /** Casts `value` to a type. */
  cast(value: SqlFragment, type: string): SqlFragment
  /** The operators of the dialect. */
  readonly operators: ReadonlyMap<OperatorId, EmitOperator>
  /** Makes the left side of a comparison. */
  comparable(target: Omit<Target, 'value'>, value: SqlValue): Comparable
  /** Casts a parameter to the type of the operand's kind. */
  operand(kind: Exclude<Operand['kind'], 'boolean' | 'field' | 'list'>, slot: SqlFragment): SqlFragment
  /** Casts a parameter that is a number of rows. */
  rowCount(slot: SqlFragment): SqlFragment

  /** Reads a key of a JSON object, as JSON and as text. */
  key(document: SqlFragment, key: string): { readonly json: SqlFragment; readonly text: SqlFragment }
  /** Writes a condition: the JSON value is an object, or an array. */
  isJson(json: SqlFragment, jsonb: boolean, kind: 'object' | 'array'): SqlFragment
  /** Returns the JSON of a stored value that contains objects. */
  jsonOf(value: SqlValue): { readonly json: SqlFragment; readonly jsonb: boolean }
  /** Writes a scalar or enum, or a list of them, as an expression whose JSON form is the wire form. */
  leaf(field: Leaf['field'], value: SqlValue): SqlFragment
  /** Tests whether the result of {@link leaf} always has the type of the field. */
  proof(field: Leaf['field'], value: SqlValue): LeafProof
  /** Writes a leaf as JSON text, for a separate column. */
  leafText(field: Leaf['field'], value: SqlValue): SqlFragment
  /** Writes the text of a leaf's JSON form, without quotes. @returns `null`: read it from the result of {@link leafText} */
  leafPlain(field: Leaf['field'], value: SqlValue): SqlFragment | null
  /** Texts of float values that are no numbers: `NaN`, `Infinity`. */
  readonly noNumbers: readonly string[]

  /** Builds an object from the columns of a row. */
  object(members: readonly SqlMember[]): Projection
  /** Uses a value that is JSON already as the projection of a row. */
  json(value: SqlFragment): Projection
  /** Converts the value of a projection to JSON. */
  asJson(value: SqlFragment): SqlFragment
  /** Converts the value of a projection to JSON text. */
  asText(value: SqlFragment): SqlFragment
  /**
   * Aggregates the values of rows to a list within an object.
   * @param from ` FROM …`
   * @param guard ` HAVING …`
   */
  list(value: SqlFragment, from: SqlFragment, guard: SqlFragment | null): SqlFragment
  /** Aggregates values of rows to the JSON text of a list. */
  listText(value: SqlFragment, from: SqlFragment, guard: SqlFragment | null): SqlFragment
  /** Concatenates the JSON text of an object from its members. */
  objectText(members: readonly TextMember[]): SqlFragment
  /** Converts a condition to the text `true` or `false`. */
  booleanText(condition: SqlFragment): SqlFragment
  /** SQL of the current item in {@link listOfItems}. */
  item(alias: SqlFragment): SqlFragment
  /**
   * Maps the items of a JSON list, in their order. Other values are unchanged.
   * @param element JSON of the mapped item
   */
  listOfItems(
    json: SqlFragment,
    jsonb: boolean,
    alias: SqlFragment,
    element: SqlFragment,
    guard: { readonly most: number; readonly having: SqlFragment } | null,
  ): SqlFragment
  /**
   * Returns `made` when `json` is an object or array, as `kind` says; other values are unchanged, so that invalid data
   * is not hidden.
   */
  orAsItIs(json: SqlFragment, jsonb: boolean, kind: 'object' | 'array', made: SqlFragment): SqlFragment
  /** Expands the items of a JSON list to rows, for a condition on the items. */
  itemRows(
    json: SqlFragment,
    jsonb: boolean,
    alias: SqlFragment,
  ): { readonly from: SqlFragment; readonly item: SqlFragment }
  /** Writes a condition: at least one row exists. @param rest SQL after FROM */
  exists(rest: SqlFragment): SqlFragment

  /** Writes a sort key with its direction. If the direction does not place nulls, nulls are larger than all values. */
  orderTerm(value: SqlFragment, direction: Direction): SqlFragment
  /** Writes the sort key of a full-text search, best matches first. Absent: the database has no such search. */
  relevance?(texts: readonly SqlFragment[], search: SqlFragment): SqlFragment
  /** Writes the position of a value in a list parameter. */
  position(list: SqlFragment, value: SqlFragment): SqlFragment
  /**
   * Writes the JSON text of a list with one element per key, in the order of the keys.
   * @param parts the parts of the keys, one or several. Each has a list parameter, and the value that the list's items are compared with.
   *   All lists have the same length
   * @param element writes the row of a key, or NULL; it receives the conditions that select the row, and the values of `given`
   * @param given values supplied with each key: parameters that are lists of texts, of the same length
   */
  rowPerKey(
    parts: readonly ComparedKeys[],
    alias: SqlFragment,
    element: (matches: readonly SqlFragment[], given: readonly SqlFragment[]) => SqlFragment,
    given: readonly LookupTexts[],
  ): SqlFragment
  /**
   * Writes a key that rows are grouped by.
   * @param period groups dates and times by period, in UTC. The value is the first day of the period, as a `date`; of an
   * hour its start, as a timestamp
   * @returns `by` for GROUP BY; `value`, of type `type`, is the column that a {@link leaf} is read from
   */
  groupKey(target: Target, value: SqlValue, period: Period | null): GroupKey
  /** Writes an aggregate of rows: a number, a minimum or a maximum, as a column that a {@link leaf} is read from. */
  measure(name: AggregateFunction, target: Target, value: SqlValue): Pick<GroupKey, 'value' | 'type'>
  /**
   * Reads rows from JSON text instead of a source: a list of objects with a key for each column. Absent: the dialect
   * cannot read deleted rows.
   */
  documentRows?(source: CompiledSource, slot: SqlFragment): SqlFragment
  /** Writes ` LIMIT … OFFSET …` with a leading space; empty without limit and offset. */
  page(limit: SqlFragment | null, offset: SqlFragment | null): SqlFragment
  /** Keyword between AS and a WITH query that is merged into the statement (`NOT MATERIALIZED`). Absent: not needed. */
  readonly folded?: SqlFragment
  /** Clause after a subquery without LIMIT that must be computed on its own first (`OFFSET 0`). */
  readonly fence: SqlFragment
  /**
   * Writes a ` HAVING …` clause that fails when more rows than `most` were aggregated, with an error that `readError`
   * parses.
   * @param index of the guard
   */
  guard(index: number, most: number): SqlFragment

  /** Aggregates the values of a keyset page to the JSON text of a list. */
  pageList(value: SqlFragment, order: PageOrder): SqlFragment
  /** Writes the key of the first or last row of the page; NULL when the page is empty. */
  pageKey(key: SqlFragment, order: PageOrder, end: 'first' | 'last'): SqlFragment
  /** Writes a digest of values, a text of 32 hexadecimal digits. */
  digest(values: readonly SqlFragment[]): SqlFragment
  /** Makes a sort key of a page from a value. */
  sortKey(target: Omit<Target, 'value'>, value: SqlValue): PageKey
  /** Encodes the text of a key as base64. @param type type of the key; `null`: the text may be long */
  cursor(key: SqlFragment, type: string | null): SqlFragment
  /** Collects the texts of values in a JSON array. */
  textArray(values: readonly SqlFragment[]): SqlFragment
}
