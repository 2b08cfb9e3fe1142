import type { Mutant } from './mutant.ts'

const REFUSALS = ['test/core/engine/plan/filter-refusals.test.ts']
const TEXT_MATCH = ['test/plugins/sqlite/text-match.test.ts']
const SPECIAL = ['test/core/schema/operators/special-operators.test.ts']
const FILTER_TYPES = ['test/core/engine/plan/filter-types.test.ts']
const CLAIMS = ['test/conformance/hostile-claims.test.ts']

/** Rows that filters read, and their cost. */
export const FILTERS: readonly Mutant[] = [
  {
    fault: 'One sort key too many is planned',
    file: 'core/engine/plan/context/limits.ts',
    find: 'context.settings.maxSortKeys ?? MOST_SORT_KEYS',
    replace: '1 + (context.settings.maxSortKeys ?? MOST_SORT_KEYS)',
    tests: ['test/core/engine/plan/bounds-of-keys.test.ts'],
  },
  {
    fault: 'Group keys that a variable names have no bound',
    file: 'core/engine/plan/rows/aggregate.ts',
    find: 'boundGroupKeys(context, names.length)',
    replace: 'boundGroupKeys(context, 0)',
    tests: ['test/core/engine/plan/bounds-of-keys.test.ts'],
  },
  {
    fault: 'A column of a domain over an enum is compared as the domain',
    file: 'core/dialects/postgres/primitives/comparable.ts',
    find: 'return match === null ? column :',
    replace: 'return match !== null ? column :',
    tests: ['test/core/engine/execute/edge-values.test.ts'],
  },
  {
    fault: 'A year before Christ that was no leap year has a 29 February',
    file: 'core/schema/scalar-time.ts',
    find: 'isDayOfYear(1 - year, month, day)',
    replace: 'isDayOfYear(year, month, day)',
    tests: ['test/core/schema/scalars.test.ts'],
  },
  {
    fault: 'Zeros at the end of a fraction of a literal are lost',
    file: 'plugins/graphql/types/read-literal.ts',
    find: 'numberOf(node.value, true)',
    replace: 'numberOf(node.value)',
    tests: ['test/core/engine/execute/edge-values.test.ts'],
  },
  {
    fault: 'A time that a client sends, and that does not sort as a text, counts as a fault of the SQLite file',
    file: 'plugins/sqlite/dialect/forms.ts',
    find: "if (kind === 'datetime') return sql`svc_operand('datetime', ${slot})`",
    replace: '',
    tests: ['test/core/engine/execute/edge-values.test.ts'],
  },
  {
    fault: 'A null inside a filter is no condition',
    file: 'core/engine/plan/conditions/where.ts',
    find: 'if (value.sample === null) throw nullInFilter(context, place)',
    replace: 'if (value.sample === null) return null',
    tests: REFUSALS,
  },
  {
    fault: 'A null in the place of the filter of a quantifier is no condition',
    file: 'core/engine/plan/conditions/where.ts',
    find: 'if (depth > 0) throw nullInFilter(context, place)',
    replace: '',
    tests: REFUSALS,
  },
  {
    fault: 'A null inside a condition on groups is no condition',
    file: 'core/engine/plan/rows/having.ts',
    find: 'if (isNothing(member)) throw nullInGroups(context, at)',
    replace: 'if (isNothing(member)) return []',
    tests: ['test/core/engine/execute/aggregates.test.ts'],
  },
  {
    fault: 'A null inside the filter of REST is no condition',
    file: 'plugins/rest/request/json-filter.ts',
    find: 'if (value === null) throw nullInFilter(place)\n  throw invalidFields',
    replace: 'if (value === null) return {}\n  throw invalidFields',
    tests: ['test/plugins/rest/read.test.ts'],
  },
  {
    fault: 'A regular expression may refer back to a group',
    file: 'core/schema/operators/regex-guard.ts',
    find: "if (letter === 'k' || (letter >= '1' && letter <= '9')) throw new Error(BACK)",
    replace: '',
    tests: REFUSALS,
  },
  {
    fault: 'A regular expression may be of any size once its bounds are written out',
    file: 'core/schema/operators/regex-guard.ts',
    find: 'const MOST_ARROWS = 50_000',
    replace: 'const MOST_ARROWS = 50_000_000',
    tests: REFUSALS,
  },
  {
    fault: 'A search on SQLite takes every place for the edge of a word',
    file: 'core/expression/pattern/automaton.ts',
    find: "return ((behind === 'word') !== isWord(code)) === (edge === 'word')",
    replace: 'return true',
    tests: TEXT_MATCH,
  },
  {
    fault: 'A search on SQLite forgets that it is not at the start any more',
    file: 'core/expression/pattern/automaton.ts',
    find: "isWord(code) ? 'word' : 'other',",
    replace: "isWord(code) ? 'word' : 'start',",
    tests: TEXT_MATCH,
  },
  {
    fault: 'A pattern of paths may have any number of parts of any length',
    file: 'core/schema/operators/tree-pattern.ts',
    find: 'if (open > MOST_OPEN)',
    replace: 'if (open > 1000)',
    tests: SPECIAL,
  },
  {
    fault: 'A list of paths is compared with one path',
    file: 'core/dialects/postgres/primitives/comparable.ts',
    find: 'return sql`CASE WHEN true THEN ${slot} ELSE ${value} END`',
    replace: 'return slot',
    tests: SPECIAL,
  },
  {
    fault: 'Items of lists of JSON are bound as texts',
    file: 'core/engine/plan/values/operand.ts',
    find: '(isJson ? toJsonText(item) : toText(item, named, type))',
    replace: 'toText(item, named, type)',
    tests: ['test/core/engine/plan/document-lists.test.ts'],
  },
  {
    fault: 'field.filter_type: the filter of another scalar takes values of the own one',
    file: 'core/schema/operators/operand-input.ts',
    find: 'const scalar = isCustom ? undefined : filterScalar(field)',
    replace: 'const scalar = isCustom ? filterScalar(field) : undefined',
    tests: FILTER_TYPES,
  },
  {
    fault: 'A column of search words is read as a text, and its words anew',
    file: 'core/dialects/postgres/primitives/comparable.ts',
    find: "return value.type === 'tsvector' ? { ...own, words: value.sql } : own",
    replace: 'return own',
    tests: FILTER_TYPES,
    survives: 'the words of the text of a tsvector are found as well; only an index is not used',
  },
  {
    fault: 'A claim is not held against the type of its column',
    file: 'core/engine/plan/sources/security.ts',
    find: 'if (!isDay && !cursorText(text, { named: null, type })) throw',
    replace: 'if (isDay && !cursorText(text, { named: null, type })) throw',
    tests: CLAIMS,
  },
  {
    fault: 'A cursor of a client over a decimal is a stored value that cannot be read, on SQLite',
    file: 'plugins/sqlite/dialect/primitives.ts',
    find: 'operand: (slot) => ofCursor(kind, slot),\n      }',
    replace: 'operand: (slot) => comparedForm(kind, slot),\n      }',
    tests: ['test/conformance/hostile-cursors.test.ts'],
  },
  {
    fault: 'REST leaves out arguments that have a default',
    file: 'plugins/rest/write/write-template.ts',
    find: '} else if (byDefault !== undefined) {',
    replace: '} else if (byDefault === null) {',
    tests: ['test/plugins/rest/argument-defaults.test.ts'],
  },
  {
    fault: 'An IBAN may have the check digits 00',
    file: 'core/schema/semantic/finance.ts',
    find: "!['00', '01', '99'].includes(digits)",
    replace: "digits !== ''",
    tests: ['test/core/schema/scalar-standards.test.ts'],
  },
]
