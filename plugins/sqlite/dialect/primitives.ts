import {
  type Direction,
  EMPTY,
  integer,
  join,
  literal,
  type PageKey,
  type PageOrder,
  type Primitives,
  type SqlFragment,
  type SqlValue,
  type Target,
} from '../../../core/doors/driver.ts'
import { identifier, sql } from '../../../core/doors/plugin.ts'
import { groupKey, measure, rowPerKey } from './aggregate.ts'
import { comparable, jsonOf, typedOperand } from './comparable.ts'
import { GUARD_MARK } from './errors.ts'
import { cast, comparedForm, digitsOf, exactText, shownForm } from './forms.ts'
import { isJson, item, itemRows, json, key, list, listOfItems, object, objectText, orAsItIs } from './json.ts'
import { kindOf, kindOfType } from './kind.ts'
import { leaf, leafPlain, leafText, proof } from './leaf.ts'
import { OPERATORS } from './operators.ts'

const DIRECTIONS: Readonly<Record<Direction, SqlFragment>> = {
  ASC: sql` ASC NULLS LAST`,
  DESC: sql` DESC NULLS FIRST`,
  ASC_NULLS_FIRST: sql` ASC NULLS FIRST`,
  ASC_NULLS_LAST: sql` ASC NULLS LAST`,
  DESC_NULLS_FIRST: sql` DESC NULLS FIRST`,
  DESC_NULLS_LAST: sql` DESC NULLS LAST`,
}

/**
 * The pieces of SQL from which svc builds statements for SQLite. The driver defines the SQL functions `svc_…` that they
 * call.
 */
export const PRIMITIVES: Primitives = {
  placeholder: (number) => `?${number}`,
  literal,
  cast,
  operators: OPERATORS,
  comparable,
  operand: typedOperand,
  rowCount: (slot) => sql`CAST(${slot} AS INTEGER)`,

  key,
  documentKey,
  isJson: (value, _jsonb, kind) => isJson(value, kind),
  jsonOf,
  leaf,
  leafText,
  leafPlain,
  proof,
  noNumbers: [],

  object,
  json,
  asJson: (value) => value,
  textAsJson: (text) => sql`json_quote(${text})`,
  asText: (value) => value,
  list,
  listText: list,
  objectText,
  booleanText: (condition) => sql`CASE WHEN ${condition} THEN 'true' ELSE 'false' END`,
  item,
  listOfItems: (value, _jsonb, alias, element, guard) => listOfItems(value, alias, element, guard),
  orAsItIs: (value, _jsonb, kind, made) => orAsItIs(value, kind, made),
  itemRows: (value, _jsonb, alias) => ({ from: itemRows(value, alias), item: item(alias) }),
  exists: (rest) => sql`EXISTS (SELECT 1 FROM ${rest})`,

  documentRows,
  orderTerm: (value, direction) => sql`${value}${DIRECTIONS[direction]}`,
  position: (values, value) => sql`(SELECT min(l$.n) FROM ${values} l$ WHERE l$.v = ${value})`,
  rowPerKey,
  groupKey,
  measure,
  page(limit, offset) {
    if (offset === null) return limit === null ? EMPTY : sql` LIMIT ${limit}`
    return sql` LIMIT ${limit ?? sql`-1`} OFFSET ${offset}`
  },
  folded: sql`NOT MATERIALIZED`,
  fence: sql` LIMIT -1`,
  guard(index, most) {
    const fail = sql`svc_fail(${literal(`${GUARD_MARK}${index}:`)} || count(*))`
    return sql` HAVING CASE WHEN count(*) > ${integer(most)} THEN ${fail} ELSE TRUE END`
  },

  pageList: (value, order) => inOrder(sql`json(${value})`, order),
  pageKey(value, order, end) {
    const place = end === 'first' ? sql`'$[0]'` : sql`'$[#-1]'`
    return sql`(${inOrder(exactText(value), order)} ->> ${place})`
  },
  cursor: (value) => sql`svc_base64(${exactText(value)})`,
  digest: (values) =>
    sql`svc_digest(${join(
      values.flatMap((value) => [sql`quote(${value})`, sql`','`]),
      ' || ',
    )})`,
  sortKey,
  textArray: (values) => sql`json_array(${join(values.map(exactText), ', ')})`,
}

/** The requested rows, without the look-ahead row, as a JSON list in the order of the page. */
function inOrder(value: SqlFragment, { number, ascending, size }: PageOrder): SqlFragment {
  const direction = ascending ? sql`ASC` : sql`DESC`
  return sql`json_group_array(${value} ORDER BY ${number} ${direction}) FILTER (WHERE ${number} <= ${size})`
}

/** A key of a type that a field does not show as it is stored is compared by its text, as {@link cast} does. */
function documentKey({ json, text }: Extract<SqlValue, { from: 'document' }>, type: string): SqlFragment {
  const kind = kindOfType(type)
  if (kind !== 'integer' && kind !== 'real') return cast(text, type)
  return shownForm(kind, { type: sql`json_type(${json})`, value: text, digits: text }, false)
}

type Source = Parameters<NonNullable<Primitives['documentRows']>>[0]

/** A source of JSON rows, with the affinities of the source's columns, because the SQL of schema authors compares by them. */
function documentRows({ columns }: Source, slot: SqlFragment): SqlFragment {
  const values = columns.map(({ name, type }) => sql`${columnOf(name, type)} AS ${identifier(name)}`)
  return sql`(SELECT ${join(values, ', ')} FROM json_each(${slot}) d$)`
}

function columnOf(name: string, type: string | null): SqlFragment {
  const { json, text } = key(sql`d$.value`, name)
  switch (kindOfType(type)) {
    case 'integer':
    case 'real':
    case 'decimal':
    case 'boolean':
      // A text that is no number would become 0, which may satisfy a rule.
      return sql`CAST(CASE WHEN json_type(${json}) <> 'text' OR (${text} GLOB '[0-9.+-]*' AND ${text} NOT GLOB '*[^0-9.eE+-]*') THEN ${text} END AS NUMERIC)`
    case 'json':
      // A function may have returned JSON as a text.
      return sql`CASE WHEN json_type(${json}) = 'text' AND json_valid(${text}) THEN ${text} ELSE ${json} END`
    default:
      return type === 'text' ? sql`CAST(${text} AS TEXT)` : text
  }
}

/** A sort key for keyset pagination. */
function sortKey(target: Omit<Target, 'value'>, given: SqlValue): PageKey {
  const kind = kindOf(target.named, target.type ?? (given.from === 'column' ? given.type : null))
  const { value } = comparable(target, given)
  switch (kind) {
    case 'decimal':
      return {
        value,
        text: sql`CASE WHEN ${value} IS NOT NULL THEN ${digitsOf(given)} END`,
        operand: (slot) => ofCursor(kind, slot),
      }
    case 'boolean':
      return { value, text: sql`CAST(${value} AS TEXT)`, operand: (slot) => sql`CAST(${slot} AS INTEGER)` }
    // Compared as stored, in upper or lower case.
    case 'uuid':
      return { value, text: value, operand: (slot) => slot }
    case 'datetime':
    case 'date':
    case 'time':
      return { value, text: exactText(value), operand: (slot) => ofCursor(kind, slot) }
    default:
      return { value, text: exactText(value), operand: (slot) => comparedForm(kind, slot) }
  }
}

/** Like {@link comparedForm}, for values of cursors: stored values are well-formed, so that a malformed one comes from the client. */
function ofCursor(kind: 'decimal' | 'datetime' | 'date' | 'time', slot: SqlFragment): SqlFragment {
  return sql`svc_cursor(${literal(kind)}, ${slot})`
}
