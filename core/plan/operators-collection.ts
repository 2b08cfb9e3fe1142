import { type SqlFragment, sql } from '../sql/fragment.ts'
import { defineOperators, type OperatorEntry } from './operator.ts'

type Emit = (value: SqlFragment, operand: SqlFragment) => SqlFragment

const list = (
  name: string,
  operand: 'list' | 'int',
  description: string,
  emit: Emit,
  aliases: readonly string[] = [],
): OperatorEntry => ({
  name,
  aliases,
  groups: ['list'],
  operand,
  description,
  postgres: (target, right) => emit(target.value, right.sql),
})

const json = (
  name: string,
  operand: 'json' | 'string' | 'strings',
  description: string,
  emit: Emit,
  aliases: readonly string[] = [],
): OperatorEntry => ({
  name,
  aliases,
  groups: ['json'],
  operand,
  description,
  postgres: (target, right) => emit(target.value, right.sql),
})

const isNull = (value: SqlFragment): SqlFragment => sql`coalesce(jsonb_typeof(${value}), 'null') = 'null'`
const isNotNull = (value: SqlFragment): SqlFragment => sql`coalesce(jsonb_typeof(${value}), 'null') <> 'null'`

/** Lists of scalars and enums (an array on the left), and JSON (`jsonb` on the left). */
export const COLLECTION_OPERATORS = defineOperators([
  list('_eq', 'list', 'Is exactly this list, in this order.', (v, o) => sql`${v} = ${o}`),
  list('_neq', 'list', 'Is not this list. Null is neither.', (v, o) => sql`${v} <> ${o}`, ['ne']),
  list('_contains', 'list', 'Holds all of these elements.', (v, o) => sql`${v} @> ${o}`),
  list('_contained_in', 'list', 'Holds nothing but these elements.', (v, o) => sql`${v} <@ ${o}`, [
    'arraycontainedby',
    'arraycontainedin',
  ]),
  list('_has_any', 'list', 'Holds at least one of these elements.', (v, o) => sql`${v} && ${o}`, [
    'arrayoverlaps',
    'overlaps',
  ]),
  list('_has_all', 'list', 'Holds all of these elements.', (v, o) => sql`${v} @> ${o}`, ['arraycontains']),
  {
    name: '_is_empty',
    groups: ['list'],
    operand: 'boolean',
    description: 'true: has no elements, or is null. false: has some.',
    postgres: ({ value }, { yes }) =>
      yes ? sql`coalesce(cardinality(${value}), 0) = 0` : sql`coalesce(cardinality(${value}), 0) > 0`,
  },
  list('_len_eq', 'int', 'Has this many elements.', (v, o) => sql`cardinality(${v}) = ${o}`),
  list('_len_neq', 'int', 'Has another number of elements.', (v, o) => sql`cardinality(${v}) <> ${o}`),
  list('_len_gt', 'int', 'Has more elements than this.', (v, o) => sql`cardinality(${v}) > ${o}`),
  list('_len_gte', 'int', 'Has at least this many elements.', (v, o) => sql`cardinality(${v}) >= ${o}`),
  list('_len_lt', 'int', 'Has fewer elements than this.', (v, o) => sql`cardinality(${v}) < ${o}`),
  list('_len_lte', 'int', 'Has at most this many elements.', (v, o) => sql`cardinality(${v}) <= ${o}`),
  json('_eq', 'json', 'Is exactly this value.', (v, o) => sql`${v} = ${o}`),
  json('_neq', 'json', 'Is another value. Null is neither.', (v, o) => sql`${v} <> ${o}`, ['ne']),
  json('_contains', 'json', 'Contains this value (JSON containment).', (v, o) => sql`${v} @> ${o}`),
  json('_strictly_contains', 'json', 'Contains this value and more.', (v, o) => sql`(${v} @> ${o} AND ${v} <> ${o})`),
  json('_contained_in', 'json', 'Is contained in this value.', (v, o) => sql`${v} <@ ${o}`),
  json('_has_key', 'string', 'Has this key.', (v, o) => sql`${v} ? ${o}`),
  json('_has_keys_any', 'strings', 'Has at least one of these keys.', (v, o) => sql`${v} ?| ${o}`),
  json('_has_keys_all', 'strings', 'Has all of these keys.', (v, o) => sql`${v} ?& ${o}`),
  {
    name: '_is_null',
    aliases: ['isnull'],
    groups: ['json'],
    operand: 'boolean',
    description: 'true: is null, JSON null, or missing. false: holds a value.',
    postgres: ({ value }, { yes }) => (yes ? isNull(value) : isNotNull(value)),
  },
  {
    name: '_is_not_null',
    aliases: ['isnotnull'],
    groups: ['json'],
    operand: 'boolean',
    description: 'true: holds a value. false: is null, JSON null, or missing.',
    postgres: ({ value }, { yes }) => (yes ? isNotNull(value) : isNull(value)),
  },
])
