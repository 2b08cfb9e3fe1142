import type { Mutant } from './mutant.ts'

const CACHES = ['test/core/service/http/cacheability.test.ts']
const TARGETS = ['test/core/service/http/request-target.test.ts']
const REQUESTS = ['test/core/service/http/requests.test.ts']
const ALIKE = ['test/core/service/http/look-alikes.test.ts']
const CSRF = ['test/plugins/csrf-prevention/csrf-prevention.test.ts']
const CORS = ['test/plugins/cors/cors.test.ts']

const caches = (fault: string, find: string, replace: string): Mutant => ({
  fault,
  file: 'core/service/http/cacheability.ts',
  find,
  replace,
  tests: CACHES,
})
const pages = (fault: string, find: string, replace: string): Mutant => ({
  fault,
  file: 'core/service/http/page-source.ts',
  find,
  replace,
  tests: ALIKE,
})

const BATCHES = ['test/plugins/graphql/batches.test.ts']

/** Form and origin of a request, and caching of its response. */
export const REQUESTS_AND_CACHES: readonly Mutant[] = [
  {
    fault: 'A batch counts as one request',
    file: 'plugins/graphql/http/answer-batch.ts',
    find: 'counted < values.length',
    replace: 'counted < 1',
    tests: BATCHES,
  },
  {
    fault: 'A batch may hold one request too many',
    file: 'plugins/graphql/http/answer-batch.ts',
    find: 'values.length > most',
    replace: 'values.length > most + 1',
    tests: BATCHES,
  },
  {
    fault: 'Of a batch the complexity of the first request counts',
    file: 'plugins/query-limits/index.ts',
    find: 'of templates) for',
    replace: 'of templates.slice(0, 1)) for',
    tests: BATCHES,
  },
  {
    fault: 'A batch is 503 because one request is',
    file: 'plugins/graphql/http/answer-batch.ts',
    find: 'replies.every(',
    replace: 'replies.some(',
    tests: BATCHES,
  },
  caches(
    'An answer with a cookie is kept',
    'said === undefined || setsCookie || status >= 400',
    'said === undefined || status >= 400',
  ),
  caches('A refusal of a bad request is kept', 'status >= 400', 'status > 400'),
  caches('An error is kept', 'setsCookie || status >= 400', 'setsCookie'),
  caches('Who was verified by something else shares answers', 'ctx.auth !== null || ', ''),
  caches(
    'A credential that is not Authorization is shared',
    '[...ALWAYS_CREDENTIALS, ...names.map((name) => name.toLowerCase())]',
    '[...ALWAYS_CREDENTIALS]',
  ),
  caches(
    'An undescribed authenticator lets answers be shared',
    'hasUnknown || variesBy.length > 0',
    'variesBy.length > 0',
  ),
  caches('Rows that follow from a header are shared', 'hasUnknown || variesBy.length > 0', 'hasUnknown'),
  caches('What middleware looked at is shared', 'ctx.isPrivate || ', ''),
  caches('A private answer keeps its time in shared caches', 's-maxage=|', ''),
  caches('Vary leaves out headers of session variables', '...common, ...names, ...variesBy', '...common, ...names'),
  caches('Vary leaves out what the front says', 'return joinVary(own, said)', 'return own'),
  caches('HEAD has no Vary', "(ctx.method !== 'GET' && ctx.method !== 'HEAD')", "ctx.method !== 'GET'"),
  {
    fault: 'A cookie that a front sets is not seen',
    file: 'core/service/http/header-list.ts',
    find: "      if (name === 'set-cookie') setsCookie = true\n      if (typeof value",
    replace: '      if (typeof value',
    tests: ['test/core/service/http/header-list.test.ts'],
  },
  {
    fault: 'Userinfo of a target is a host',
    file: 'core/service/http/request-target.ts',
    find: "const HOST = /^(?:[\\w.~!$&'()*+;=%-]+",
    replace: "const HOST = /^(?:[\\w.~!$&'()*+;=%@-]+",
    tests: TARGETS,
  },
  {
    fault: 'Two hosts are one',
    file: 'core/service/http/server.ts',
    find: '    joinDuplicateHeaders: true,\n',
    replace: '',
    tests: REQUESTS,
  },
  {
    fault: 'A path is decoded altogether',
    file: 'core/service/http/request-target.ts',
    find: 'UNRESERVED.test(character) ? character',
    replace: 'UNRESERVED.test(character) || true ? character',
    tests: TARGETS,
  },
  {
    fault: 'The header stands for the host of an absolute target',
    file: 'core/service/http/http-context.ts',
    find: '    if (target !== null && target.authority !== null) this.headers.host = target.authority\n',
    replace: '',
    tests: REQUESTS,
  },
  {
    fault: 'A compressed body is read as it is',
    file: 'core/service/http/http-context.ts',
    find: 'refuseEncoded(this.headers) ?? readBody',
    replace: 'readBody',
    tests: REQUESTS,
  },
  {
    fault: 'Hooks do not know the route',
    file: 'core/service/http/router.ts',
    find: '    ctx.route = route\n',
    replace: '',
    tests: REQUESTS,
  },
  pages(
    'An origin that begins like a trusted one is trusted',
    'if (trusted.has(origin))',
    'if ([...trusted].some((each) => origin.startsWith(each)))',
  ),
  pages(
    'An origin that ends like the host is ours',
    'match[1]!.toLowerCase() === host.toLowerCase()',
    'match[1]!.toLowerCase().endsWith(host.toLowerCase())',
  ),
  pages(
    'A host that ends like the origin is ours',
    'match[1]!.toLowerCase() === host.toLowerCase()',
    'host.toLowerCase().endsWith(match[1]!.toLowerCase())',
  ),
  pages(
    'The same site is the same origin',
    "(site === 'same-origin' || isSameHost",
    "(site === 'same-origin' || site === 'same-site' || isSameHost",
  ),
  pages(
    'The host counts where the site has to be told',
    "return by === 'host' && (site",
    "return by !== 'list' && (site",
  ),
  pages('A star trusts everybody', ".filter((origin) => origin !== '*')", ''),
  {
    fault: 'Cross-site requests that a front checks itself are refused earlier',
    file: 'plugins/csrf-prevention/index.ts',
    find: "    if (crossSite === 'own') return\n",
    replace: '',
    tests: CSRF,
  },
  {
    fault: 'Cross-site requests that are refused later are not refused',
    file: 'plugins/csrf-prevention/index.ts',
    find: '    refused.set(ctx, error)\n',
    replace: '',
    tests: CSRF,
  },
  {
    fault: 'A header that a browser adds by itself is proof',
    file: 'plugins/csrf-prevention/request-check.ts',
    find: "place === 'header' && scheme === 'key'",
    replace: "place === 'header'",
    tests: CSRF,
    survives: 'Authorization, which schemes with a word stand in, is left out by its name as well.',
  },
  {
    fault: 'A cookie is proof',
    file: 'plugins/csrf-prevention/request-check.ts',
    find: "place === 'header' && scheme === 'key'",
    replace: "scheme === 'key'",
    tests: CSRF,
  },
  {
    fault: 'Credentials go to origins that are not listed',
    file: 'plugins/cors/index.ts',
    find: 'options.credentials && allowed.has(origin)',
    replace: 'options.credentials',
    tests: ['test/plugins/mcp/protocol.test.ts'],
  },
  {
    fault: 'Caches give the answer of one origin to another',
    file: 'plugins/cors/index.ts',
    find: "    if (!all) vary(headers, 'Origin')\n  }",
    replace: '  }',
    tests: CORS,
  },
  {
    fault: 'A cookie may have any length',
    file: 'plugins/oauth/cookies.ts',
    find: 'if (Buffer.byteLength(cookie) > LONGEST_COOKIE)',
    replace: 'if (Buffer.byteLength(cookie) > 2 * LONGEST_COOKIE)',
    tests: ['test/plugins/oauth/oauth.test.ts'],
  },
]
