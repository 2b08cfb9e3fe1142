import { type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import { fullTextOperator, rankOperator } from '../../../schema/full-text.ts'
import type { OperatorId } from '../../../schema/operators/operator.ts'
import { either, onText, onValue } from '../../emit-operator.ts'
import type { EmitOperator } from '../../sql-value.ts'
import { SPECIAL } from './special-operators.ts'

/**
 * Makes an operator for a full-text query, which a function parses with a configuration parameter. It is in a subquery, so that it is
 * computed once. A plain expression would be computed for each row, because it depends on settings of the session.
 */
const searched = (read: SqlFragment): EmitOperator =>
  onValue((v, o) => sql`${v} @@ (SELECT ${read}((${o} ->> 'config')::regconfig, ${o} ->> 'text'))`)
const ranked = (read: SqlFragment): EmitOperator =>
  onValue((v, o) => sql`ts_rank(${v}, (SELECT ${read}((${o} ->> 'config')::regconfig, ${o} ->> 'text')))`)
/** Makes an operator that searches the words of a text, or of a `tsvector` column. */
const found =
  (read: SqlFragment): EmitOperator =>
  ({ text, words }, { sql: o }) =>
    sql`${words ?? sql`to_tsvector(${text})`} @@ (SELECT ${read}(${o}))`
const part = (name: SqlFragment): EmitOperator => onValue((v, o) => sql`EXTRACT(${name} FROM ${v}) = ${o}`)
const like = onText((v, o) => sql`${v} LIKE ${o}`)
const ilike = onText((v, o) => sql`${v} ILIKE ${o}`)
const equals = onValue((v, o) => sql`${v} = ${o}`)
const differs = onValue((v, o) => sql`${v} <> ${o}`)
const contains = onValue((v, o) => sql`${v} @> ${o}`)
const contained = onValue((v, o) => sql`${v} <@ ${o}`)
const isNull = (v: SqlFragment): SqlFragment => sql`${v} IS NULL`
const isNotNull = (v: SqlFragment): SqlFragment => sql`${v} IS NOT NULL`
const isNullJson = (v: SqlFragment): SqlFragment => sql`coalesce(jsonb_typeof(${v}), 'null') = 'null'`
const isSomeJson = (v: SqlFragment): SqlFragment => sql`coalesce(jsonb_typeof(${v}), 'null') <> 'null'`

/** SQL of all filter operators in PostgreSQL, by operator id. */
export const OPERATORS: ReadonlyMap<OperatorId, EmitOperator> = new Map<OperatorId, EmitOperator>([
  ['_eq', equals],
  ['_neq', differs],
  ['_gt', onValue((v, o) => sql`${v} > ${o}`)],
  ['_gte', onValue((v, o) => sql`${v} >= ${o}`)],
  ['_lt', onValue((v, o) => sql`${v} < ${o}`)],
  ['_lte', onValue((v, o) => sql`${v} <= ${o}`)],
  ['_in', onValue((v, o) => sql`${v} = ANY(${o})`)],
  ['_nin', onValue((v, o) => sql`${v} <> ALL(${o})`)],
  ['_is_null', either(isNull, isNotNull)],
  ['_is_not_null', either(isNotNull, isNull)],
  ['_year', part(sql`year`)],
  ['_month', part(sql`month`)],
  ['_day', part(sql`day`)],
  ['_dow', part(sql`dow`)],

  ['_contains', like],
  ['_icontains', ilike],
  ['_startswith', like],
  ['_istartswith', ilike],
  ['_endswith', like],
  ['_iendswith', ilike],
  ['_like', like],
  ['_ilike', ilike],
  ['_nlike', onText((v, o) => sql`${v} NOT LIKE ${o}`)],
  ['_nilike', onText((v, o) => sql`${v} NOT ILIKE ${o}`)],
  ['_regex', onText((v, o) => sql`${v} ~ ${o}`)],
  ['_iregex', onText((v, o) => sql`${v} ~* ${o}`)],
  ['_nregex', onText((v, o) => sql`${v} !~ ${o}`)],
  ['_niregex', onText((v, o) => sql`${v} !~* ${o}`)],
  ['_matches', found(sql`to_tsquery`)],
  ['_plain_query', found(sql`plainto_tsquery`)],
  ['_phrase_query', found(sql`phraseto_tsquery`)],
  ['_websearch_query', found(sql`websearch_to_tsquery`)],

  [fullTextOperator('plain'), searched(sql`plainto_tsquery`)],
  [fullTextOperator('phrase'), searched(sql`phraseto_tsquery`)],
  [fullTextOperator('websearch'), searched(sql`websearch_to_tsquery`)],
  [rankOperator('plain'), ranked(sql`plainto_tsquery`)],
  [rankOperator('phrase'), ranked(sql`phraseto_tsquery`)],
  [rankOperator('websearch'), ranked(sql`websearch_to_tsquery`)],

  ['_eq:list', equals],
  ['_neq:list', differs],
  ['_contains:list', contains],
  ['_contained_in:list', contained],
  ['_has_any:list', onValue((v, o) => sql`${v} && ${o}`)],
  ['_has_all:list', contains],
  [
    '_is_empty:list',
    either(
      (v) => sql`coalesce(cardinality(${v}), 0) = 0`,
      (v) => sql`coalesce(cardinality(${v}), 0) > 0`,
    ),
  ],
  ['_len_eq:list', onValue((v, o) => sql`cardinality(${v}) = ${o}`)],
  ['_len_neq:list', onValue((v, o) => sql`cardinality(${v}) <> ${o}`)],
  ['_len_gt:list', onValue((v, o) => sql`cardinality(${v}) > ${o}`)],
  ['_len_gte:list', onValue((v, o) => sql`cardinality(${v}) >= ${o}`)],
  ['_len_lt:list', onValue((v, o) => sql`cardinality(${v}) < ${o}`)],
  ['_len_lte:list', onValue((v, o) => sql`cardinality(${v}) <= ${o}`)],

  ['_eq:json', equals],
  ['_neq:json', differs],
  ['_contains:json', contains],
  ['_strictly_contains:json', onValue((v, o) => sql`(${v} @> ${o} AND ${v} <> ${o})`)],
  ['_contained_in:json', contained],
  ['_has_key:json', onValue((v, o) => sql`${v} ? ${o}`)],
  ['_has_keys_any:json', onValue((v, o) => sql`${v} ?| ${o}`)],
  ['_has_keys_all:json', onValue((v, o) => sql`${v} ?& ${o}`)],
  ['_is_null:json', either(isNullJson, isSomeJson)],
  ['_is_not_null:json', either(isSomeJson, isNullJson)],
  ...SPECIAL,
])
