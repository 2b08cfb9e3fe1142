import type { Mutant } from './mutant.ts'

const PAGES = ['test/core/engine/plan/unproven-keys.test.ts']
const JOINS = ['test/core/dialects/view-shape/row-bases.test.ts']
const CATALOG = ['test/core/compiler/what-the-catalog-knows.test.ts']
const SETTABLE = ['test/plugins/rest/settable-fields.test.ts']
const ROWS = ['test/core/engine/execute/write-rows.test.ts']

const joins = (fault: string, find: string, replace: string): Mutant => ({
  fault,
  file: 'core/dialects/view-shape/read-joins.ts',
  find,
  replace,
  tests: JOINS,
})
const cursor = (fault: string, find: string, replace: string): Mutant => ({
  fault,
  file: 'core/compiler/passes/cursor-of.ts',
  find,
  replace,
  tests: PAGES,
})

/** Proofs of the catalog, the order of pages, and their use in writes. */
export const KEYS: readonly Mutant[] = [
  cursor('A key that may be NULL is taken as it is', 'if (isNotNull && isUnique) return', 'if (isUnique) return'),
  cursor('A key that repeats is taken as it is', 'if (isNotNull && isUnique) return', 'if (isNotNull) return'),
  cursor('No digest tells rows of one key apart', '...(isTold || isPromised ? {} : { digest: true })', ''),
  {
    fault: 'A digest that no row can have reaches the database',
    file: 'core/engine/plan/rows/sorted-page.ts',
    find: 'if (text === null || !/^[0-9a-f]{32}$/.test(text))',
    replace: 'if (text === null)',
    tests: PAGES,
  },
  {
    fault: 'Null keys of a cursor are not part of the shape of a plan',
    file: 'core/engine/plan/shape-key.ts',
    find: 'const isSorted = sorted ||',
    replace: 'const isSorted = !sorted &&',
    tests: PAGES,
  },
  {
    fault: 'The condition of an outer join proves rows of its optional side',
    file: 'core/dialects/view-shape/row-bases.ts',
    find: 'joins.flatMap(({ optional, on }) => (optional ? [] : on))',
    replace: 'joins.flatMap(({ on }) => on)',
    tests: JOINS,
  },
  joins('A subquery of groups counts as one row', "isWord(token, 'GROUP', 'UNION'", "isWord(token, 'UNION'"),
  joins('A limit of several counts as one row', "return tokens[limit + 1] === '1' && ", 'return '),
  {
    fault: 'A field over a column that a condition of the view filters is warned of',
    file: 'core/dialects/postgres/catalog/prove-columns.ts',
    find: 'source.relation === 0 || source.filtered) return false',
    replace: 'source.relation === 0) return false',
    tests: CATALOG,
  },
  {
    fault: 'Labels of an enum behind a domain are not known',
    file: 'core/dialects/postgres/catalog/read-types.ts',
    find: "return base?.kind === 'd' ? labelsOf(base.base) :",
    replace: 'return',
    tests: CATALOG,
  },
  {
    fault: 'A view over a view that goes round policies is not warned of',
    file: 'core/dialects/postgres/catalog/read-bypasses.ts',
    find: 'THEN r.owner ELSE v.relowner END',
    replace: 'THEN r.owner ELSE NULL END',
    tests: CATALOG,
  },
  {
    fault: 'PUT requires fields that no input sets',
    file: 'plugins/rest/routes/writable-fields.ts',
    find: 'return writableFields(type).filter(({ wireName }) => given.has(wireName))',
    replace: 'return writableFields(type)',
    tests: SETTABLE,
  },
  {
    fault: 'A path that names a pk_ field finds whatever row is first',
    file: 'plugins/rest/read/serve-rows.ts',
    find: 'const request = route.byField ? { ...read, where: equalTo(fromPath) } : read',
    replace: 'const request = read',
    tests: SETTABLE,
  },
  {
    fault: 'A row without any value is no row',
    file: 'core/dialects/postgres/mutation/write.ts',
    find: 'const empty = returns.set && named.source === null',
    replace: 'const empty = false',
    tests: ROWS,
  },
  {
    fault: 'An id is looked for under the name of its field alone',
    file: 'core/engine/plan/write/id-keys.ts',
    find: "return [...new Set([...keys, 'id'])]",
    replace: "return ['id']",
    tests: ROWS,
  },
  {
    fault: 'A value from within a function is shown',
    file: 'core/engine/execute/write/write-failure.ts',
    find: 'const argument = refused === undefined ? null : argumentOf(root, variables, refused)',
    replace: "const argument = refused === undefined ? null : 'name'",
    tests: ROWS,
  },
]
