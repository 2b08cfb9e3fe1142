import type { Guard, Leaf } from '../../contract/plan/read-plan.ts'
import type { LaidFilter, RowRef, SourceRow, StoredValue } from '../../contract/plan/stored-value.ts'
import type { FinishedRead, ReadGuard } from '../../contract/prepared-read.ts'
import type { Slot } from '../../contract/slot.ts'
import {
  authored,
  EMPTY,
  identifier,
  join,
  parameter,
  qualified,
  type SqlFragment,
  sql,
} from '../../engine/sql/fragment.ts'
import type { TypeRef } from '../../schema/type-ref.ts'
import type { Primitives } from '../primitives.ts'
import type { SqlValue } from '../sql-value.ts'

/** State of a row of the plan in the statement that is being written. */
interface OpenRow {
  /** Alias of the table; `null`: the row is a JSON document alone. */
  readonly alias: SqlFragment | null
  readonly document: SqlFragment | null
  /** The statement reads the document. The page then gets an optimisation fence, so that the document is computed once per row. */
  readsDocument: boolean
}

/** State of one statement while the walker converts a plan to SQL: aliases of its rows, and checks of its result. */
export interface Emission {
  readonly dialect: Primitives
  readonly rows: Map<RowRef, OpenRow>
  readonly guards: ReadGuard[]
  /** Substrings of a result with a null in a non-null field, or with a number that JSON does not have. */
  readonly nulls: Set<string>
  /** `true` if the type of some scalar in the result is not certain, so that svc checks each result. */
  unproven: boolean
  /** `true` if a view may change settings of the session, so that the driver has to reset them. */
  resets: boolean
  /** `true` if the best plan of the database depends on the parameter values (`Statement.selective`). */
  selective: boolean
  aliases: number
  /**
   * `true` while subqueries on related rows get a clause (`OFFSET 0`) that keeps the planner from merging them
   * (`fenceRelations`).
   */
  fencing: boolean
  /** Collects LEFT JOINs of related rows inside an EXISTS; `null`: each relation gets an EXISTS of its own. */
  joins: SqlFragment[] | null
  /** `true` while a condition inside an OR is being written: its related rows are joined ({@link joins}). */
  optional: boolean
  /** WITH queries that replace a view or table whose rows the schema filters in SQL (`row_filter`). */
  readonly commons: CommonTables
  /** SQL of the values that a request supplies with each key, for columns that are computed from them. */
  readonly given: Map<Slot, SqlFragment>
}

/** Name and query of a common table expression, by its row filters. */
type CommonTables = Map<readonly LaidFilter[], { readonly name: SqlFragment; readonly query: SqlFragment }>

export function createEmission(dialect: Primitives): Emission {
  return {
    dialect,
    rows: new Map(),
    guards: [],
    nulls: new Set(),
    unproven: false,
    resets: false,
    selective: false,
    aliases: 0,
    fencing: false,
    joins: null,
    optional: false,
    commons: new Map(),
    given: new Map(),
  }
}

/** Returns a table alias that the statement does not have yet: `"t1"`, `"t2"`, … */
export function nextAlias(emission: Emission): SqlFragment {
  emission.aliases += 1
  return identifier(`t${emission.aliases}`)
}

/** Chooses the SQL alias of the source of a row. Required before {@link sqlValueOf} for values of the row. */
export function openSourceRow(emission: Emission, row: SourceRow): void {
  const alias = nextAlias(emission)
  const document = row.document === null ? null : sql`${alias}.${identifier(row.document.column)}`
  if (row.source.resets === true) emission.resets = true
  emission.rows.set(row, { alias, document, readsDocument: false })
}

/** Sets the JSON expression of an object in a document. Required before {@link sqlValueOf} for its values. */
export function placeObject(emission: Emission, row: RowRef, json: SqlFragment): void {
  emission.rows.set(row, { alias: null, document: json, readsDocument: false })
}

export function openRow(emission: Emission, row: RowRef): OpenRow {
  const open = emission.rows.get(row)
  if (open === undefined) throw new Error('A value is read outside of its row')
  return open
}

export function aliasOf(emission: Emission, row: SourceRow): SqlFragment {
  const { alias } = openRow(emission, row)
  if (alias === null) throw new Error('A document is no source')
  return alias
}

/**
 * Writes the view or table of a row with its alias, or the WITH query that filters it, for FROM: `"app"."v_user" "t1"`.
 */
export function sourceOf(emission: Emission, row: SourceRow): SqlFragment {
  const source = row.laid.length === 0 ? placeOf(emission.dialect, row) : commonOf(emission, row)
  const { computed } = row
  return sql`${computed === undefined ? source : withComputed(emission, source, computed)} ${aliasOf(emission, row)}`
}

/** Adds computed columns to a source. The author's SQL is in a subquery of its own, where names refer to columns of the source first. */
function withComputed(
  { given }: Emission,
  source: SqlFragment,
  computed: NonNullable<SourceRow['computed']>,
): SqlFragment {
  const columns = [...computed.values()].map(({ name, parts }) => {
    const expression = parts.reduce<SqlFragment>((before, part) => {
      const value = typeof part === 'string' ? authored([part]) : given.get(part)
      if (value === undefined) throw new Error(`"${name}" is computed of what comes with a key, and there is none`)
      return sql`${before}${value}`
    }, EMPTY)
    // The line break ends a comment that the author's SQL may end with.
    return sql`(${expression}\n) AS ${identifier(name)}`
  })
  return sql`(SELECT *, ${join(columns, ', ')} FROM ${source})`
}

/** The source in FROM: its table or view, or the documents that are read instead. */
function placeOf(dialect: Primitives, { source, documents }: SourceRow): SqlFragment {
  const { schema, name } = source
  if (documents === undefined) return qualified(schema, name)
  if (dialect.documentRows === undefined) throw new Error(`No row of ${name} can be read from a document here`)
  return dialect.documentRows(source, parameter(documents))
}

/**
 * Writes a source with the author's SQL filters as a common table expression. Unlike a subquery in FROM, it cannot refer to rows outside
 * of it.
 */
function commonOf(emission: Emission, row: SourceRow): SqlFragment {
  const { dialect, commons } = emission
  const { laid } = row
  let common = commons.get(laid)
  if (common === undefined) {
    if (laid.some(({ parts }) => parts.some((part) => typeof part !== 'string'))) emission.selective = true
    const conditions = laid.map((filter) => laidCondition(dialect, filter))
    const query = sql`SELECT * FROM ${placeOf(dialect, row)} WHERE ${join(conditions, ' AND ')}`
    // No table has this name.
    common = { name: identifier(`svc:${commons.size + 1}`), query }
    commons.set(laid, common)
  }
  return common.name
}

function laidCondition(dialect: Primitives, { parts, only }: LaidFilter): SqlFragment {
  // The line break ends a comment that the author's SQL may end with.
  const filter = sql`(${authored(parts)}\n)`
  if (only === null) return filter
  const column = identifier(only.column)
  const name = only.key === null ? dialect.cast(column, 'text') : dialect.key(column, only.key).text
  return sql`CASE WHEN ${name} = ${dialect.literal(only.typeName)} THEN ${filter} ELSE TRUE END`
}

/** Puts the WITH queries that were collected while a statement was written in front of it. */
export function withCommons({ dialect, commons }: Emission, statement: SqlFragment): SqlFragment {
  if (commons.size === 0) return statement
  const folded = dialect.folded === undefined ? EMPTY : sql` ${dialect.folded}`
  const tables = [...commons.values()].map(({ name, query }) => sql`${name} AS${folded} (${query})`)
  return sql`WITH ${join(tables, ', ')} ${statement}`
}

/** Returns the SQL that reads a stored value, whose row must have an alias or a JSON expression in the statement. */
export function sqlValueOf(emission: Emission, value: StoredValue): SqlValue {
  if (value.from === 'column') {
    const { type, notNull, place } = value
    const column = sql`${aliasOf(emission, value.row)}.${identifier(value.name)}`
    return { from: 'column', sql: column, type, notNull, ...(place === undefined ? {} : { place }) }
  }
  const open = openRow(emission, value.row)
  if (open.document === null) throw new Error(`There is no document to read "${value.key}" from`)
  open.readsDocument = true
  const { casts } = value
  const own = { ...emission.dialect.key(open.document, value.key), jsonb: value.json === 'jsonb' }
  return { from: 'document', ...own, ...(casts === undefined ? {} : { casts }) }
}

/** Returns the SQL of a stored value without a conversion: the column, or the text of the document's key. */
export function plainOf(value: SqlValue): SqlFragment {
  return value.from === 'column' ? value.sql : value.text
}

/** Writes ` HAVING …` that fails if a list has more rows than its limit, and records the list for the error. */
export function having(emission: Emission, guard: Guard): SqlFragment {
  emission.guards.push({ path: guard.path })
  return emission.dialect.guard(emission.guards.length - 1, guard.most)
}

/** Texts of a null item in an array, in the formats of `json` and `jsonb`. */
const NULL_ITEMS = ['[null', ',null', ', null']

export function notNullItems({ nulls }: Emission): void {
  for (const sign of NULL_ITEMS) nulls.add(sign)
}

/**
 * Records which substrings of the result show a null in a non-null field; none if the value is proven not NULL.
 * @param key response key of the field
 * @param value stored value of the field; `null`: the field is not stored
 */
export function watchNulls(emission: Emission, key: string, type: TypeRef, value: SqlValue | null): void {
  const proven = value !== null && value.from === 'column' && value.notNull
  if (!type.nullable && !proven) emission.nulls.add(`"${key}":null`)
  if (type.kind === 'list' && hasNonNullItems(type)) notNullItems(emission)
}

function hasNonNullItems({ of }: Extract<TypeRef, { kind: 'list' }>): boolean {
  return !of.nullable || (of.kind === 'list' && hasNonNullItems(of))
}

/** Records which checks the result needs because the type of a scalar or enum is not certain. */
export function watchLeaf(emission: Emission, field: Leaf['field'], value: SqlValue): void {
  const { dialect, nulls } = emission
  const proof = dialect.proof(field, value)
  if (proof === 'none') emission.unproven = true
  else if (proof === 'finite') for (const sign of dialect.noNumbers) nulls.add(sign)
  if (field.type.kind !== 'list' || value.from !== 'column' || isAnyJson(field)) return
  // The type of an array column does not include the number of dimensions.
  if (field.type.of.kind === 'list') emission.unproven = true
  else nulls.add(NESTED_LIST)
}

/** Start of a nested list in JSON. The same characters within a text only cause a needless check. */
const NESTED_LIST = '[['

function isAnyJson({ named }: Leaf['field']): boolean {
  return named.kind === 'scalar' && named.base === 'JSON'
}

/** Returns the checks that the result of the finished statement needs, as recorded while it was written. */
export function watched({ nulls, unproven, guards }: Emission): Pick<FinishedRead, 'nullScan' | 'verify' | 'guards'> {
  return { nullScan: [...nulls], verify: unproven, guards }
}
