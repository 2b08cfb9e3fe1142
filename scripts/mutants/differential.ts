import type { Mutant } from './mutant.ts'

const on = (...names: string[]): string[] => names.map((name) => `test/differential/${name}.test.ts`)

/** Faults of the planner, the walker and the dialects that give a plausible, wrong answer: the differential test has to notice each. */
export const DIFFERENTIAL: readonly Mutant[] = [
  {
    fault: 'every ranges over rows for which the condition is false, not unknown',
    file: 'core/dialects/walker/condition.ts',
    find: '(${inner}) IS NOT TRUE',
    replace: 'NOT (${inner})',
    tests: on('postgres'),
  },
  {
    fault: 'none is some',
    file: 'core/dialects/walker/condition.ts',
    find: "quantifier === 'some' ? found",
    replace: "quantifier !== 'every' ? found",
    tests: on('sqlite'),
  },
  {
    fault: 'An empty _or is true',
    file: 'core/plan/conditions/where.ts',
    find: "key === '_and' ? TRUE : FALSE",
    replace: 'TRUE',
    tests: on('sqlite'),
  },
  {
    fault: 'The key that ends an order is always ascending',
    file: 'core/plan/rows/order.ts',
    find: "descending ? 'DESC' : 'ASC'",
    replace: "'ASC'",
    tests: on('postgres'),
  },
  {
    fault: 'Nulls stand first in an ascending order of SQLite',
    file: 'plugins/sqlite/dialect/primitives.ts',
    find: 'ASC: sql` ASC NULLS LAST`',
    replace: 'ASC: sql` ASC`',
    tests: on('sqlite'),
  },
  {
    fault: 'The wildcards of LIKE are live in a literal operand',
    file: 'core/plan/conditions/operators-text.ts',
    find: "return String(value).replace(/[\\\\%_]/g, '\\\\$&')",
    replace: 'return String(value)',
    tests: on('postgres'),
  },
  {
    fault: 'The day of the week begins on Monday',
    file: 'core/dialects/postgres/operators.ts',
    find: "['_dow', part(sql`dow`)]",
    replace: "['_dow', part(sql`isodow`)]",
    tests: ['test/core/plan/operators.test.ts'],
  },
  {
    fault: 'A list that is null is not empty',
    file: 'plugins/sqlite/dialect/operators.ts',
    find: 'coalesce(json_array_length(${v}), 0) = 0',
    replace: 'json_array_length(${v}) = 0',
    tests: ['test/plugins/sqlite/dialect.test.ts'],
  },
  {
    fault: 'A key of a document with JSON null is not null',
    file: 'core/dialects/postgres/operators.ts',
    find: "sql`coalesce(jsonb_typeof(${v}), 'null') = 'null'`",
    replace: 'sql`${v} IS NULL`',
    tests: on('postgres'),
  },
  {
    fault: 'A page backward holds the row that looks ahead',
    file: 'core/dialects/walker/connection.ts',
    find: 'ascending: keyset.forward, size: open.size',
    replace: 'ascending: keyset.forward, size: keyset.forward ? open.size : open.sizePlusOne',
    tests: on('postgres'),
  },
  {
    fault: 'What is known of a page without its rows stands once for each',
    file: 'core/dialects/walker/connection.ts',
    find: "return member.members.some(({ name }) => name !== known && name !== '__typename')",
    replace: 'return true',
    tests: on('sqlite'),
  },
  {
    fault: 'Numbers in a list of JSON go through a double on SQLite',
    file: 'plugins/sqlite/dialect/comparable.ts',
    find: "'' || (${json} -> e$.fullkey)",
    replace: 'svc_number(e$.value)',
    tests: on('sqlite'),
  },
  {
    fault: 'An argument is compared with the text of a list in a document',
    file: 'core/plan/conditions/query-conditions.ts',
    find: 'if (isListInJson(query, argument)) {',
    replace: 'if (Number.isNaN(0)) {',
    tests: ['test/core/plan/documents.test.ts'],
  },
  {
    fault: 'A plan is kept whatever the form of its filter is',
    file: 'core/plan/conditions/filter-shape.ts',
    find: 'if (Array.isArray(value)) return `[${value.map((item) => filterShape(item, depth + 1)).join()}]`',
    replace: 'if (Array.isArray(value)) return `[${value.length}]`',
    tests: ['test/core/plan/plan-cache.test.ts'],
  },
]
