import type { Mutant } from './mutant.ts'

const BY_HAND = ['test/plugins/postgres/plans-by-hand.test.ts']
const CHOICE = ['test/plugins/postgres/plan-choice.test.ts']
const PROPERTIES = ['test/core/engine/plan/filter.property.test.ts']

/** The form and plan of statements, so that an index serves them like the hand-written ones. */
export const PLANS: readonly Mutant[] = [
  {
    fault: 'A parent that is not there counts as one without values',
    file: 'core/dialects/walker/condition.ts',
    find: 'sql`(${isThere} AND (${writeCondition(emission, condition)}))`',
    replace: 'sql`(${writeCondition(emission, condition)})`',
    tests: PROPERTIES,
  },
  {
    fault: 'Below _not a parent is joined',
    file: 'core/dialects/walker/condition.ts',
    find: 'sql`NOT (${withJoins(emission, null, () => writeCondition(emission, condition.condition))})`',
    replace: 'sql`NOT (${writeCondition(emission, condition.condition)})`',
    tests: PROPERTIES,
  },
  {
    fault: 'An alternative about a parent is not joined',
    file: 'core/dialects/walker/condition.ts',
    find: "if (joint === 'or' && conditions.length > 1) emission.optional = true",
    replace: '',
    tests: BY_HAND,
  },
  {
    fault: 'A unique column is taken for one that many rows share',
    file: 'core/dialects/walker/condition.ts',
    find: '?.unique !== true',
    replace: " !== undefined || operator === '_in'",
    tests: BY_HAND,
  },
  {
    fault: 'Plans by other indexes are the same',
    file: 'plugins/postgres/schedule/plan-shape.ts',
    find: "  'Index Name',\n",
    replace: '',
    tests: CHOICE,
  },
  {
    fault: 'An index that is walked as a whole is one that finds the rows',
    file: 'plugins/postgres/schedule/plan-shape.ts',
    find: "node['Index Cond'] === undefined ? '' : 'by condition'",
    replace: "''",
    tests: CHOICE,
  },
  {
    fault: 'The embedded database plans for any values',
    file: 'plugins/pglite/wire-session.ts',
    find: 'if (statement.selective === true && this.#parts.isGeneric) {',
    replace: 'if (this.#parts.isGeneric && !this.#parts.isGeneric) {',
    tests: ['test/plugins/pglite/session-settings.test.ts'],
  },
  {
    fault: 'An EXPLAIN that fails leaves its statement prepared',
    file: 'plugins/postgres/session/explain-prepared.ts',
    find: "    await run('ROLLBACK TO svc_explained')\n    await run(`DEALLOCATE ${name}`)\n",
    replace: '    await run(`DEALLOCATE ${name}`).catch(() => {})\n',
    tests: BY_HAND,
  },
  {
    fault: 'The best match does not come first',
    file: 'core/engine/plan/rows/query-rows.ts',
    find: 'if (search.rank) ranks.push(rankOrder(search))',
    replace: 'if (search.rank && ranks.length > 9) ranks.push(rankOrder(search))',
    tests: ['test/conformance/options.test.ts'],
  },
  {
    fault: 'A key whose row the sweep has deleted is an error',
    file: 'core/engine/execute/write/write-key.ts',
    find: "if (row === undefined) return 'again'",
    replace: 'if (row === undefined) throw error',
    tests: ['test/core/engine/execute/write-once.test.ts'],
  },
  {
    fault: 'A probe waits for a catalog that cannot be read',
    file: 'plugins/health/drift-watch.ts',
    find: 'const WAIT_MS = 500',
    replace: 'const WAIT_MS = 500_000',
    tests: ['test/plugins/health/drift-probes.test.ts'],
  },
  {
    fault: 'A read of the catalog has no bound',
    file: 'plugins/postgres/session/catalog-reader.ts',
    find: 'const overdue = setTimeout(() => connection.destroy(), ASIDE_MS)',
    replace: 'const overdue = undefined',
    tests: ['test/plugins/postgres/flood.test.ts'],
  },
  {
    fault: 'The answers of a batch are not bounded together',
    file: 'plugins/graphql/http/answer-batch.ts',
    find: 'bytes += Buffer.byteLength(String(reply.body))',
    replace: 'bytes += 0 * Buffer.byteLength(String(reply.body))',
    tests: ['test/plugins/graphql/batches.test.ts'],
  },
  {
    fault: 'A shorter name of a type goes before a longer one',
    file: 'plugins/rest/routes/mutation-place.ts',
    find: 'b.type.name.length - a.type.name.length',
    replace: 'a.type.name.length - b.type.name.length',
    tests: ['test/plugins/rest/routes.test.ts'],
  },
]
