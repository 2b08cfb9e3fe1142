import type { AggregateFunction } from '../contract/operation.ts'
import type { Operand } from '../contract/plan/condition.ts'
import type { Direction, Leaf } from '../contract/plan/read-plan.ts'
import type { Target } from '../contract/plan/stored-value.ts'
import type { SqlFragment } from '../engine/sql/fragment.ts'
import type { CompiledSource } from '../schema/compiled.ts'
import type { Period } from '../schema/group-keys.ts'
import type { OperatorId } from '../schema/operators/operator.ts'
import type { PageKey, PageOrder, PartOfList } from './page-sql.ts'
import type {
  Comparable,
  ComparedKeys,
  DocumentValue,
  EmitOperator,
  LeafProof,
  LookupTexts,
  Projection,
  SqlMember,
  SqlValue,
  TextMember,
} from './sql-value.ts'

/** SQL of a key that rows are grouped by: `by` is the expression in GROUP BY, `value` the column that is returned. */
export interface GroupKey {
  readonly by: SqlFragment
  readonly value: SqlFragment
  /** PostgreSQL name of the type of `value`; `null`: unknown. */
  readonly type: string | null
}

/**
 * Functions that write the pieces of SQL which differ between databases. The walker, which converts the plan of a read
 * to SQL, calls them and writes the rest. Types have their PostgreSQL names, which a dialect maps to its own.
 * Identifiers are quoted as in standard SQL.
 */
export interface Primitives {
  /** Writes the placeholder of a parameter by its number: `$1`, `?1`, … */
  placeholder(number: number): string
  literal(text: string): SqlFragment
  /** Casts `value` to a type. */
  cast(value: SqlFragment, type: string): SqlFragment
  /** SQL of each filter operator that the database supports. The compiler offers only these operators to clients. */
  readonly operators: ReadonlyMap<OperatorId, EmitOperator>
  /**
   * Returns the SQL of a stored value for the left side of a comparison, with casts for the right side.
   * @param target the compared field, with the type to compare it in
   */
  comparable(target: Omit<Target, 'value'>, value: SqlValue): Comparable
  /** Casts the parameter of a filter operator whose operand has a fixed type, such as an integer or JSON. */
  operand(kind: Exclude<Operand['kind'], 'boolean' | 'field' | 'list'>, slot: SqlFragment): SqlFragment
  /** Casts a parameter of LIMIT or OFFSET to the integer type that the database requires. */
  rowCount(slot: SqlFragment): SqlFragment

  /** Writes access to a key of a JSON object, once as a JSON value and once as text. */
  key(document: SqlFragment, key: string): { readonly json: SqlFragment; readonly text: SqlFragment }
  /**
   * Casts a value of a document to the type of the key that it refers to. Values that are no such key are NULL, so that they
   * refer to no row.
   */
  documentKey(value: DocumentValue, type: string): SqlFragment
  /** Writes a condition that is true if a JSON value has the type `kind`. `jsonb: false`: the value is of type json. */
  isJson(json: SqlFragment, jsonb: boolean, kind: 'object' | 'array'): SqlFragment
  /** Returns the SQL of a stored value that contains JSON objects or lists. `jsonb: false`: its type is json. */
  jsonOf(value: SqlValue): { readonly json: SqlFragment; readonly jsonb: boolean }
  /** Writes SQL for a scalar or enum field, or a list of these, whose value as JSON is that of the response. */
  leaf(field: Leaf['field'], value: SqlValue): SqlFragment
  /**
   * Returns how certain it is that the value of a {@link leaf} has the type of its field, so that the response needs no
   * check.
   */
  proof(field: Leaf['field'], value: SqlValue): LeafProof
  /** Writes a scalar or enum field as JSON text, for streams that return one column per field. */
  leafText(field: Leaf['field'], value: SqlValue): SqlFragment
  /**
   * Writes the value of a {@link leaf} as text, without the quotes of a JSON string. @returns `null`: not possible;
   * read it from the result of {@link leafText}
   */
  leafPlain(field: Leaf['field'], value: SqlValue): SqlFragment | null
  /** Substrings of a result that show a float value which is not a JSON number: `NaN`, `Infinity`. */
  readonly noNumbers: readonly string[]

  /**
   * Writes the JSON object of a response from its members: the select list of a subquery, and an expression over it.
   */
  object(members: readonly SqlMember[]): Projection
  /**
   * Wraps a SQL expression that is JSON already as the select list of a subquery, for rows that {@link object} does not
   * build.
   */
  json(value: SqlFragment): Projection
  /** Converts the `value` of a {@link Projection} to the JSON type of the database. */
  asJson(value: SqlFragment): SqlFragment
  /** Converts a text to a JSON string, in the form of {@link asJson}. */
  textAsJson(text: SqlFragment): SqlFragment
  /** Converts the `value` of a {@link Projection} to JSON text. */
  asText(value: SqlFragment): SqlFragment
  /**
   * Aggregates the rows of a subquery to a list that is a member of an object.
   * @param value value of each row, from a {@link Projection}
   * @param from ` FROM …`, with a leading space
   * @param guard SQL of {@link guard}, which fails for too many rows; `null`: no limit
   * @param order ` ORDER BY …` of the list, for dialects with flat projections. Absent: the order of the rows
   */
  list(value: SqlFragment, from: SqlFragment, guard: SqlFragment | null, order?: SqlFragment): SqlFragment
  /** Like {@link list}, as JSON text for the top of a response. */
  listText(value: SqlFragment, from: SqlFragment, guard: SqlFragment | null): SqlFragment
  /** Writes the JSON text of an object by concatenating the JSON texts of its members. */
  objectText(members: readonly TextMember[]): SqlFragment
  /** Writes a boolean SQL condition as the text `true` or `false`. */
  booleanText(condition: SqlFragment): SqlFragment
  /** SQL of the current item, for the `element` of {@link listOfItems}. */
  item(alias: SqlFragment): SqlFragment
  /**
   * Converts each item of a stored JSON list, in order. A value that is not a list stays unchanged.
   * @param json SQL of the list; `jsonb: false`: its type is json
   * @param alias table alias of the items, see {@link item}
   * @param element SQL of the converted item
   * @param guard maximum number of items (`most`), and SQL of {@link guard} that fails for more; `null`: no limit
   */
  listOfItems(
    json: SqlFragment,
    jsonb: boolean,
    alias: SqlFragment,
    element: SqlFragment,
    guard: { readonly most: number; readonly having: SqlFragment } | null,
  ): SqlFragment
  /**
   * Writes SQL that returns `made` if a JSON value is an object or array, as `kind` requires. Any other value stays
   * unchanged, so that the check of the response detects invalid data. `jsonb: false`: the value is of type json.
   */
  orAsItIs(json: SqlFragment, jsonb: boolean, kind: 'object' | 'array', made: SqlFragment): SqlFragment
  /**
   * Writes a FROM item that expands a JSON list to rows, for a condition on its items. `item` is the SQL of an item.
   * `jsonb: false`: the list is of type json.
   */
  itemRows(
    json: SqlFragment,
    jsonb: boolean,
    alias: SqlFragment,
  ): { readonly from: SqlFragment; readonly item: SqlFragment }
  /**
   * Writes a condition that is true if a query returns at least one row. @param rest SQL of the query after the keyword
   * FROM
   */
  exists(rest: SqlFragment): SqlFragment

  /**
   * Writes a sort key with its direction for ORDER BY. If the direction does not say where NULLs are, they sort as
   * larger than all values.
   * @param isNullable `false`: it is proven that no row has NULL
   * @param isOfList `true`: the ORDER BY is that of {@link list}. Absent: it is that of a query
   */
  orderTerm(value: SqlFragment, direction: Direction, isNullable: boolean, isOfList?: boolean): SqlFragment
  /** Writes the sort key of a full-text search, best matches first. Absent: the database has no such search. */
  relevance?(texts: readonly SqlFragment[], search: SqlFragment): SqlFragment
  /** `true`: projections are flat, and {@link list} sorts its rows itself. Absent: they are not. */
  readonly flat?: true
  /**
   * Writes ` FROM …` with one page of related rows, and the value of a row in it, for databases whose subqueries in FROM
   * cannot refer to an outer row. Absent: they can.
   */
  readonly part?: (list: PartOfList) => {
    readonly value: SqlFragment
    readonly from: SqlFragment
    readonly order: SqlFragment
  }
  /** Writes the position of a value in a list parameter, as a sort key for rows in the order of requested keys. */
  position(list: SqlFragment, value: SqlFragment): SqlFragment
  /**
   * Writes the JSON text of a list with one element per requested key, in the order of the keys.
   * @param parts the columns of the key: a list parameter of the values, and the SQL to compare them with. All lists
   * have the same length
   * @param element writes the element of a key, from the conditions that match the key and the values of `given`
   * @param given further values per key: list parameters of texts, of the same length
   */
  rowPerKey(
    parts: readonly ComparedKeys[],
    alias: SqlFragment,
    element: (matches: readonly SqlFragment[], given: readonly SqlFragment[]) => SqlFragment,
    given: readonly LookupTexts[],
  ): SqlFragment
  /**
   * Writes a key that rows are grouped by.
   * @param period groups dates and times by period, in UTC. The value is the first day of the period as a `date`; for
   * hours, their start as a timestamp. `null`: groups by the value itself
   * @returns `value`, of type `type`, is the column that a {@link leaf} reads
   */
  groupKey(target: Target, value: SqlValue, period: Period | null): GroupKey
  /** Writes an aggregate function over a field. Its result is a column that a {@link leaf} reads. */
  measure(name: AggregateFunction, target: Target, value: SqlValue): Pick<GroupKey, 'value' | 'type'>
  /**
   * Writes a FROM item that returns rows from a JSON parameter instead of a table, to read rows that were deleted. The
   * parameter is a list of objects with a key for each column. Absent: the dialect cannot read deleted rows.
   */
  documentRows?(source: CompiledSource, slot: SqlFragment): SqlFragment
  /** Writes ` LIMIT … OFFSET …` with a leading space. `null`: that part is omitted. */
  page(limit: SqlFragment | null, offset: SqlFragment | null): SqlFragment
  /**
   * Keyword after `AS` of a WITH query that makes the database merge it into the statement (`NOT MATERIALIZED`).
   * Absent: the database does so without a keyword.
   */
  readonly folded?: SqlFragment
  /**
   * Clause (` OFFSET 0`) that makes the database compute a subquery without LIMIT on its own, instead of merging it
   * into the outer query.
   */
  readonly fence: SqlFragment
  /**
   * Writes SQL that makes the read fail if more than `most` rows were aggregated: ` HAVING …`, or what the dialect itself
   * puts into {@link list} and {@link listOfItems}. {@link DialectErrors.readGuard} recognises the error.
   * @param index number of the limited list in the statement, for the error
   */
  guard(index: number, most: number): SqlFragment

  /** Aggregates the rows of a keyset page to the JSON text of a list, in the order of the page. */
  pageList(value: SqlFragment, order: PageOrder): SqlFragment
  /** Writes the key of the first or last row of a keyset page, for a cursor; NULL if the page is empty. */
  pageKey(key: SqlFragment, order: PageOrder, end: 'first' | 'last'): SqlFragment
  /** Writes a hash of several values as a text of 32 hexadecimal digits, for sort keys that must be unique. */
  digest(values: readonly SqlFragment[]): SqlFragment
  /** Returns the sort key of a keyset page from a stored value. */
  sortKey(target: Omit<Target, 'value'>, value: SqlValue): PageKey
  /**
   * Encodes the text of a key as base64 without line breaks, for a cursor.
   * @param type PostgreSQL type of the key; `null`: the text may be long
   */
  cursor(key: SqlFragment, type: string | null): SqlFragment
  /** Writes a JSON array with the texts of the values. */
  textArray(values: readonly SqlFragment[]): SqlFragment
}
