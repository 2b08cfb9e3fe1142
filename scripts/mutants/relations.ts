import type { Mutant } from './mutant.ts'

const TESTS = ['test/core/engine/plan/composite-relations.test.ts']

/** Relations over keys of several columns. */
export const RELATIONS: readonly Mutant[] = [
  {
    fault: 'Rows belong together by the first column of their key',
    file: 'core/dialects/walker/condition.ts',
    find: 'if (tie.also === undefined) return first',
    replace: 'if (tie.also !== null) return first',
    tests: TESTS,
  },
  {
    fault: 'Any column of a key makes rows belong together',
    file: 'core/dialects/walker/condition.ts',
    find: "writeEqual(emission, pair))], ' AND ')",
    replace: "writeEqual(emission, pair))], ' OR ')",
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
]
