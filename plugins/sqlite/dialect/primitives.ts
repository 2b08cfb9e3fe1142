import {
  type Direction,
  EMPTY,
  integer,
  join,
  literal,
  type PageOrder,
  type Primitives,
  type SqlFragment,
} from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { groupKey, measure, rowPerKey } from './aggregate.ts'
import { comparable, jsonOf, typedOperand } from './comparable.ts'
import { documentRows } from './document-rows.ts'
import { GUARD_MARK } from './errors.ts'
import { cast, exactText } from './forms.ts'
import { isJson, item, itemRows, json, key, list, listOfItems, object, objectText, orAsItIs } from './json.ts'
import { leaf, leafPlain, leafText, proof } from './leaf.ts'
import { OPERATORS } from './operators.ts'
import { sortKey } from './sort-key.ts'

const DIRECTIONS: Readonly<Record<Direction, SqlFragment>> = {
  ASC: sql` ASC NULLS LAST`,
  DESC: sql` DESC NULLS FIRST`,
  ASC_NULLS_FIRST: sql` ASC NULLS FIRST`,
  ASC_NULLS_LAST: sql` ASC NULLS LAST`,
  DESC_NULLS_FIRST: sql` DESC NULLS FIRST`,
  DESC_NULLS_LAST: sql` DESC NULLS LAST`,
}

/** What SQLite writes in its own way. Functions `svc_…` are the driver's (`child/`). */
export const PRIMITIVES: Primitives = {
  placeholder: (number) => `?${number}`,
  literal,
  cast,
  operators: OPERATORS,
  comparable,
  operand: typedOperand,
  rowCount: (slot) => sql`CAST(${slot} AS INTEGER)`,

  key,
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

/** The rows that were asked for, without the one that looks ahead, as a JSON list in the order of the page. */
function inOrder(value: SqlFragment, { number, ascending, size }: PageOrder): SqlFragment {
  const direction = ascending ? sql`ASC` : sql`DESC`
  return sql`json_group_array(${value} ORDER BY ${number} ${direction}) FILTER (WHERE ${number} <= ${size})`
}
