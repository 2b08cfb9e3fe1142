import type { Direction } from '../../contract/plan/read-plan.ts'
import { EMPTY, identifier, integer, join, literal, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { OperatorId } from '../../schema/operators/operator.ts'
import { either, onText, onValue } from '../emit-operator.ts'
import type { PageOrder, PartOfList } from '../page-sql.ts'
import type { Primitives } from '../primitives.ts'
import type { EmitOperator, Projection, SqlMember } from '../sql-value.ts'
import { groupKey, measure, rowPerKey } from './aggregate.ts'
import { comparable, sortKey } from './comparable.ts'
import { GUARD_MARK } from './errors.ts'
import { leaf, leafPlain, proof } from './leaf.ts'
import type { FullStandardSql, StandardSql } from './standard-sql.ts'

const DIRECTIONS: Readonly<Record<Direction, SqlFragment>> = {
  ASC: sql` ASC NULLS LAST`,
  DESC: sql` DESC NULLS FIRST`,
  ASC_NULLS_FIRST: sql` ASC NULLS FIRST`,
  ASC_NULLS_LAST: sql` ASC NULLS LAST`,
  DESC_NULLS_FIRST: sql` DESC NULLS FIRST`,
  DESC_NULLS_LAST: sql` DESC NULLS LAST`,
}

/** Names of types in standard SQL, by their PostgreSQL names. A value of another type is not cast. */
const TYPES: Readonly<Record<string, SqlFragment>> = {
  bool: sql`BOOLEAN`,
  int2: sql`SMALLINT`,
  int4: sql`INTEGER`,
  int8: sql`BIGINT`,
  numeric: sql`NUMERIC`,
  float4: sql`REAL`,
  float8: sql`DOUBLE PRECISION`,
  text: sql`VARCHAR`,
  uuid: sql`UUID`,
  date: sql`DATE`,
  time: sql`TIME`,
  timestamp: sql`TIMESTAMP`,
  timestamptz: sql`TIMESTAMP WITH TIME ZONE`,
  json: sql`JSON`,
  jsonb: sql`JSON`,
}

const ESCAPE = sql` ESCAPE '\\'`
const like = onText((v, o) => sql`${v} LIKE ${o}${ESCAPE}`)
const ilike = onText((v, o) => sql`lower(${v}) LIKE lower(${o})${ESCAPE}`)
const isNull = (v: SqlFragment): SqlFragment => sql`${v} IS NULL`
const isNotNull = (v: SqlFragment): SqlFragment => sql`${v} IS NOT NULL`
const datePart = (name: SqlFragment): EmitOperator => onValue((v, o) => sql`EXTRACT(${name} FROM ${v}) = ${o}`)

/** Filter operators in standard SQL, by operator id. A dialect adds those that only its database has. */
const OPERATORS: ReadonlyMap<OperatorId, EmitOperator> = new Map<OperatorId, EmitOperator>([
  ['_eq', onValue((v, o) => sql`${v} = ${o}`)],
  ['_neq', onValue((v, o) => sql`${v} <> ${o}`)],
  ['_gt', onValue((v, o) => sql`${v} > ${o}`)],
  ['_gte', onValue((v, o) => sql`${v} >= ${o}`)],
  ['_lt', onValue((v, o) => sql`${v} < ${o}`)],
  ['_lte', onValue((v, o) => sql`${v} <= ${o}`)],
  ['_in', onValue((v, o) => sql`${v} IN (SELECT l$.v FROM ${o} l$)`)],
  ['_nin', onValue((v, o) => sql`${v} NOT IN (SELECT l$.v FROM ${o} l$)`)],
  ['_is_null', either(isNull, isNotNull)],
  ['_is_not_null', either(isNotNull, isNull)],
  ['_year', datePart(sql`YEAR`)],
  ['_month', datePart(sql`MONTH`)],
  ['_day', datePart(sql`DAY`)],

  ['_contains', like],
  ['_icontains', ilike],
  ['_startswith', like],
  ['_istartswith', ilike],
  ['_endswith', like],
  ['_iendswith', ilike],
  ['_like', like],
  ['_ilike', ilike],
  ['_nlike', onText((v, o) => sql`${v} NOT LIKE ${o}${ESCAPE}`)],
  ['_nilike', onText((v, o) => sql`lower(${v}) NOT LIKE lower(${o})${ESCAPE}`)],
])

/** Name of the column with the position of a row in its list. No other column can have it. */
const NUMBER = identifier('svc:n')
/** Makes the numbers of a page equally long, so that their texts sort as they do. */
const LONG = integer(1_000_000_000)

/** Makes the pieces of SQL that reads are built from: those that a dialect gives, and the rest in standard SQL. */
export function standardPrimitives({ operators, types, ...given }: StandardSql): Primitives {
  const named = { ...TYPES, ...types }
  const own: FullStandardSql = {
    ...defaultsOf(() => own, named),
    types: named,
    operators: new Map([...OPERATORS, ...(operators ?? [])]),
    ...given,
  }
  return own
}

/** @param self returns the finished dialect, whose members the dialect may have replaced */
function defaultsOf(self: () => FullStandardSql, types: FullStandardSql['types']): FullStandardSql {
  const asText = (value: SqlFragment): SqlFragment => self().cast(value, 'text')
  return {
    types,
    operators: OPERATORS,
    castOperand: (text, type) => sql`CAST(${text} AS ${type})`,
    tryCast: (text, type) => sql`CAST(${text} AS ${type})`,
    toJson: (value) => sql`JSON_SCALAR(${value})`,
    jsonObject: (pairs) =>
      sql`JSON_OBJECT(${join(
        pairs.map(([key, value]) => sql`${key} VALUE ${value}`),
        ', ',
      )})`,
    jsonArray: (values) => sql`JSON_ARRAY(${join(values, ', ')} NULL ON NULL)`,
    jsonList: (value, order, filter) =>
      sql`coalesce(JSON_ARRAYAGG(${value}${order} NULL ON NULL)${filter}, ${self().cast(literal('[]'), 'json')})`,
    average: (value) => self().cast(sql`avg(${self().cast(value, 'numeric')})`, 'numeric'),
    jsonItems: (json) =>
      sql`JSON_TABLE(${json}, 'lax $[*]' COLUMNS (n FOR ORDINALITY, j JSON PATH '$', t VARCHAR PATH '$'))`,

    placeholder: (number) => `$${number}`,
    literal,
    cast: (value, type) => (types[type] === undefined ? value : sql`CAST(${value} AS ${types[type]})`),
    comparable: (target, value) => comparable(self(), target, value),
    operand: (kind, slot) => (kind === 'int' ? self().cast(slot, 'int4') : self().cast(slot, 'text')),
    rowCount: (slot) => self().cast(slot, 'int8'),

    key(document, key) {
      const path = literal(`lax $.${JSON.stringify(key)}`)
      return { json: sql`JSON_QUERY(${document}, ${path} RETURNING JSON)`, text: sql`JSON_VALUE(${document}, ${path})` }
    },
    documentKey: ({ text }, type) => (types[type] === undefined ? text : self().tryCast(text, types[type])),
    isJson: (json, _jsonb, kind) => (kind === 'object' ? sql`${json} IS JSON OBJECT` : sql`${json} IS JSON ARRAY`),
    jsonOf(value) {
      if (value.from === 'document') return { json: value.json, jsonb: false }
      return { json: isJsonType(value.type) ? value.sql : self().toJson(value.sql), jsonb: false }
    },
    leaf: (field, value) => leaf(self(), field, value),
    leafText: (field, value) => asText(self().toJson(self().leaf(field, value))),
    leafPlain: (field, value) => leafPlain(self(), field, value),
    proof,
    noNumbers: [],

    object: (members) => flat(self().jsonObject(members.map(pairOf))),
    json: flat,
    asJson: (value) => value,
    textAsJson: (text) => self().toJson(text),
    asText,
    // The rows of a subquery in FROM have no order in standard SQL, so that the list sorts its own.
    flat: true,
    list: (value, from, guard, order = EMPTY) =>
      sql`(SELECT ${self().jsonList(value, order, EMPTY)}${from}${guard ?? EMPTY})`,
    listText: (value, from, guard) => asText(self().list(value, from, guard)),
    part: (list) => pageOf(list),
    objectText(members) {
      const parts = members.flatMap(({ key, value }, index) => [
        literal(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`),
        typeof value === 'string' ? literal(value) : asText(value),
      ])
      return sql`(${join([...(parts.length === 0 ? [literal('{')] : parts), literal('}')], ' || ')})`
    },
    booleanText: (condition) => sql`CASE WHEN ${condition} THEN 'true' ELSE 'false' END`,
    item: (alias) => sql`${alias}.j`,
    listOfItems(json, jsonb, alias, element, guard) {
      const most = self().page(guard === null ? null : integer(guard.most + 1), null)
      const rows = sql`SELECT ${element} AS v, ${alias}.n AS n FROM ${self().jsonItems(json)} ${alias} ORDER BY ${alias}.n${most}`
      const list = self().jsonList(sql`l$.v`, sql` ORDER BY l$.n`, EMPTY)
      return self().orAsItIs(json, jsonb, 'array', sql`(SELECT ${list} FROM (${rows}) l$${guard?.having ?? EMPTY})`)
    },
    orAsItIs: (json, jsonb, kind, made) =>
      sql`CASE WHEN ${self().isJson(json, jsonb, kind)} THEN ${made} ELSE ${json} END`,
    itemRows: (json, _jsonb, alias) => ({ from: sql`${self().jsonItems(json)} ${alias}`, item: sql`${alias}.j` }),
    exists: (rest) => sql`EXISTS (SELECT 1 FROM ${rest})`,

    orderTerm: (value, direction) => sql`${value}${DIRECTIONS[direction]}`,
    position: (list, value) => sql`(SELECT min(l$.n) FROM ${list} l$ WHERE l$.v = ${value})`,
    rowPerKey: (parts, alias, element, given) => rowPerKey(self(), parts, alias, element, given),
    groupKey: (target, value, period) => groupKey(self(), target, value, period),
    measure: (name, target, value) => measure(self(), name, target, value),
    page(limit, offset) {
      const most = limit === null ? EMPTY : sql` LIMIT ${limit}`
      return offset === null ? most : sql`${most} OFFSET ${offset}`
    },
    fence: EMPTY,
    // The failing cast depends on an aggregate, so that the database can neither evaluate it in advance nor skip it.
    guard(index, most) {
      const text = sql`${literal(`${GUARD_MARK}${index}:`)} || ${asText(sql`count(*)`)}`
      return sql` HAVING CASE WHEN count(*) > ${integer(most)} THEN ${self().cast(text, 'int4')} = 0 ELSE TRUE END`
    },

    pageList: (value, order) =>
      asText(
        self().jsonList(value, sql` ORDER BY ${order.number}${order.ascending ? EMPTY : sql` DESC`}`, onPage(order)),
      ),
    pageKey(key, order, end) {
      const { number, ascending } = order
      if ((end === 'first') === ascending)
        return sql`max(CASE WHEN ${number} = 1 THEN ${asText(key)} END)${onPage(order)}`
      // The key of the row with the largest number.
      return sql`substring(max(${asText(sql`(${number} + ${LONG})`)} || ${asText(key)})${onPage(order)} FROM 11)`
    },
    cursor() {
      throw new Error('The dialect has no `cursor`, so that its schemas have no connections')
    },
    digest: (values) => self().textArray(values),
    sortKey: (target, value) => sortKey(self(), target, value),
    textArray: (values) => asText(self().jsonArray(values.map(asText))),
  }
}

/** Tests whether a column of a type contains JSON. */
function isJsonType(type: string | null): boolean {
  return type === 'json' || type === 'jsonb'
}

function flat(value: SqlFragment): Projection {
  return { columns: sql`${value} AS json`, value: sql`r$.json`, flat: value }
}

function pairOf({ key, value }: SqlMember): readonly [SqlFragment, SqlFragment] {
  return [literal(key), value]
}

/** The rows of the page only, without the extra row that shows whether there are more. */
function onPage({ number, size }: PageOrder): SqlFragment {
  return sql` FILTER (WHERE ${number} <= ${size})`
}

/** A page of related rows by their numbers: few databases have LIMIT with a parameter in a correlated subquery. */
function pageOf({ value, rows, order, limit, offset, alias }: PartOfList): ReturnType<NonNullable<Primitives['part']>> {
  const numbered = sql`SELECT *, row_number() OVER (${order}) AS ${NUMBER} FROM ${rows}`
  const number = sql`${alias}.${NUMBER}`
  const after = offset === null ? [] : [sql`${number} > ${offset}`]
  const last = limit === null ? [] : [sql`${number} <= ${offset === null ? limit : sql`${limit} + ${offset}`}`]
  const where = join([...after, ...last], ' AND ')
  return { value, from: sql` FROM (${numbered}) ${alias} WHERE ${where}`, order }
}
