import {
  type EmitOperator,
  either,
  type OperatorId,
  onText,
  onValue,
  type SqlFragment,
} from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { SPECIAL } from './special-operators.ts'

const like = onText((v, o) => sql`svc_like(${v}, ${o}, 0)`)
const ilike = onText((v, o) => sql`svc_like(${v}, ${o}, 1)`)
const isNull = (v: SqlFragment): SqlFragment => sql`${v} IS NULL`
const isNotNull = (v: SqlFragment): SqlFragment => sql`${v} IS NOT NULL`
const isNullJson = (v: SqlFragment): SqlFragment => sql`coalesce(json_type(${v}), 'null') = 'null'`
const isSomeJson = (v: SqlFragment): SqlFragment => sql`coalesce(json_type(${v}), 'null') <> 'null'`

/** Compares a part of a date, taken from the text of a date or of a point in time. */
const datePart = (from: SqlFragment, length: SqlFragment): EmitOperator =>
  onValue((v, o) => sql`CAST(substr(${v}, ${from}, ${length}) AS INTEGER) = ${o}`)

/** Is each item of one list in the other? Null items never match. */
const subset = (part: SqlFragment, whole: SqlFragment): SqlFragment =>
  sql`CASE WHEN ${part} IS NOT NULL AND ${whole} IS NOT NULL THEN NOT EXISTS (SELECT 1 FROM json_each(${part}) a$
    WHERE NOT EXISTS (SELECT 1 FROM json_each(${whole}) b$ WHERE b$.value = a$.value)) END`
const holdsAll = onValue((v, o) => subset(o, v))

/**
 * Filter operators that SQLite supports, by name, with functions that write their SQL. Full-text search is not among
 * them.
 */
export const OPERATORS: ReadonlyMap<OperatorId, EmitOperator> = new Map<OperatorId, EmitOperator>([
  // IN, because a UUID is looked up in upper and in lower case.
  ['_eq', onValue((v, o) => sql`${v} IN (${o})`)],
  ['_neq', onValue((v, o) => sql`${v} NOT IN (${o})`)],
  ['_gt', onValue((v, o) => sql`${v} > ${o}`)],
  ['_gte', onValue((v, o) => sql`${v} >= ${o}`)],
  ['_lt', onValue((v, o) => sql`${v} < ${o}`)],
  ['_lte', onValue((v, o) => sql`${v} <= ${o}`)],
  ['_in', onValue((v, o) => sql`${v} IN (SELECT l$.v FROM ${o} l$)`)],
  ['_nin', onValue((v, o) => sql`${v} NOT IN (SELECT l$.v FROM ${o} l$)`)],
  ['_is_null', either(isNull, isNotNull)],
  ['_is_not_null', either(isNotNull, isNull)],
  ['_year', datePart(sql`1`, sql`4`)],
  ['_month', datePart(sql`6`, sql`2`)],
  ['_day', datePart(sql`9`, sql`2`)],
  ['_dow', onValue((v, o) => sql`CAST(strftime('%w', substr(${v}, 1, 10)) AS INTEGER) = ${o}`)],

  ['_contains', like],
  ['_icontains', ilike],
  ['_startswith', like],
  ['_istartswith', ilike],
  ['_endswith', like],
  ['_iendswith', ilike],
  ['_like', like],
  ['_ilike', ilike],
  ['_nlike', onText((v, o) => sql`NOT svc_like(${v}, ${o}, 0)`)],
  ['_nilike', onText((v, o) => sql`NOT svc_like(${v}, ${o}, 1)`)],
  ['_regex', onText((v, o) => sql`svc_regexp(${o}, ${v})`)],
  ['_iregex', onText((v, o) => sql`svc_iregexp(${o}, ${v})`)],
  ['_nregex', onText((v, o) => sql`NOT svc_regexp(${o}, ${v})`)],
  ['_niregex', onText((v, o) => sql`NOT svc_iregexp(${o}, ${v})`)],

  ['_eq:list', onValue((v, o) => sql`${v} = ${o}`)],
  ['_neq:list', onValue((v, o) => sql`${v} <> ${o}`)],
  ['_contains:list', holdsAll],
  ['_contained_in:list', onValue((v, o) => subset(v, o))],
  [
    '_has_any:list',
    onValue(
      (v, o) => sql`CASE WHEN ${v} IS NOT NULL THEN EXISTS (SELECT 1 FROM json_each(${v}) a$
        JOIN json_each(${o}) b$ ON a$.value = b$.value) END`,
    ),
  ],
  ['_has_all:list', holdsAll],
  [
    '_is_empty:list',
    either(
      (v) => sql`coalesce(json_array_length(${v}), 0) = 0`,
      (v) => sql`coalesce(json_array_length(${v}), 0) > 0`,
    ),
  ],
  ['_len_eq:list', onValue((v, o) => sql`json_array_length(${v}) = ${o}`)],
  ['_len_neq:list', onValue((v, o) => sql`json_array_length(${v}) <> ${o}`)],
  ['_len_gt:list', onValue((v, o) => sql`json_array_length(${v}) > ${o}`)],
  ['_len_gte:list', onValue((v, o) => sql`json_array_length(${v}) >= ${o}`)],
  ['_len_lt:list', onValue((v, o) => sql`json_array_length(${v}) < ${o}`)],
  ['_len_lte:list', onValue((v, o) => sql`json_array_length(${v}) <= ${o}`)],

  ['_eq:json', onValue((v, o) => sql`svc_json_equal(${v}, ${o})`)],
  ['_neq:json', onValue((v, o) => sql`NOT svc_json_equal(${v}, ${o})`)],
  ['_contains:json', onValue((v, o) => sql`svc_json_contains(${v}, ${o})`)],
  [
    '_strictly_contains:json',
    onValue((v, o) => sql`(svc_json_contains(${v}, ${o}) AND NOT svc_json_equal(${v}, ${o}))`),
  ],
  ['_contained_in:json', onValue((v, o) => sql`svc_json_contains(${o}, ${v})`)],
  ['_has_key:json', onValue((v, o) => sql`svc_json_has_key(${v}, ${o})`)],
  ['_has_keys_any:json', onValue((v, o) => sql`svc_json_has_any(${v}, ${o})`)],
  ['_has_keys_all:json', onValue((v, o) => sql`svc_json_has_all(${v}, ${o})`)],
  ['_is_null:json', either(isNullJson, isSomeJson)],
  ['_is_not_null:json', either(isSomeJson, isNullJson)],
  ...SPECIAL,
])
