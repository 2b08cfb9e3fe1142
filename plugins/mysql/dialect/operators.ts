import {
  type EmitOperator,
  either,
  type OperatorId,
  onText,
  onValue,
  type SqlFragment,
} from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import type { Flavour } from './flavour.ts'
import { tableOf } from './json.ts'
import { isIn, isNotIn } from './members.ts'
import { specialOperators } from './special-operators.ts'

/** A backslash, because the mode of the session gives LIKE no escape character. */
const ESCAPE = sql`ESCAPE '\\'`
const isNull = (v: SqlFragment): SqlFragment => sql`${v} IS NULL`
const isNotNull = (v: SqlFragment): SqlFragment => sql`${v} IS NOT NULL`
const isNullJson = (v: SqlFragment): SqlFragment => sql`COALESCE(JSON_TYPE(${v}), 'NULL') = 'NULL'`
const isSomeJson = (v: SqlFragment): SqlFragment => sql`COALESCE(JSON_TYPE(${v}), 'NULL') <> 'NULL'`

const like = onText((v, o) => sql`${v} LIKE ${o} ${ESCAPE}`)
const part = (name: SqlFragment): EmitOperator => onValue((v, o) => sql`${name}(${v}) = ${o}`)
const length = (compare: SqlFragment): EmitOperator => onValue((v, o) => sql`JSON_LENGTH(${v}) ${compare} ${o}`)

/** Is each item of one list in the other? Null items never match. */
const subset = (inner: SqlFragment, whole: SqlFragment): SqlFragment =>
  sql`CASE WHEN ${inner} IS NOT NULL AND ${whole} IS NOT NULL THEN NOT EXISTS (SELECT 1 FROM ${tableOf(inner, sql`a$`)} WHERE NOT EXISTS (SELECT 1 FROM ${tableOf(whole, sql`b$`)} WHERE b$.j = a$.j AND a$.v IS NOT NULL)) END`
const holdsAll = onValue((v, o) => subset(o, v))

/** Has a JSON value one of the keys: of an object, as a text in a list, or as the text itself? */
const hasKey = (json: SqlFragment, keys: SqlFragment): SqlFragment => {
  const names = sql`CASE JSON_TYPE(${json}) WHEN 'OBJECT' THEN JSON_KEYS(${json}) WHEN 'ARRAY' THEN ${json} WHEN 'STRING' THEN CONCAT('[', ${json}, ']') ELSE '[]' END`
  const isText = sql`JSON_TYPE(a$.j) = 'STRING'`
  return sql`SELECT 1 FROM ${tableOf(names, sql`a$`)} WHERE ${isText} AND a$.v = ${keys}`
}
const hasKeys = (all: boolean): EmitOperator =>
  onValue((v, o) => {
    const keys = tableOf(o, sql`k$`)
    const has = sql`EXISTS (${hasKey(v, sql`k$.v`)})`
    const found = all
      ? sql`NOT EXISTS (SELECT 1 FROM ${keys} WHERE NOT ${has})`
      : sql`EXISTS (SELECT 1 FROM ${keys} WHERE ${has})`
    return sql`CASE WHEN ${v} IS NOT NULL THEN ${found} END`
  })

/** Filter operators that MariaDB and MySQL support, by name, with functions that write their SQL. */
export function operatorsOf(flavour: Flavour): ReadonlyMap<OperatorId, EmitOperator> {
  const { exact } = flavour
  const exactly = (text: SqlFragment): SqlFragment => sql`CONVERT(${text} USING utf8mb4) COLLATE ${exact}`
  const lower = (text: SqlFragment): SqlFragment => sql`LOWER(CONVERT(${text} USING utf8mb4)) COLLATE ${exact}`
  const ilike = onText((v, o) => sql`${lower(v)} LIKE ${lower(o)} ${ESCAPE}`)
  const regex = onText((v, o) => sql`${exactly(v)} REGEXP CONCAT('(?s)', ${o})`)
  const iregex = onText((v, o) => sql`${exactly(v)} REGEXP CONCAT('(?si)', ${o})`)
  return new Map<OperatorId, EmitOperator>([
    // IN, because a UUID is looked up in upper and in lower case.
    ['_eq', onValue((v, o) => sql`${v} IN (${o})`)],
    ['_neq', onValue((v, o) => sql`${v} NOT IN (${o})`)],
    ['_gt', onValue((v, o) => sql`${v} > ${o}`)],
    ['_gte', onValue((v, o) => sql`${v} >= ${o}`)],
    ['_lt', onValue((v, o) => sql`${v} < ${o}`)],
    ['_lte', onValue((v, o) => sql`${v} <= ${o}`)],
    ['_in', onValue(isIn)],
    ['_nin', onValue(isNotIn)],
    ['_is_null', either(isNull, isNotNull)],
    ['_is_not_null', either(isNotNull, isNull)],
    ['_year', part(sql`YEAR`)],
    ['_month', part(sql`MONTH`)],
    ['_day', part(sql`DAYOFMONTH`)],
    ['_dow', onValue((v, o) => sql`DAYOFWEEK(${v}) - 1 = ${o}`)],

    ['_contains', like],
    ['_icontains', ilike],
    ['_startswith', like],
    ['_istartswith', ilike],
    ['_endswith', like],
    ['_iendswith', ilike],
    ['_like', like],
    ['_ilike', ilike],
    ['_nlike', onText((v, o) => sql`${v} NOT LIKE ${o} ${ESCAPE}`)],
    ['_nilike', onText((v, o) => sql`${lower(v)} NOT LIKE ${lower(o)} ${ESCAPE}`)],
    ['_regex', regex],
    ['_iregex', iregex],
    ['_nregex', onText((v, o) => sql`${exactly(v)} NOT REGEXP CONCAT('(?s)', ${o})`)],
    ['_niregex', onText((v, o) => sql`${exactly(v)} NOT REGEXP CONCAT('(?si)', ${o})`)],

    ['_eq:list', onValue((v, o) => sql`${v} = ${o}`)],
    ['_neq:list', onValue((v, o) => sql`${v} <> ${o}`)],
    ['_contains:list', holdsAll],
    ['_contained_in:list', onValue((v, o) => subset(v, o))],
    [
      '_has_any:list',
      onValue(
        (v, o) =>
          sql`CASE WHEN ${v} IS NOT NULL THEN EXISTS (SELECT 1 FROM ${tableOf(v, sql`a$`)} JOIN ${tableOf(o, sql`b$`)} ON a$.j = b$.j AND a$.v IS NOT NULL) END`,
      ),
    ],
    ['_has_all:list', holdsAll],
    [
      '_is_empty:list',
      either(
        (v) => sql`COALESCE(JSON_LENGTH(${v}), 0) = 0`,
        (v) => sql`COALESCE(JSON_LENGTH(${v}), 0) > 0`,
      ),
    ],
    ['_len_eq:list', length(sql`=`)],
    ['_len_neq:list', length(sql`<>`)],
    ['_len_gt:list', length(sql`>`)],
    ['_len_gte:list', length(sql`>=`)],
    ['_len_lt:list', length(sql`<`)],
    ['_len_lte:list', length(sql`<=`)],

    ['_eq:json', onValue((v, o) => sql`${v} = ${o}`)],
    ['_neq:json', onValue((v, o) => sql`${v} <> ${o}`)],
    // JSON_CONTAINS finds a value at any depth of a list, and [[2]] in [1, 2]. No expression tests what PostgreSQL does.
    [
      '_has_key:json',
      onValue((v, o) => sql`CASE WHEN ${v} IS NOT NULL THEN EXISTS (${hasKey(v, sql`${o} COLLATE ${exact}`)}) END`),
    ],
    ['_has_keys_any:json', hasKeys(false)],
    ['_has_keys_all:json', hasKeys(true)],
    ['_is_null:json', either(isNullJson, isSomeJson)],
    ['_is_not_null:json', either(isSomeJson, isNullJson)],
    ...specialOperators(exactly),
  ])
}
