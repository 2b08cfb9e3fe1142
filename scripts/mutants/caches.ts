import type { Mutant } from './mutant.ts'

const CACHE = ['test/plugins/response-cache/response-cache.test.ts', 'test/plugins/response-cache/lost-commit.test.ts']
const SHARES = ['test/plugins/single-flight/shares.test.ts']
const APQ = ['test/plugins/apq/apq.test.ts']
const TRUSTED = ['test/plugins/trusted-documents/trusted-documents.test.ts']
const LIFETIMES = ['test/plugins/redis-lifetimes.test.ts']

/** Answers and documents that are kept: for whom, until when, and past a write whose outcome is unknown. */
export const CACHES: readonly Mutant[] = [
  {
    fault: 'A write that failed behind COMMIT leaves the old answers',
    file: 'plugins/response-cache/index.ts',
    find: '      await invalidate(views.ofWrite(operation.template, null))\n      throw error',
    replace: '      throw error',
    tests: CACHE,
  },
  {
    fault: 'A write with errors invalidates only the declared views',
    file: 'plugins/response-cache/invalidation.ts',
    find: '    if (writes === null) return null\n',
    replace: '    if (writes === null) return []\n',
    tests: CACHE,
  },
  {
    fault: 'A mutation of a plugin invalidates nothing',
    file: 'plugins/response-cache/invalidation.ts',
    find: "if (root.kind !== 'operation' || root.operation.kind !== 'mutation') return null",
    replace: "if (root.kind !== 'operation' || root.operation.kind !== 'mutation') continue",
    tests: CACHE,
  },
  {
    fault: 'cache = false is kept where there is a cache_ttl',
    file: 'plugins/response-cache/index.ts',
    find: '  if (cache === false) return 0\n',
    replace: '',
    tests: CACHE,
  },
  {
    fault: 'The longest time of several roots holds for all',
    file: 'plugins/response-cache/index.ts',
    find: 'Math.min(...read',
    replace: 'Math.max(...read',
    tests: CACHE,
  },
  {
    fault: 'A read from before a failed write is shared after it',
    file: 'plugins/single-flight/index.ts',
    find: 'result.then(ended, ended)',
    replace: 'result.then(ended, () => {})',
    tests: SHARES,
  },
  {
    fault: 'Callers with another context share a read',
    file: 'plugins/single-flight/index.ts',
    find: "access === '' ? [variables, ctx.auth, ctx.context] :",
    replace: "access === '' ? [variables, ctx.auth] :",
    tests: SHARES,
  },
  {
    fault: 'Callers share a read across a reload',
    file: 'plugins/single-flight/flights.ts',
    find: ' && flight.generation === ctx.generation',
    replace: '',
    tests: SHARES,
    survives: 'A template belongs to one generation; the comparison holds if that changes.',
  },
  {
    fault: 'A text that another wrote into the store runs under any hash',
    file: 'plugins/apq/document-store.ts',
    find: 'if (text === null || hashOf(text) !== hash) return null',
    replace: 'if (text === null) return null',
    tests: APQ,
  },
  {
    fault: 'Documents stay in the store for ever',
    file: 'plugins/apq/document-store.ts',
    find: '.set(hash, text, this.#ttlMs)',
    replace: '.set(hash, text, this.#ttlMs * 1e6)',
    tests: LIFETIMES,
  },
  {
    fault: 'A document with the hash of another is stored',
    file: 'plugins/apq/index.ts',
    find: 'if (hashOf(query) !== hash) {',
    replace: "if (hash === '') {",
    tests: APQ,
  },
  {
    fault: 'Redirects of the manifest are followed',
    file: 'plugins/trusted-documents/read-source.ts',
    find: "redirect: 'manual'",
    replace: "redirect: 'follow'",
    tests: TRUSTED,
  },
  {
    fault: 'An unknown id runs in strict mode where another plugin may know it',
    file: 'plugins/trusted-documents/index.ts',
    find: 'if (!isStrict && !isDocumentId(request)) return undefined',
    replace: 'if (!isDocumentId(request)) return undefined',
    tests: TRUSTED,
  },
]
