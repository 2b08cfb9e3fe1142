import { sql } from 'svc'
import { defineDialect, type EmitOperator, join, literal, onText, onValue, type SqlFragment } from 'svc/driver'

const matches = (v: SqlFragment, o: SqlFragment, flags: SqlFragment): SqlFragment =>
  sql`regexp_matches(${v}, ${o}, ${flags})`
const regex = (flags: SqlFragment): EmitOperator => onText((v, o) => matches(v, o, flags))
const noRegex = (flags: SqlFragment): EmitOperator => onText((v, o) => sql`NOT ${matches(v, o, flags)}`)
const [EXACT, ANY_CASE] = [sql`'c'`, sql`'i'`]

const NUMERIC = sql`DECIMAL(38, 16)`

/** A number that is too large for the type compares as the largest one, or as the smallest one. */
function toNumeric(text: SqlFragment): SqlFragment {
  const most = sql`9999999999999999999999.9999999999999999`
  const end = sql`CASE WHEN ${text} LIKE '-%' THEN -${most} WHEN ${text} IS NOT NULL THEN ${most} END`
  return sql`coalesce(TRY_CAST(${text} AS ${NUMERIC}), ${end})`
}

/** DuckDB's own `avg` has the precision of a double, so that whole numbers are divided: units of the last digit. */
function average(value: SqlFragment): SqlFragment {
  const sum = sql`CAST(replace(CAST(sum(CAST(${value} AS ${NUMERIC})) AS VARCHAR), '.', '') AS HUGEINT)`
  const rounded = sql`(2 * ${sum} + sign(sum(${value})) * count(${value})) // (2 * count(${value}))`
  return sql`(CAST(${rounded} AS DECIMAL(38, 0)) * CAST(0.0000000000000001 AS DECIMAL(16, 16)))`
}

/** The SQL of DuckDB, as far as it is not that of the standard. */
export const DUCKDB = defineDialect({
  name: 'duckdb',
  standard: {
    types: { numeric: NUMERIC },
    castOperand: (text, type) => (type === NUMERIC ? toNumeric(text) : sql`CAST(${text} AS ${type})`),
    tryCast: (text, type) => sql`TRY_CAST(${text} AS ${type})`,

    toJson: (value) => sql`to_json(${value})`,
    jsonObject: (pairs) => sql`json_object(${join(pairs.flat(), ', ')})`,
    jsonArray: (values) => sql`json_array(${join(values, ', ')})`,
    jsonList: (value, order, filter) => sql`coalesce(to_json(list(${value}${order})${filter}), CAST('[]' AS JSON))`,
    jsonItems(json) {
      const list = sql`CASE json_type(${json}) WHEN 'ARRAY' THEN ${json} END`
      return sql`(SELECT CAST(key AS BIGINT) AS n, value AS j, value ->> '$' AS t FROM json_each(${list}))`
    },
    key(document, name) {
      const path = literal(`$.${JSON.stringify(name)}`)
      return { json: sql`(${document} -> ${path})`, text: sql`(${document} ->> ${path})` }
    },
    isJson: (json, _jsonb, kind) => sql`json_type(${json}) = ${literal(kind.toUpperCase())}`,

    average,
    cursor: (key) => sql`to_base64(encode(CAST(${key} AS VARCHAR)))`,

    operators: new Map([
      ['_dow', onValue((v, o) => sql`EXTRACT(DOW FROM ${v}) = ${o}`)],
      ['_regex', regex(EXACT)],
      ['_iregex', regex(ANY_CASE)],
      ['_nregex', noRegex(EXACT)],
      ['_niregex', noRegex(ANY_CASE)],
    ]),
  },
  errors: {
    missingRelation: (error) => /(?:Table|View) with name (\S+) does not exist/.exec(String(error))?.[1] ?? null,
  },
})
