import { range, semantic } from './convert-special.ts'
import { DURATION_RANGE } from './operand-inputs.ts'
import type { OperandKind, OperatorEntry } from './operator.ts'
import { parseTreePattern, parseTreeWords } from './tree-pattern.ts'

function entry(
  scalar: 'LTree' | 'DateRange' | 'Duration',
  name: string,
  operand: OperandKind,
  description: string,
  more: Partial<OperatorEntry> = {},
): OperatorEntry {
  // The operators of ltree come with the extension, which is installed if a column has its type.
  const columns = scalar === 'LTree' ? { columns: ['ltree'] } : {}
  return { id: `${name}:${scalar}`, name, groups: [], scalars: [scalar], operand, description, ...columns, ...more }
}

const days = (name: string, description: string): OperatorEntry =>
  entry('DateRange', name, 'field', description, { convert: semantic('DateRange') })

const units = (name: string, description: string): OperatorEntry => entry('Duration', name, 'int', description)

/** Filter operators for tree paths (`LTree`), date ranges and durations. */
export const EXTENT_OPERATORS: readonly OperatorEntry[] = [
  entry('LTree', '_ancestor_of', 'field', 'Is this path, or one above it.', { convert: semantic('LTree') }),
  entry('LTree', '_descendant_of', 'field', 'Is this path, or one below it.', {
    aliases: ['isdescendant'],
    convert: semantic('LTree'),
  }),
  entry('LTree', '_ancestor_of_id', 'key', 'Is the path of the row with this id, or one above it.'),
  entry('LTree', '_descendant_of_id', 'key', 'Is the path of the row with this id, or one below it.'),
  entry(
    'LTree',
    '_matches_lquery',
    'string',
    'Matches this pattern of labels: `top.*.astro*`. At most three parts of any length.',
    {
      convert: parseTreePattern,
    },
  ),
  entry('LTree', '_matches_any_lquery', 'strings', 'Matches one of these patterns.', { convert: parseTreePattern }),
  entry('LTree', '_matches_ltxtquery', 'string', 'Has labels that fulfil this: `europe & russia*@ & !transport`.', {
    convert: parseTreeWords,
  }),
  entry('LTree', '_lca', 'list', 'Is the longest path above all of these.'),
  ...(
    [
      ['eq', 'this many'],
      ['neq', 'another number of'],
      ['gt', 'more'],
      ['gte', 'at least this many'],
      ['lt', 'fewer'],
      ['lte', 'at most this many'],
    ] as const
  ).map(([of, many]) => entry('LTree', `_depth_${of}`, 'int', `Has ${many} labels.`, { aliases: [`nlevel${of}`] })),
  entry('DateRange', '_contains_date', 'string', 'Holds this day.', { convert: dayOf }),
  days('_contains_range', 'Holds all of this range.'),
  days('_overlaps', 'Shares a day with this range.'),
  days('_adjacent', 'Begins where this range ends, or ends where it begins.'),
  days('_strictly_left', 'Ends before this range begins.'),
  days('_strictly_right', 'Begins after this range ends.'),
  days('_not_left', 'Does not begin before this range.'),
  days('_not_right', 'Does not end after this range.'),
  entry('Duration', '_within_range', 'object', 'Is not shorter than min and not longer than max.', {
    input: DURATION_RANGE,
    convert: range(DURATION_RANGE),
  }),
  units('_hours_gte', 'Takes at least so many hours.'),
  units('_hours_lte', 'Takes at most so many hours.'),
  units('_minutes_gte', 'Takes at least so many minutes.'),
  units('_minutes_lte', 'Takes at most so many minutes.'),
  units('_total_seconds_gt', 'Takes more than so many seconds.'),
  units('_total_seconds_gte', 'Takes at least so many seconds.'),
  units('_total_seconds_lt', 'Takes less than so many seconds.'),
  units('_total_seconds_lte', 'Takes at most so many seconds.'),
  units('_total_minutes_gt', 'Takes more than so many minutes.'),
  units('_total_hours_gt', 'Takes more than so many hours.'),
]

function dayOf(value: unknown): unknown {
  return semantic('Date')(value)
}
