import type { Mutant } from './mutant.ts'

const TESTS = ['test/core/engine/execute/aggregates.test.ts']
const CLOSED = ['test/conformance/access/access-grid.test.ts']

/** Counts, sums and groups. */
export const AGGREGATES: readonly Mutant[] = [
  {
    fault: 'Groups are made by the first key alone',
    file: 'core/dialects/walker/aggregate.ts',
    find: "GROUP BY ${join(keys, ', ')}",
    replace: 'GROUP BY ${keys[0]!}',
    tests: TESTS,
  },
  {
    fault: 'A condition on groups is not written',
    file: 'core/dialects/walker/aggregate.ts',
    find: '${whereOf(wanted)}${order}',
    replace: '${order}',
    tests: TESTS,
  },
  {
    fault: '_not on groups is not turned round',
    file: 'core/dialects/walker/aggregate.ts',
    find: 'sql`NOT (${writeHaving(emission, condition.condition, compared)})`',
    replace: 'sql`(${writeHaving(emission, condition.condition, compared)})`',
    tests: TESTS,
  },
  {
    fault: '_or on groups is _and',
    file: 'core/dialects/walker/aggregate.ts',
    find: "joint === 'and' ? ' AND ' : ' OR '",
    replace: "' AND '",
    tests: TESTS,
  },
  {
    fault: 'An empty _or on groups is true',
    file: 'core/dialects/walker/aggregate.ts',
    find: "return joint === 'and' ? TRUE : FALSE",
    replace: 'return TRUE',
    tests: TESTS,
  },
  {
    fault: 'Groups have no order',
    file: 'core/dialects/walker/aggregate.ts',
    find: 'root.grouped ? orderOf(',
    replace: 'root.grouped && root.order.length > 9 ? orderOf(',
    tests: TESTS,
  },
  {
    fault: 'Groups are not paged',
    file: 'core/dialects/walker/aggregate.ts',
    find: '${order}${pageOf(emission, root.page)}',
    replace: '${order}',
    tests: TESTS,
  },
  {
    fault: 'A measure is compared as its text',
    file: 'core/dialects/walker/aggregate.ts',
    find: "type: isNumber ? 'numeric' : type",
    replace: "type: isNumber ? 'text' : type",
    tests: TESTS,
  },
  {
    fault: 'Keys do not end the order of groups',
    file: 'core/engine/plan/rows/aggregate.ts',
    find: "if (!order.some((term) => term.column === column)) order.push({ column, direction: 'ASC' })",
    replace: '',
    tests: TESTS,
  },
  {
    fault: 'Two measures of one field are one',
    file: 'core/engine/plan/rows/aggregate-columns.ts',
    find: 'this.#add(`${measure} ${field.name}`',
    replace: 'this.#add(`measure ${field.name}`',
    tests: TESTS,
  },
  {
    fault: 'A key that is not grouped by is grouped by',
    file: 'core/engine/plan/rows/aggregate-columns.ts',
    find: 'if (known === undefined) throw this.#refuse(`"${nameOf(field, period)}" is not one of the fields of groupBy.`)',
    replace: 'if (known === undefined) return this.key(field, period)',
    tests: TESTS,
  },
  {
    fault: 'Groups can use fields that the caller may not see',
    file: 'core/engine/plan/rows/aggregate.ts',
    find: "    columns.refuseClosed(key.field, 'groupBy')\n",
    replace: '',
    tests: [...TESTS, ...CLOSED],
  },
  {
    fault: 'Groups can be ordered by fields that the caller may not see',
    file: 'core/engine/plan/rows/group-order.ts',
    find: "    columns.refuseClosed(field, 'orderBy')\n",
    replace: '',
    tests: [...TESTS, ...CLOSED],
  },
  {
    fault: 'null can be compared with a measure',
    file: 'core/engine/plan/rows/having.ts',
    find: 'if (isNothing(value)) throw nullInGroups(context, place)\n  const operand',
    replace: 'const operand',
    tests: TESTS,
  },
  {
    fault: 'Conditions on groups may nest without end',
    file: 'core/engine/plan/rows/having.ts',
    find: 'if (depth > DEEPEST)',
    replace: 'if (depth > DEEPEST * 1000)',
    tests: TESTS,
  },
]
