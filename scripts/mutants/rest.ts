import type { Mutant } from './mutant.ts'

const ANSWERS = ['test/plugins/rest/memory-answers.test.ts']
const DEPRECATION = ['test/plugins/rest/deprecation.test.ts']
const READS = ['test/plugins/rest/read.test.ts']
const COMPRESSION = ['test/plugins/compression/compression.test.ts']
const LOGINS = ['test/plugins/oauth/oauth.test.ts']

const answers = (fault: string, find: string, replace: string): Mutant => ({
  fault,
  file: 'plugins/rest/idempotency/memory-answers.ts',
  find,
  replace,
  tests: ANSWERS,
})
const compression = (fault: string, find: string, replace: string): Mutant => ({
  fault,
  file: 'plugins/compression/index.ts',
  find,
  replace,
  tests: COMPRESSION,
})

/** REST: requests, responses and logouts. */
export const REST: readonly Mutant[] = [
  answers('A claim that has not ended can be claimed again', 'if (this.#live(key) !== undefined) return false', ''),
  answers(
    'One caller may have any number of requests under way',
    'this.#shareOf(caller).running >= maxRunning) {',
    'false) {',
  ),
  answers('A request that has ended counts as under way', 'share.running -= 1', ''),
  answers('A caller may fill the room', 'while (isLarge() && share.kept.size > 1)', 'while (false)'),
  answers(
    'Several callers who fill the room push others out',
    'this.#exceedsFairShare(share) ? share.kept : this.#kept.keys()',
    'this.#kept.keys()',
  ),
  {
    fault: 'A negation of several members is that of each',
    file: 'plugins/rest/read/read-parameters.ts',
    find: "[isNegated === (joint === 'and') ? '_or' : '_and']",
    replace: '[`_${joint}`]',
    tests: [...READS, 'test/plugins/rest/hostile.test.ts'],
  },
  {
    fault: 'A cookie that may be a credential is nothing to shared caches',
    file: 'core/service/http/cacheability.ts',
    find: "const ALWAYS_CREDENTIALS = ['authorization', 'cookie']",
    replace: "const ALWAYS_CREDENTIALS = ['authorization']",
    tests: ['test/core/service/http/cacheability.test.ts', 'test/core/service/app/shared-cache.test.ts'],
  },
  {
    fault: 'A day in front of a reason is not read',
    file: 'core/service/http/announce-deprecated.ts',
    find: 'Number.isNaN(day) ? 0 : day / 1000',
    replace: '0',
    tests: DEPRECATION,
  },
  {
    fault: 'Deprecated fields below a relation of a filter are not seen',
    file: 'plugins/rest/reply/deprecation.ts',
    find: 'field.deprecated ?? deprecatedFilter(field.named, value)',
    replace: 'field.deprecated',
    tests: DEPRECATION,
  },
  compression('What is short is compressed', 'if (body.length < minBytes) return reply', ''),
  compression(
    'A page of another site learns lengths',
    "ctx.headers.cookie !== undefined && pageSource(ctx, NO_OTHERS) !== 'own'",
    'false',
  ),
  compression('A strong tag stays strong', 'headers.etag = `W/${etag}`', ''),
  compression(
    'A cache is not told again what it is told apart by',
    'if (status === 304) return varying(reply, headers)',
    'if (status === 304) return reply',
  ),
  compression('A stream is gathered by the client at its end alone', "'content-encoding': encoding }", '}'),
  {
    fault: 'A logout by the access token alone leaves the session',
    file: 'plugins/oauth/mount-routes.ts',
    find: '      await logins.logoutOf(access)\n',
    replace: '',
    tests: LOGINS,
  },
  {
    fault: 'Whose session a token is of is forgotten when it is refreshed',
    file: 'plugins/oauth/sessions.ts',
    find: 'if (name !== null && usable > 0)',
    replace: 'if (name !== null && usable > 0 && kept.previous === null)',
    tests: LOGINS,
  },
  {
    fault: 'Rows that are reported by id alone are not counted',
    file: 'plugins/rest/write/serve-many.ts',
    find: 'Math.max(named, told',
    replace: 'Math.max(0, told',
    tests: ['test/plugins/rest/bulk-delete.test.ts'],
  },
  {
    fault: 'The limit of the client is not among the applied preferences',
    file: 'plugins/rest/write/serve-many.ts',
    find: 'if (mostAffected !== undefined)',
    replace: 'if (mostAffected === null)',
    tests: ['test/plugins/rest/bulk-delete.test.ts'],
  },
]
