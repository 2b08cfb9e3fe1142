import type { Mutant } from './mutant.ts'

const SORTED = ['test/core/engine/plan/sorted-plans.test.ts', 'test/core/engine/plan/sorted-connections.test.ts']
const PAGES = ['test/core/engine/plan/connections.test.ts']

/** Pages of connections, by their key and in an order. */
export const CONNECTIONS: readonly Mutant[] = [
  {
    fault: 'A cursor of another order is taken',
    file: 'core/engine/plan/rows/cursor.ts',
    find: 'if (marks !== null && order !== marks.order)',
    replace: "if (marks !== null && order === '')",
    tests: SORTED,
  },
  {
    fault: 'A cursor of another filter is taken',
    file: 'core/engine/plan/rows/cursor.ts',
    find: 'if (marks !== null && filter !== marks.filter) {',
    replace: "if (marks !== null && filter === ' ') {",
    tests: SORTED,
  },
  {
    fault: 'A cursor of an order is taken where the key decides',
    file: 'core/engine/plan/rows/cursor.ts',
    find: 'if (SORTED.test(decoded)) throw',
    replace: "if (decoded === '\\0') throw",
    tests: [...PAGES, ...SORTED],
  },
  {
    fault: 'Which keys of a cursor are null does not tell plans apart',
    file: 'core/engine/plan/rows/cursor.ts',
    find: "(part === null ? 'n' : 'v')",
    replace: "(part === '' ? 'n' : 'v')",
    tests: SORTED,
  },
  {
    fault: 'A key may stand in an order twice',
    file: 'core/engine/plan/rows/sorted-page.ts',
    find: 'if (terms.has(field.name)) continue',
    replace: '',
    tests: SORTED,
  },
  {
    fault: 'The filter does not mark a cursor when it comes in a variable',
    file: 'core/engine/plan/rows/sorted-page.ts',
    find: 'if (!values.every(([, value]) => value.constant)) return markOf',
    replace: '',
    tests: SORTED,
  },
  {
    fault: 'Arguments of a query do not mark a cursor',
    file: 'core/engine/plan/rows/sorted-page.ts',
    find: "['where', ...[...query.arguments.values()].map(({ wireName }) => wireName)]",
    replace: "['where']",
    tests: SORTED,
  },
  {
    fault: 'A null that no column has is taken from a cursor',
    file: 'core/engine/plan/rows/sorted-page.ts',
    find: 'if (text === null && nullable) return null',
    replace: 'if (text === null) return null',
    tests: SORTED,
  },
  {
    fault: 'Rows without a value behind a cursor are left out',
    file: 'core/dialects/walker/seek.ts',
    find: 'return { condition: either(behind, nulls), ranges: [behind, nulls] }',
    replace: 'return { condition: behind, ranges: [behind] }',
    tests: SORTED,
  },
  {
    fault: 'Rows with a value after those without one are omitted',
    file: 'core/dialects/walker/seek.ts',
    find: 'return { condition: either(same, values), ranges: [same, values] }',
    replace: 'return { condition: same, ranges: [same] }',
    tests: SORTED,
  },
  {
    fault: 'Orders of two directions are compared as one row',
    file: 'core/dialects/walker/seek.ts',
    find: ' || term.descending !== first?.descending',
    replace: '',
    tests: SORTED,
  },
  {
    fault: 'Rows that are equal in the first key are skipped',
    file: 'core/dialects/walker/seek.ts',
    find: '${from} AND ${either(strictly, seek(rest).condition)}',
    replace: '${from} AND ${strictly}',
    tests: SORTED,
  },
  {
    fault: 'Backward pages keep rows without a value in their forward place',
    file: 'core/dialects/walker/keyset.ts',
    find: "ASC_NULLS_FIRST: 'DESC_NULLS_LAST'",
    replace: "ASC_NULLS_FIRST: 'DESC_NULLS_FIRST'",
    tests: SORTED,
  },
  {
    fault: 'before is after',
    file: 'core/dialects/walker/keyset.ts',
    find: "if (before !== null) bound('_lt', before)",
    replace: "if (before !== null) bound('_gt', before)",
    tests: PAGES,
  },
  {
    fault: 'The second key of a page is not compared',
    file: 'core/dialects/walker/keyset.ts',
    find: 'const both = tie === null ? key : sql`(${key}, ${tie})`',
    replace: 'const both = tie === null ? key : sql`(${key}, ${key})`',
    tests: PAGES,
  },
  {
    fault: 'There is a page before whenever there is one behind',
    file: 'core/dialects/walker/connection.ts',
    find: 'return forward ? String(after !== null) : more()',
    replace: 'return forward ? more() : more()',
    tests: [...PAGES, ...SORTED],
  },
  {
    fault: 'A cursor shows a key that the caller may not see',
    file: 'core/engine/plan/rows/connection.ts',
    find: 'if (keyset.after !== null || keyset.before !== null || members.some(hasCursor)) ',
    replace: 'if (members.length > 99) ',
    tests: ['test/plugins/scopes/scopes.test.ts'],
  },
  {
    fault: 'A page of first and last runs backward',
    file: 'core/engine/plan/rows/keyset.ts',
    find: '!isNothing(first) || isNothing(last)',
    replace: 'isNothing(last)',
    tests: PAGES,
  },
]
