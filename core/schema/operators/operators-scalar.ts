import { defineOperators, type OperatorGroup } from './operator.ts'

const VALUES: readonly OperatorGroup[] = ['id', 'string', 'number', 'datetime', 'date', 'time', 'enum']
const EQUAL: readonly OperatorGroup[] = [...VALUES, 'boolean']
const ORDERED: readonly OperatorGroup[] = ['string', 'number', 'datetime', 'date', 'time']
const DAYS: readonly OperatorGroup[] = ['datetime', 'date']

/** Filter operators for equality, order, membership in a list, null, and parts of dates. */
export const SCALAR_OPERATORS = defineOperators([
  {
    name: '_eq',
    groups: EQUAL,
    operand: 'field',
    description: 'Is equal to.',
  },
  {
    name: '_neq',
    aliases: ['ne'],
    groups: EQUAL,
    operand: 'field',
    description: 'Is not equal to. Null is neither.',
  },
  {
    name: '_gt',
    groups: ORDERED,
    operand: 'field',
    description: 'Is greater than.',
  },
  {
    name: '_gte',
    groups: ORDERED,
    operand: 'field',
    description: 'Is greater than or equal to.',
  },
  {
    name: '_lt',
    groups: ORDERED,
    operand: 'field',
    description: 'Is less than.',
  },
  {
    name: '_lte',
    groups: ORDERED,
    operand: 'field',
    description: 'Is less than or equal to.',
  },
  {
    name: '_in',
    groups: VALUES,
    operand: 'list',
    description: 'Is one of the list. The empty list matches nothing.',
  },
  {
    name: '_nin',
    aliases: ['notin'],
    groups: VALUES,
    operand: 'list',
    description: 'Is none of the list. The empty list matches everything.',
  },
  {
    name: '_is_null',
    aliases: ['isnull'],
    groups: [...EQUAL, 'list', 'vector', 'place'],
    operand: 'boolean',
    description: 'true: is null. false: is not null.',
  },
  {
    name: '_is_not_null',
    aliases: ['isnotnull'],
    groups: [...EQUAL, 'list', 'vector', 'place'],
    operand: 'boolean',
    description: 'true: is not null. false: is null.',
  },
  {
    name: '_year',
    groups: DAYS,
    operand: 'int',
    description: 'The year (UTC) is this.',
  },
  {
    name: '_month',
    groups: DAYS,
    operand: 'int',
    description: 'The month (UTC) is this, 1 to 12.',
  },
  {
    name: '_day',
    groups: DAYS,
    operand: 'int',
    description: 'The day of the month (UTC) is this, 1 to 31.',
  },
  {
    name: '_dow',
    groups: DAYS,
    operand: 'int',
    description: 'The day of the week (UTC) is this, 0 (Sunday) to 6.',
  },
])
