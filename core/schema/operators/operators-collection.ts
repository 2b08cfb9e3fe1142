import { defineOperators, type OperatorEntry } from './operator.ts'

const list = (
  name: string,
  operand: 'list' | 'int',
  description: string,
  aliases: readonly string[] = [],
): OperatorEntry => ({
  name,
  aliases,
  groups: ['list'],
  operand,
  description,
})

const json = (
  name: string,
  operand: 'json' | 'string' | 'strings',
  description: string,
  aliases: readonly string[] = [],
): OperatorEntry => ({
  name,
  aliases,
  groups: ['json'],
  operand,
  description,
})

/** Filter operators for fields that are lists of scalars or enums (SQL arrays) and for JSON fields (`jsonb`). */
export const COLLECTION_OPERATORS = defineOperators([
  list('_eq', 'list', 'Is exactly this list, in this order.'),
  list('_neq', 'list', 'Is not this list. Null is neither.', ['ne']),
  list('_contains', 'list', 'Holds all of these elements.'),
  list('_contained_in', 'list', 'Holds nothing but these elements.', ['arraycontainedby', 'arraycontainedin']),
  list('_has_any', 'list', 'Holds at least one of these elements.', ['arrayoverlaps', 'overlaps']),
  list('_has_all', 'list', 'Holds all of these elements.', ['arraycontains']),
  {
    name: '_is_empty',
    groups: ['list'],
    operand: 'boolean',
    description: 'true: has no elements, or is null. false: has some.',
  },
  list('_len_eq', 'int', 'Has this many elements.'),
  list('_len_neq', 'int', 'Has another number of elements.'),
  list('_len_gt', 'int', 'Has more elements than this.'),
  list('_len_gte', 'int', 'Has at least this many elements.'),
  list('_len_lt', 'int', 'Has fewer elements than this.'),
  list('_len_lte', 'int', 'Has at most this many elements.'),
  json('_eq', 'json', 'Is exactly this value.'),
  json('_neq', 'json', 'Is another value. Null is neither.', ['ne']),
  json('_contains', 'json', 'Contains this value (JSON containment).'),
  json('_strictly_contains', 'json', 'Contains this value and more.'),
  json('_contained_in', 'json', 'Is contained in this value.'),
  json('_has_key', 'string', 'Has this key.'),
  json('_has_keys_any', 'strings', 'Has at least one of these keys.'),
  json('_has_keys_all', 'strings', 'Has all of these keys.'),
  {
    name: '_is_null',
    aliases: ['isnull'],
    groups: ['json'],
    operand: 'boolean',
    description: 'true: is null, JSON null, or missing. false: holds a value.',
  },
  {
    name: '_is_not_null',
    aliases: ['isnotnull'],
    groups: ['json'],
    operand: 'boolean',
    description: 'true: holds a value. false: is null, JSON null, or missing.',
  },
])
