import type { Mutant } from './mutant.ts'

const TESTS = ['test/core/service/drift/compare-catalog.test.ts']
const PROBES = ['test/plugins/health/drift-probes.test.ts']

/** The comparison of the database with the schema. */
export const DRIFT: readonly Mutant[] = [
  {
    fault: 'A column that is gone is no difference',
    file: 'core/service/drift/compare-relations.ts',
    find: 'if (now === undefined) {',
    replace: 'if (now === undefined && column === null) {',
    tests: TESTS,
  },
  {
    fault: 'Columns that nothing reads are compared',
    file: 'core/service/drift/compare-relations.ts',
    find: 'return [...columns].flatMap(',
    replace: 'return [...source.columns.map(({ name: each }) => [each, places] as const)].flatMap(',
    tests: TESTS,
  },
  {
    fault: 'A type of another family fits',
    file: 'core/service/drift/fitting-type.ts',
    find: '&& family === familyOf(now)',
    replace: '&& familyOf(now) !== null',
    tests: TESTS,
  },
  {
    fault: 'A new parameter without a default is no difference',
    file: 'core/service/drift/compare-function.ts',
    find: '!filled.has(one) && !one.hasDefault',
    replace: '!filled.has(one) && one.hasDefault && one.name === null',
    tests: TESTS,
  },
  {
    fault: 'Each probe reads the catalog',
    file: 'plugins/health/drift-watch.ts',
    find: 'isOther || this.#now() - this.#at >= longest',
    replace: 'isOther || this.#now() - this.#at >= -longest',
    tests: PROBES,
  },
  {
    fault: 'Errors of requests start no comparison',
    file: 'plugins/health/drift-watch.ts',
    find: "signal.type === 'request-failed' && isStaleSchema(signal.error)",
    replace: "signal.type === 'request-failed' && !isStaleSchema(signal.error)",
    tests: PROBES,
  },
  {
    fault: 'Drift of another database takes the service out',
    file: 'plugins/health/index.ts',
    find: "if (drifted.has('default')) {",
    replace: 'if (drifted.size > 0) {',
    tests: PROBES,
  },
]
