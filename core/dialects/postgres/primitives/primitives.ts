import type { Direction } from '../../../contract/plan/read-plan.ts'
import {
  EMPTY,
  escapedLiteral,
  identifier,
  integer,
  join,
  escapedLiteral as literal,
  qualified,
  type SqlFragment,
  sql,
} from '../../../engine/sql/fragment.ts'
import type { PageOrder } from '../../page-sql.ts'
import type { Primitives } from '../../primitives.ts'
import type { Projection, SqlMember, TextMember } from '../../sql-value.ts'
import { GUARD_MARK } from '../../standard/errors.ts'
import { objectTextParts } from '../../walker/object-value.ts'
import { groupKey, measure, rowPerKey } from './aggregate.ts'
import { castDocumentKey } from './cast-document.ts'
import { castOperand, comparable, sortKey } from './comparable.ts'
import { jsonOf, jsonTypeof, orAsItIs, plainText, wireExpression } from './leaf.ts'
import { NO_NUMBERS, proofOf } from './leaf-proof.ts'
import { OPERATORS } from './operators.ts'
import { cast } from './types.ts'

const DIRECTIONS: Readonly<Record<Direction, SqlFragment>> = {
  ASC: sql` ASC`,
  DESC: sql` DESC`,
  ASC_NULLS_FIRST: sql` ASC NULLS FIRST`,
  ASC_NULLS_LAST: sql` ASC NULLS LAST`,
  DESC_NULLS_FIRST: sql` DESC NULLS FIRST`,
  DESC_NULLS_LAST: sql` DESC NULLS LAST`,
}

/** Longest column alias in bytes: PostgreSQL truncates longer names (NAMEDATALEN). */
const LONGEST_ALIAS = 63
/** Most columns of a row (PostgreSQL, appendix "PostgreSQL Limits"). */
const MOST_COLUMNS = 1600
/** Limit of members in a chain of `||`, whose parse tree is as deep as it is long. An array is used for more. */
const LONGEST_CHAIN = 100

/**
 * The PostgreSQL implementation of the SQL pieces that reads are built from. Objects are nested records, which the
 * database converts to JSON once, at the top (docs/explain/architecture.md#from-a-document-to-a-statement).
 */
export const PRIMITIVES: Primitives = {
  placeholder: (number) => `$${number}`,
  literal: escapedLiteral,
  cast,
  operators: OPERATORS,
  comparable,
  operand: castOperand,
  rowCount: (slot) => sql`${slot}::bigint`,

  key: (document, key) => {
    const name = escapedLiteral(key)
    return { json: sql`(${document} -> ${name})`, text: sql`(${document} ->> ${name})` }
  },
  documentKey: castDocumentKey,
  isJson: (json, jsonb, kind) => sql`${jsonTypeof(json, jsonb)} = ${escapedLiteral(kind)}`,
  jsonOf,
  leaf: wireExpression,
  proof: proofOf,
  leafText: (field, value) => sql`to_json(${wireExpression(field, value)})::text`,
  leafPlain: plainText,
  noNumbers: NO_NUMBERS,

  object: record,
  json: jsonRecord,
  asJson: (value) => sql`to_json(${value})`,
  textAsJson: (text) => sql`to_json(${text})`,
  asText: (value) => sql`to_json(${value})::text`,
  list(value, from, guard) {
    if (guard === null) return sql`ARRAY(SELECT ${value}${from})`
    return sql`(SELECT coalesce(array_agg(${value}), '{}')${from}${guard})`
  },
  listText,
  objectText,
  booleanText: (condition) => sql`(${condition})::text`,
  item: (alias) => sql`${alias}.v`,
  listOfItems(json, jsonb, alias, element, guard) {
    const elements = elementsOf(json, jsonb)
    const rows = sql`SELECT ${element} AS v FROM ${elements} WITH ORDINALITY ${alias}(v, n) ORDER BY ${alias}.n`
    const list =
      guard === null
        ? sql`ARRAY(${rows})`
        : sql`(SELECT coalesce(array_agg(l.v), '{}') FROM (${rows} LIMIT ${integer(guard.most + 1)}) l${guard.having})`
    return orAsItIs(json, jsonb, 'array', list)
  },
  orAsItIs,
  itemRows: (json, jsonb, alias) => ({
    from: sql`${elementsOf(json, jsonb)} ${alias}(value)`,
    item: sql`${alias}."value"`,
  }),
  exists: (rest) => sql`EXISTS (SELECT FROM ${rest})`,

  orderTerm: (value, direction) => sql`${value}${DIRECTIONS[direction]}`,
  relevance(texts, search) {
    // As a subquery it is evaluated once, not for each row.
    const query = sql`(SELECT websearch_to_tsquery(${search}))`
    const ranks = texts.map((text) => sql`ts_rank(to_tsvector(coalesce(${text}, '')), ${query})`)
    return sql`${ranks.length === 1 ? ranks[0]! : sql`greatest(${join(ranks, ', ')})`} DESC`
  },
  position: (list, value) => sql`array_position(${list}, ${value})`,
  rowPerKey,
  // A function in FROM cannot refer to its neighbours, so a name can only be a column of the source.
  documentRows: ({ schema, name }, slot) =>
    sql`jsonb_populate_recordset(NULL::${qualified(schema, name)}, ${slot}::jsonb)`,
  groupKey,
  measure,
  page(limit, offset) {
    const skip = offset === null ? EMPTY : sql` OFFSET ${offset}`
    return limit === null ? skip : sql` LIMIT ${limit}${skip}`
  },
  folded: sql`NOT MATERIALIZED`,
  fence: sql` OFFSET 0`,
  /**
   * The failing expression depends on an aggregate, so that the planner can neither evaluate it in advance nor move it before the count.
   */
  guard(index, most) {
    const text = sql`${escapedLiteral(`${GUARD_MARK}${index}:`)} || count(*)`
    return sql` HAVING CASE WHEN count(*) > ${integer(most)} THEN CAST(${text} AS int4) = 0 ELSE TRUE END`
  },

  pageList: (value, order) => sql`array_to_json(coalesce(${inOrder(value, order)}, '{}'))::text`,
  pageKey(key, order, end) {
    const index = end === 'first' ? sql`1` : sql`(count(*) ${onPage(order)})::int4`
    return sql`(${inOrder(key, order)})[${index}]`
  },
  cursor(key, type) {
    const encoded = sql`encode(convert_to(${key}::text, 'UTF8'), 'base64')`
    return type !== null && SHORT.has(type) ? encoded : sql`translate(${encoded}, E'\\n', '')`
  },
  digest: (values) => sql`md5(ROW(${join(values, ', ')})::text)`,
  sortKey,
  textArray: (values) =>
    sql`json_build_array(${join(
      values.map((value) => cast(value, 'text')),
      ', ',
    )})`,
}

/** Types whose texts are so short that `encode` adds no line breaks, which a cursor must not contain. */
const SHORT = new Set(['int2', 'int4', 'int8', 'uuid'])

function elementsOf(json: SqlFragment, jsonb: boolean): SqlFragment {
  const array = sql`CASE WHEN ${jsonTypeof(json, jsonb)} = 'array' THEN ${json} END`
  return jsonb ? sql`jsonb_array_elements(${array})` : sql`json_array_elements(${array})`
}

/** Aggregates the rows of the page only, without the extra row that shows whether there are more. */
function onPage({ number, size }: PageOrder): SqlFragment {
  return sql`FILTER (WHERE ${number} <= ${size})`
}

/**
 * Orders an aggregate by the rows of the page. Every aggregate of a query needs the order: if only one has it, the planner may sort all
 * rows for that one, and the others receive them in the same changed order.
 */
function inOrder(value: SqlFragment, order: PageOrder): SqlFragment {
  const direction = order.ascending ? sql`ASC` : sql`DESC`
  return sql`array_agg(${value} ORDER BY ${order.number} ${direction}) ${onPage(order)}`
}

/**
 * Builds an object as a record whose column names are the response keys. The database converts the whole tree to JSON once, at the
 * top, which measured fastest (docs/explain/architecture.md#from-a-document-to-a-statement).
 */
function record(members: readonly SqlMember[]): Projection {
  const fits = members.every(({ key }) => Buffer.byteLength(key) <= LONGEST_ALIAS)
  if (fits && members.length > 0 && members.length <= MOST_COLUMNS) {
    const columns = members.map(({ key, value }) => sql`${value} AS ${identifier(key)}`)
    return { columns: join(columns, ', '), value: sql`r$` }
  }
  return jsonRecord(concatenated(members))
}

/** Makes a row that consists of one JSON value. */
function jsonRecord(json: SqlFragment): Projection {
  return { columns: sql`${json} AS json`, value: sql`r$.json` }
}

/** Builds an object by concatenating text, where a record is impossible: no members, too many, or keys that are too long. */
function concatenated(members: readonly SqlMember[]): SqlFragment {
  if (members.length === 0) return sql`'{}'::json`
  const parts = members.map(
    ({ key, value }) => sql`${literal(`${JSON.stringify(key)}:`)} || coalesce(to_json(${value})::text, 'null')`,
  )
  return sql`('{' || array_to_string(ARRAY[${join(parts, ', ')}], ',') || '}')::json`
}

/** Builds an object by concatenating the JSON texts of its members. */
function objectText(members: readonly TextMember[]): SqlFragment {
  const parts = objectTextParts(members, literal)
  if (parts.length <= LONGEST_CHAIN) return sql`(${join(parts, ' || ')})`
  return sql`array_to_string(ARRAY[${join(parts, ', ')}], '')`
}

/** Writes the JSON text of a list with the values of a subquery's rows. @param from ` FROM …` with a leading space */
function listText(value: SqlFragment, from: SqlFragment, guard: SqlFragment | null): SqlFragment {
  if (guard === null) return sql`array_to_json(ARRAY(SELECT ${value}${from}))::text`
  return sql`(SELECT array_to_json(coalesce(array_agg(${value}), '{}'))::text${from}${guard})`
}
