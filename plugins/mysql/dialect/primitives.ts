import {
  type Direction,
  EMPTY,
  join,
  literal,
  type PageKey,
  type PageOrder,
  type Primitives,
  type SqlFragment,
  type SqlValue,
  type Target,
} from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { groupKey, measure, rowPerKey } from './aggregate.ts'
import { comparable, jsonOf } from './comparable.ts'
import { documentRows } from './document-rows.ts'
import { GUARD_MARK } from './errors.ts'
import type { Flavour } from './flavour.ts'
import { cast, comparedType, textOf } from './forms.ts'
import {
  failIfMore,
  isJson,
  itemRows,
  key,
  listOf,
  listOfItems,
  object,
  objectText,
  orAsItIs,
  orNull,
  projection,
} from './json.ts'
import { kindOf, kindOfType } from './kind.ts'
import { leaf, leafPlain, proof } from './leaf.ts'
import { operatorsOf } from './operators.ts'
import { partOfList } from './part-of-list.ts'
import { wholeNumber } from './shown-form.ts'
import { cursorValue } from './slot-values.ts'

/** Number of rows in LIMIT that means all. */
const ALL_ROWS = sql`18446744073709551615`

/** Returns the pieces of SQL from which svc builds statements for MariaDB or MySQL. */
export function primitivesOf(flavour: Flavour): Primitives {
  return {
    placeholder: (number) => `?${number}`,
    literal,
    cast,
    operators: operatorsOf(flavour),
    comparable: (target, value) => comparable(flavour, target, value),
    operand(kind, slot) {
      if (kind === 'int') return sql`CAST(${slot} AS SIGNED)`
      return kind === 'json' ? flavour.jsonKey(slot) : slot
    },
    rowCount: (slot) => slot,

    key: (document, name) => key(flavour, document, name),
    documentKey,
    isJson: (value, _jsonb, kind) => isJson(value, kind),
    jsonOf: (value) => jsonOf(flavour, value),
    leaf: (field, value) => leaf(flavour, field, value),
    leafText: (field, value) => leaf(flavour, field, value),
    leafPlain,
    proof,
    noNumbers: [],

    object: (members) => projection(object(members)),
    json: projection,
    asJson: (value) => value,
    textAsJson: (text) => sql`JSON_QUOTE(${text})`,
    asText: (value) => value,
    list,
    listText: list,
    objectText,
    booleanText: (condition) => sql`CASE WHEN ${condition} THEN 'true' ELSE 'false' END`,
    item: (alias) => sql`${alias}.j`,
    listOfItems: (value, _jsonb, alias, element, guard) => listOfItems(value, alias, element, guard?.having ?? EMPTY),
    orAsItIs: (value, _jsonb, kind, made) => orAsItIs(value, kind, made),
    itemRows: (value, _jsonb, alias) => ({ from: itemRows(value, alias), item: sql`${alias}.j` }),
    exists: (rest) => sql`EXISTS (SELECT 1 FROM ${rest})`,

    documentRows: (source, slot) => documentRows(flavour, source, slot),
    orderTerm,
    flat: true,
    ...(flavour.isLateral ? {} : { part: (rows) => partOfList(flavour, rows) }),
    position: () => {
      throw new Error('A target of this dialect writes the position of a value itself')
    },
    rowPerKey,
    groupKey: (target, value, period) => groupKey(flavour, target, value, period),
    measure: (name, target, value) => measure(flavour, name, target, value),
    page(limit, offset) {
      if (offset === null) return limit === null ? EMPTY : sql` LIMIT ${limit}`
      return sql` LIMIT ${limit ?? ALL_ROWS} OFFSET ${offset}`
    },
    fence: sql` LIMIT ${ALL_ROWS}`,
    guard: (index, most) => failIfMore(`${GUARD_MARK}${index}`, most),

    pageList: (value, order) => listOf(ofPage(orNull(value), order), inOrder(order, order.ascending)),
    pageKey(value, order, end) {
      const texts = listOf(
        sql`JSON_QUOTE(${ofPage(textOf(value), order)})`,
        inOrder(order, order.ascending === (end === 'first')),
      )
      return sql`JSON_UNQUOTE(JSON_EXTRACT(${texts}, '$[0]'))`
    },
    cursor: (value) => sql`REPLACE(TO_BASE64(CONVERT(${value} USING utf8mb4)), '\n', '')`,
    digest: (values) =>
      sql`MD5(CONCAT(${join(
        values.flatMap((value) => [sql`COALESCE(HEX(${textOf(value)}), '-')`, sql`','`]),
        ', ',
      )}))`,
    sortKey: (target, value) => sortKey(flavour, target, value),
    textArray: (values) =>
      sql`CONCAT('[', ${join(
        values.flatMap((value, index) => [
          ...(index === 0 ? [] : [sql`','`]),
          orNull(sql`JSON_QUOTE(${textOf(value)})`),
        ]),
        ', ',
      )}, ']')`,
  }
}

function list(
  value: SqlFragment,
  from: SqlFragment,
  guard: SqlFragment | null,
  order: SqlFragment = EMPTY,
): SqlFragment {
  return sql`(SELECT ${listOf(orNull(value), order)}${from}${guard ?? EMPTY})`
}

/**
 * MariaDB and MySQL sort NULL as smaller than all values, and have no NULLS FIRST. GROUP_CONCAT of MariaDB sorts it as
 * zero or as an empty text.
 */
function orderTerm(value: SqlFragment, direction: Direction, isNullable: boolean, isOfList = false): SqlFragment {
  const isDescending = direction.startsWith('DESC')
  const way = isDescending ? sql` DESC` : sql` ASC`
  const nullsFirst = direction.endsWith('FIRST') || (isDescending && !direction.endsWith('LAST'))
  if (!isNullable || (!isOfList && nullsFirst === !isDescending)) return sql`${value}${way}`
  return sql`(${value} IS NULL)${nullsFirst ? sql` DESC` : sql` ASC`}, ${value}${way}`
}

/** The value in the rows of a page, without the look-ahead row; NULL there, which the list leaves out. */
function ofPage(value: SqlFragment, { number, size }: PageOrder): SqlFragment {
  return sql`CASE WHEN ${number} <= ${size} THEN ${value} END`
}

function inOrder({ number }: PageOrder, isAscending: boolean): SqlFragment {
  return sql` ORDER BY ${number}${isAscending ? sql` ASC` : sql` DESC`}`
}

/** A sort key for keyset pagination. */
function sortKey(flavour: Flavour, target: Omit<Target, 'value'>, given: SqlValue): PageKey {
  const type = target.type ?? (given.from === 'column' ? given.type : null)
  const kind = kindOf(target.named, type)
  const { value } = comparable(flavour, target, given)
  const compared = comparedType(kind, type)
  return {
    value,
    text: type === 'float4' ? sql`CAST(${value} AS DOUBLE)` : textOf(value),
    operand(slot) {
      const text = cursorValue(kind, slot)
      return compared === null ? text : sql`CAST(${text} AS ${type === 'float4' ? sql`DOUBLE` : compared})`
    },
  }
}

/**
 * Casts the text of a document's key to the type of the column that it refers to. A text that is no number is NULL, because
 * the cast would make it 0, which may be the key of a row.
 */
function documentKey({ text }: Extract<SqlValue, { from: 'document' }>, type: string): SqlFragment {
  const kind = kindOfType(type)
  if (kind === 'integer') return sql`CASE WHEN ${text} REGEXP ${literal(WHOLE)} THEN ${wholeNumber(text)} END`
  if (kind !== 'decimal' && kind !== 'real') return cast(text, type)
  return sql`CASE WHEN ${text} REGEXP ${literal(NUMBER)} THEN ${cast(text, type)} END`
}

const WHOLE = '^[+-]?0*[0-9]{1,19}([.]0{1,100})?$'
const NUMBER = '^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$'
