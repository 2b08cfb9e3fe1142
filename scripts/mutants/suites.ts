import type { Mutant } from './mutant.ts'

const LIFETIMES = ['test/plugins/redis-lifetimes.test.ts']

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
]
