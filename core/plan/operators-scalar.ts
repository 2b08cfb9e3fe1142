import { sql } from '../sql/fragment.ts'
import { defineOperators, type OperatorGroup } from './operator.ts'

const VALUES: readonly OperatorGroup[] = ['id', 'string', 'number', 'datetime', 'date', 'time', 'enum']
const EQUAL: readonly OperatorGroup[] = [...VALUES, 'boolean']
const ORDERED: readonly OperatorGroup[] = ['string', 'number', 'datetime', 'date', 'time']
const DAYS: readonly OperatorGroup[] = ['datetime', 'date']

/** Equality, order, membership, null, parts of dates. */
export const SCALAR_OPERATORS = defineOperators([
  {
    name: '_eq',
    groups: EQUAL,
    operand: 'field',
    description: 'Is equal to.',
    postgres: ({ value }, { sql: operand }) => sql`${value} = ${operand}`,
  },
  {
    name: '_neq',
    aliases: ['ne'],
    groups: EQUAL,
    operand: 'field',
    description: 'Is not equal to. Null is neither.',
    postgres: ({ value }, { sql: operand }) => sql`${value} <> ${operand}`,
  },
  {
    name: '_gt',
    groups: ORDERED,
    operand: 'field',
    description: 'Is greater than.',
    postgres: ({ value }, { sql: operand }) => sql`${value} > ${operand}`,
  },
  {
    name: '_gte',
    groups: ORDERED,
    operand: 'field',
    description: 'Is greater than or equal to.',
    postgres: ({ value }, { sql: operand }) => sql`${value} >= ${operand}`,
  },
  {
    name: '_lt',
    groups: ORDERED,
    operand: 'field',
    description: 'Is less than.',
    postgres: ({ value }, { sql: operand }) => sql`${value} < ${operand}`,
  },
  {
    name: '_lte',
    groups: ORDERED,
    operand: 'field',
    description: 'Is less than or equal to.',
    postgres: ({ value }, { sql: operand }) => sql`${value} <= ${operand}`,
  },
  {
    name: '_in',
    groups: VALUES,
    operand: 'list',
    description: 'Is one of the list. The empty list matches nothing.',
    postgres: ({ value }, { sql: operand }) => sql`${value} = ANY(${operand})`,
  },
  {
    name: '_nin',
    aliases: ['notin'],
    groups: VALUES,
    operand: 'list',
    description: 'Is none of the list. The empty list matches everything.',
    postgres: ({ value }, { sql: operand }) => sql`${value} <> ALL(${operand})`,
  },
  {
    name: '_is_null',
    aliases: ['isnull'],
    groups: [...EQUAL, 'list'],
    operand: 'boolean',
    description: 'true: is null. false: is not null.',
    postgres: ({ value }, { yes }) => (yes ? sql`${value} IS NULL` : sql`${value} IS NOT NULL`),
  },
  {
    name: '_is_not_null',
    aliases: ['isnotnull'],
    groups: [...EQUAL, 'list'],
    operand: 'boolean',
    description: 'true: is not null. false: is null.',
    postgres: ({ value }, { yes }) => (yes ? sql`${value} IS NOT NULL` : sql`${value} IS NULL`),
  },
  {
    name: '_year',
    groups: DAYS,
    operand: 'int',
    description: 'The year (UTC) is this.',
    postgres: ({ value }, { sql: operand }) => sql`EXTRACT(year FROM ${value}) = ${operand}`,
  },
  {
    name: '_month',
    groups: DAYS,
    operand: 'int',
    description: 'The month (UTC) is this, 1 to 12.',
    postgres: ({ value }, { sql: operand }) => sql`EXTRACT(month FROM ${value}) = ${operand}`,
  },
  {
    name: '_day',
    groups: DAYS,
    operand: 'int',
    description: 'The day of the month (UTC) is this, 1 to 31.',
    postgres: ({ value }, { sql: operand }) => sql`EXTRACT(day FROM ${value}) = ${operand}`,
  },
  {
    name: '_dow',
    groups: DAYS,
    operand: 'int',
    description: 'The day of the week (UTC) is this, 0 (Sunday) to 6.',
    postgres: ({ value }, { sql: operand }) => sql`EXTRACT(dow FROM ${value}) = ${operand}`,
  },
])
