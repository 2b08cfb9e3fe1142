import type { Mutant } from './mutant.ts'

const LIFETIMES = ['test/plugins/redis-lifetimes.test.ts']
const LASTING = ['test/conformance/access/lasting.test.ts']
const LOST = ['test/plugins/lost-commits.test.ts']

/** Faults that only a suite over all members of a kind noticed. */
export const SUITES: readonly Mutant[] = [
  {
    fault: 'A write that a dead process began holds its key as long as an answer is kept',
    file: 'plugins/rest/idempotency/once.ts',
    find: "textOf({ print, state: 'running' }), longestMs)",
    replace: "textOf({ print, state: 'running' }), ttlMs)",
    tests: LIFETIMES,
  },
  {
    fault: 'The answer of a write is kept a thousand times as long as configured',
    file: 'plugins/rest/idempotency/once.ts',
    find: 'textOf(answer), ttlMs)',
    replace: 'textOf(answer), ttlMs * 1000)',
    tests: LIFETIMES,
  },
  {
    fault: 'A request to cancel whose server never stops talking never ends',
    file: 'plugins/postgres/wire/head-canceller.ts',
    find: 'const overdue = setTimeout(() => socket.destroy(), TIMEOUT_MS)',
    replace: 'const overdue = undefined\n    socket.setTimeout(TIMEOUT_MS, () => socket.destroy())',
    tests: ['test/plugins/postgres/flood.test.ts'],
  },
  {
    fault: 'A server that does not close a connection that we leave keeps its place in the pool',
    file: 'plugins/postgres/wire/connection.ts',
    find: '    this.onQuiet(() => destroyUnlessEnded(this))\n',
    replace: '',
    tests: ['test/plugins/postgres/flood.test.ts'],
  },
  {
    fault: 'A process of SQLite that dies under COMMIT is said to have undone it',
    file: 'plugins/sqlite/transaction.ts',
    find: 'connection.broken && !broken ? unknownOutcome(error) : error',
    replace: 'error',
    tests: LOST,
  },
  {
    fault: 'A process of SQLite that died before COMMIT is said to have an unknown outcome',
    file: 'plugins/sqlite/transaction.ts',
    find: 'connection.broken && !broken ?',
    replace: 'connection.broken ?',
    tests: LOST,
  },
  {
    fault: 'A process of SQLite that dies under a write is said to have undone it',
    file: 'plugins/sqlite/driver.ts',
    find: 'throw isRead ? error : unknownOutcome(error)',
    replace: 'throw error',
    tests: LOST,
  },
  {
    fault: 'An embedded engine that breaks under COMMIT is said to have undone it',
    file: 'plugins/pglite/transaction.ts',
    find: 'session.run(COMMIT, [], { reset: true }).catch(failCommit)',
    replace: 'session.run(COMMIT, [], { reset: true })',
    tests: LOST,
  },
  {
    fault: 'An embedded engine that breaks under a write is said to have undone it',
    file: 'plugins/pglite/driver.ts',
    find: 'run(known).catch(failCommit)',
    replace: 'run(known)',
    tests: LOST,
  },
  {
    fault: '/auth/me tells all claims of the token',
    file: 'plugins/oauth/mount-routes.ts',
    find: '      ...Object.fromEntries(own),\n',
    replace: '      ...auth.claims,\n',
    tests: ['test/conformance/whole-answers.test.ts'],
  },
  {
    fault: 'A key in the headers of connection_init is not read',
    file: 'plugins/subscriptions/connection/credentials.ts',
    find: '(findHeader(given, name) ?? findHeader(nested, name))',
    replace: 'findHeader(given, name)',
    tests: ['test/conformance/credentials/credentials.test.ts'],
  },
  {
    fault: 'The scheme of a token is read in one spelling alone',
    file: 'plugins/jwt/read-bearer.ts',
    find: '/^bearer(?: |$)/i',
    replace: '/^[Bb]earer(?: |$)/',
    tests: ['test/conformance/credentials/credentials.test.ts'],
  },
  {
    fault: 'A subscription that a reload closes to its caller tells an error per event',
    file: 'plugins/subscriptions/hub/create-reads.ts',
    find: '      refuseNothing(authorized)\n',
    replace: '',
    tests: LASTING,
  },
  {
    fault: 'A subscription whose caller lacks a claim after a reload tells an error per event',
    file: 'plugins/subscriptions/service.ts',
    find: '      await refuseUnreadable(ctx, watch)\n      made = watch\n',
    replace: '      made = watch\n      await refuseUnreadable(ctx, watch)\n',
    tests: LASTING,
  },
]
