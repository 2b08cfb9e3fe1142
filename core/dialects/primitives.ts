import type { AggregateFunction } from '../contract/operation.ts'
import type { Operand } from '../plan/conditions/condition.ts'
import type { OperatorId } from '../plan/conditions/operator.ts'
import type { Direction, Leaf } from '../plan/read-plan.ts'
import type { Target } from '../plan/rows/stored-value.ts'
import type { CompiledSource } from '../schema/compiled.ts'
import type { Period } from '../schema/group-keys.ts'
import type { SqlFragment } from '../sql/fragment.ts'
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

/** The rows of a page by keyset: those that were asked for, without the one that looks ahead. */
export interface PageOrder {
  /** Position of a row, counted from the end that the page starts at. */
  readonly number: SqlFragment
  /** Does the response begin at that end? */
  readonly ascending: boolean
  readonly size: SqlFragment
}

/** A sort key of a page by keyset. */
export interface PageKey {
  /** By which rows are sorted. */
  readonly value: SqlFragment
  /** Text that keeps all of the value, for cursors. */
  readonly text: SqlFragment
  /** Makes a value of that text again, to be compared with `value` as it sorts. */
  readonly operand: (slot: SqlFragment) => SqlFragment
}

/** What a group of rows has in common. */
export interface GroupKey {
  readonly by: SqlFragment
  readonly value: SqlFragment
  /** Canonical; `null` = unknown. */
  readonly type: string | null
}

/**
 * What a dialect writes in its own way; the rest of a read is the walker's. Types are PostgreSQL's names, which are the
 * canonical ones; a dialect maps them to its own. Identifiers are quoted as in the standard.
 */
export interface Primitives {
  /** `$1`, `?1`, … */
  placeholder(number: number): string
  literal(text: string): SqlFragment
  /** `value` as a type. */
  cast(value: SqlFragment, type: string): SqlFragment
  /** The operators that the dialect has. */
  readonly operators: ReadonlyMap<OperatorId, EmitOperator>
  /** The left side of a comparison. */
  comparable(target: Omit<Target, 'value'>, value: SqlValue): Comparable
  /** A parameter of an operand that has a type of its own. */
  operand(kind: Exclude<Operand['kind'], 'boolean' | 'field' | 'list'>, slot: SqlFragment): SqlFragment
  /** A number of rows that is a parameter. */
  rowCount(slot: SqlFragment): SqlFragment

  /** A key of a JSON object. */
  key(document: SqlFragment, key: string): { readonly json: SqlFragment; readonly text: SqlFragment }
  /** Condition: is the JSON an object, an array? */
  isJson(json: SqlFragment, jsonb: boolean, kind: 'object' | 'array'): SqlFragment
  /** The JSON of a stored value that holds objects. */
  jsonOf(value: SqlValue): { readonly json: SqlFragment; readonly jsonb: boolean }
  /** A scalar or enum, or a list of them, as an expression whose JSON form is the wire form. */
  leaf(field: Leaf['field'], value: SqlValue): SqlFragment
  /** Is that always a value of the field's type? */
  proof(field: Leaf['field'], value: SqlValue): LeafProof
  /** The same as JSON text, in a column of its own. */
  leafText(field: Leaf['field'], value: SqlValue): SqlFragment
  /** The text that stands in the JSON form, without quotes. @returns `null`: it is to be taken out of {@link leafText} */
  leafPlain(field: Leaf['field'], value: SqlValue): SqlFragment | null
  /** Texts that the database writes for numbers that are none. */
  readonly noNumbers: readonly string[]

  /** Which object a row becomes. */
  object(members: readonly SqlMember[]): Projection
  /** A value that is JSON already, as what a row becomes. */
  json(value: SqlFragment): Projection
  /** What a row became, as JSON; as JSON text. */
  asJson(value: SqlFragment): SqlFragment
  asText(value: SqlFragment): SqlFragment
  /** The values of rows as a list inside of an object. @param from ` FROM …` @param guard ` HAVING …` */
  list(value: SqlFragment, from: SqlFragment, guard: SqlFragment | null): SqlFragment
  /** The same as JSON text. */
  listText(value: SqlFragment, from: SqlFragment, guard: SqlFragment | null): SqlFragment
  /** An object put together as text. */
  objectText(members: readonly TextMember[]): SqlFragment
  /** A condition as the text `true` or `false`. */
  booleanText(condition: SqlFragment): SqlFragment
  /** An item of {@link listOfItems}. */
  item(alias: SqlFragment): SqlFragment
  /**
   * The items of a JSON list, each made into something else, in their order. Any other value stays as it is.
   * @param element JSON
   */
  listOfItems(
    json: SqlFragment,
    jsonb: boolean,
    alias: SqlFragment,
    element: SqlFragment,
    guard: { readonly most: number; readonly having: SqlFragment } | null,
  ): SqlFragment
  /** JSON of an object or a list that is made of `json`. Any other value stays as it is: it must not be hidden. */
  orAsItIs(json: SqlFragment, jsonb: boolean, kind: 'object' | 'array', made: SqlFragment): SqlFragment
  /** The items of a JSON list as rows that a condition ranges over. */
  itemRows(
    json: SqlFragment,
    jsonb: boolean,
    alias: SqlFragment,
  ): { readonly from: SqlFragment; readonly item: SqlFragment }
  /** Condition: is there a row? @param rest what follows FROM */
  exists(rest: SqlFragment): SqlFragment

  /** One sort key, with its direction. Nulls are larger than all values where the direction does not say. */
  orderTerm(value: SqlFragment, direction: Direction): SqlFragment
  /** The sort key of a full-text search, best matches first. Absent: the database has none. */
  relevance?(texts: readonly SqlFragment[], search: SqlFragment): SqlFragment
  /** Position of a value in a list. */
  position(list: SqlFragment, value: SqlFragment): SqlFragment
  /**
   * JSON text of a list with an element for each of a list of keys, in their order.
   * @param parts of each key, one or several: a parameter that is a list, of equal length, and what it is compared with
   * @param element the row of a key, or NULL; gets the conditions that say which row that is, and what was given with the key
   * @param given values beside each key: parameters that are lists of texts, of equal length
   */
  rowPerKey(
    parts: readonly ComparedKeys[],
    alias: SqlFragment,
    element: (matches: readonly SqlFragment[], given: readonly SqlFragment[]) => SqlFragment,
    given: readonly LookupTexts[],
  ): SqlFragment
  /**
   * What rows are grouped by, and the value that a group shows of it.
   * @param period that days and times fall into, in UTC; shown by its first day, as a `date`, an hour as a point in time
   * @returns `by` for GROUP BY; `value` is of type `type`, as a column that a {@link leaf} is read from
   */
  groupKey(target: Target, value: SqlValue, period: Period | null): GroupKey
  /** A number about rows, or the first or last of their values, as a column that a {@link leaf} is read from. */
  measure(name: AggregateFunction, target: Target, value: SqlValue): Pick<GroupKey, 'value' | 'type'>
  /**
   * Rows of JSON text in the place of a source: a list of objects with a key for each of its columns. Absent: the dialect
   * reads no rows that are gone.
   */
  documentRows?(source: CompiledSource, slot: SqlFragment): SqlFragment
  /** ` LIMIT … OFFSET …` with a leading space, or nothing. */
  page(limit: SqlFragment | null, offset: SqlFragment | null): SqlFragment
  /** Stands between AS and a table in front of the statement that is to be folded into it; absent: nothing has to. */
  readonly folded?: SqlFragment
  /** Stands behind a subquery without a page that is to be computed first. */
  readonly fence: SqlFragment
  /**
   * ` HAVING …` that fails when more rows than `most` were aggregated, with an error that `readError` reads.
   * @param index of the guard
   */
  guard(index: number, most: number): SqlFragment

  /** The values of a page by keyset as JSON text of a list. */
  pageList(value: SqlFragment, order: PageOrder): SqlFragment
  /** The key of the first or last row of the page, NULL when it is empty. */
  pageKey(key: SqlFragment, order: PageOrder, end: 'first' | 'last'): SqlFragment
  /** A short text that differs where one of the values does, with 32 hexadecimal digits. */
  digest(values: readonly SqlFragment[]): SqlFragment
  /** A value that a page is sorted by. */
  sortKey(target: Omit<Target, 'value'>, value: SqlValue): PageKey
  /** Base64 of the text of a key. @param type `null`: it may be long */
  cursor(key: SqlFragment, type: string | null): SqlFragment
  /** The texts of values as a JSON array. */
  textArray(values: readonly SqlFragment[]): SqlFragment
}
