import type { Mutant } from './mutant.ts'

const TESTS = ['test/core/engine/plan/composite-relations.test.ts']
const JOINS = ['test/core/engine/access/join-tables.test.ts']

/** Relations over keys of several columns. */
export const RELATIONS: readonly Mutant[] = [
  {
    fault: 'Rows belong together by the first column of their key',
    file: 'core/dialects/walker/condition.ts',
    find: 'tie.also === undefined ? [tie] : [tie, ...tie.also]',
    replace: '[tie]',
    tests: TESTS,
  },
  {
    fault: 'Any column of a key makes rows belong together',
    file: 'core/dialects/walker/condition.ts',
    find: "join(equals, ' AND ')",
    replace: "join(equals, ' OR ')",
    tests: TESTS,
  },
  {
    fault: 'A column of a relation may have no partner',
    file: 'core/compiler/passes/read-relation.ts',
    find: 'if (from.length === to.length && twice.length === 0) return true',
    replace: 'if (twice.length === 0) return true',
    tests: TESTS,
  },
  {
    fault: 'A column of a declared key is taken for a reference of its own',
    file: 'core/compiler/passes/relation-by-name.ts',
    find: 'if (from !== null && !isDeclared) reverse',
    replace: 'if (from !== null && !reverse.has(to)) reverse',
    tests: TESTS,
  },
  {
    fault: 'Rows of a join table are read without the rules of their types',
    file: 'core/engine/plan/sources/related.ts',
    find: 'openRows(context, { every },',
    replace: 'openRows(context, { every: [] },',
    tests: JOINS,
  },
  {
    fault: 'Only SQL filters hold for the rows of a join table in a list',
    file: 'core/dialects/walker/condition.ts',
    find: '...fenceRelations(emission, rules, () => rules.map((rule) => writeCondition(emission, rule))),',
    replace: '...fenceRelations(emission, rules, () => []),',
    tests: JOINS,
  },
  {
    fault: 'Only SQL filters hold for the rows of a join table in a filter',
    file: 'core/dialects/walker/condition.ts',
    find: 'const rules = [...(through?.rules ?? []), ...over.rules]',
    replace: 'const rules = [...over.rules]',
    tests: JOINS,
  },
  {
    fault: 'A list is shown although the type of its join table is denied',
    file: 'core/engine/access/mask-selection.ts',
    find: 'if (guard !== undefined) return',
    replace: 'if (guard === "") return',
    tests: JOINS,
  },
  {
    fault: 'Rows are counted although the type of their join table is denied',
    file: 'core/engine/access/mask-selection.ts',
    find: '...(field.field.guards ?? []), ',
    replace: '',
    tests: JOINS,
  },
  {
    fault: 'A denial of a join table that rejects is a mask',
    file: 'core/engine/access/find-rejected.ts',
    find: 'if (guard !== null) return guard',
    replace: 'if (guard?.target === "") return guard',
    tests: JOINS,
  },
  {
    fault: 'A filter tells what a denied join table holds',
    file: 'core/engine/plan/context/refuse-closed.ts',
    find: '...(field.guards ?? []), ',
    replace: '',
    tests: JOINS,
  },
  {
    fault: 'The type of a join table is not in reach of a selection',
    file: 'core/engine/access/reach.ts',
    find: 'for (const guard of field.guards ?? []) reach.targets.add(guard)',
    replace: '',
    tests: ['test/core/engine/access/reach.test.ts'],
  },
  {
    fault: 'The type of a join table is not in reach of a filter',
    file: 'core/engine/access/reach.ts',
    find: 'for (const guard of guards) names.add(typeOf(guard))',
    replace: '',
    tests: ['test/core/engine/access/reach.test.ts'],
  },
  {
    fault: 'A table and the same table with its schema are two join tables',
    file: 'core/compiler/passes/join-rules.ts',
    find: 'return one.name === other.name && (a === undefined || b === undefined || a === b)',
    replace: 'return one.name === other.name && one.schema === other.schema',
    tests: ['test/core/compiler/join-tables.test.ts'],
  },
  {
    fault: 'A join table without a unique key is folded',
    file: 'core/introspect/join-tables.ts',
    find: 'if (found === null || !found.unique) return []',
    replace: 'if (found === null) return []',
    tests: ['test/core/introspect/join-tables.test.ts'],
  },
]
