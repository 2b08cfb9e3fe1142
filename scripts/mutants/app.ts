import type { Mutant } from './mutant.ts'

const ACCESS = ['test/core/service/app/access.test.ts']
const CLOSE = ['test/core/service/app/close.test.ts']
const SETTINGS = ['test/core/service/app/server-settings.test.ts']
const RUNNER = ['test/core/service/lifecycle/run-operation.test.ts']

const ignored = (key: string, find: string, replace: string): Mutant => ({
  fault: `server.${key} is ignored`,
  file: 'core/service/compose-service.ts',
  find,
  replace,
  tests: SETTINGS,
})

/** `core/service/app.ts`, `core/service/compose-service.ts` and `core/service/lifecycle`. */
export const APP: readonly Mutant[] = [
  {
    fault: 'The default policy is dropped without authorize hooks',
    file: 'core/service/lifecycle/run-operation.ts',
    find: '      const closed = defaultPolicy(exchange, operation)\n      if',
    replace: '      const closed = undefined as ReturnType<DefaultPolicyCheck>\n      if',
    tests: ACCESS,
  },
  {
    fault: 'The default policy is dropped with authorize hooks',
    file: 'core/service/lifecycle/run-operation.ts',
    find: '    const closed = defaultPolicy(exchange, operation)\n    const',
    replace: '    const closed = undefined as ReturnType<DefaultPolicyCheck>\n    const',
    tests: ACCESS,
  },
  {
    fault: 'security.default_policy is ignored',
    file: 'core/service/compose-service.ts',
    find: 'createDefaultPolicy(config.security.default_policy, kernel.names)',
    replace: "createDefaultPolicy('public')",
    tests: ACCESS,
  },
  {
    fault: 'Anonymous callers may call operations that are not public',
    file: 'core/service/lifecycle/default-policy.ts',
    find: "return policy === 'public' && !guarded",
    replace: 'return !guarded',
    tests: RUNNER,
  },
  {
    fault: 'One open root opens the operation',
    file: 'core/service/lifecycle/default-policy.ts',
    find: 'template.roots.every(',
    replace: 'template.roots.some(',
    tests: RUNNER,
  },
  {
    fault: 'resolve does not wait for authorize',
    file: 'core/service/lifecycle/run-operation.ts',
    find: 'return allowed.then(() => runAllowed(exchange, operation, collector))',
    replace: 'return runAllowed(exchange, operation, collector)',
    tests: RUNNER,
  },
  ignored('request_timeout_ms', 'requestTimeoutMs: settings.request_timeout_ms', 'requestTimeoutMs: 30_000'),
  ignored('keep_alive_secs', 'settings.keep_alive_secs * 1000', '75_000'),
  ignored(
    'max_body_bytes, on a socket,',
    'maxBodyBytes: settings.max_body_bytes,\n      shutdownGraceMs',
    'maxBodyBytes: 1_048_576,\n      shutdownGraceMs',
  ),
  ignored(
    'max_body_bytes, without a socket,',
    'const sending = { maxBodyBytes: settings.max_body_bytes, cacheability }',
    'const sending = { maxBodyBytes: 1_048_576, cacheability }',
  ),
  ignored('shutdown_grace_ms', 'settings.shutdown_grace_ms', '0'),
  ignored('shutdown_timeout_ms', 'shutdownTimeoutMs: settings.shutdown_timeout_ms', 'shutdownTimeoutMs: 0'),
  {
    fault: 'Readiness stays 200 while the process stops',
    file: 'core/service/app.ts',
    find: 'const drained = kernel.drain()',
    replace: 'const drained = Promise.resolve()',
    tests: SETTINGS,
  },
  {
    fault: 'Resources of plugins stay open when the database cannot be opened',
    file: 'core/kernel/kernel.ts',
    find: '      await setUp.close()\n      throw error',
    replace: '      throw error',
    tests: CLOSE,
  },
  {
    fault: 'The database is left open when a plugin cannot be set up',
    file: 'core/service/served-databases.ts',
    find: '...(database === undefined && this.#opened !== null ? [this.#opened] : []),',
    replace: '',
    tests: CLOSE,
  },
  {
    fault: 'The failure of the database hides why a plugin cannot be set up',
    file: 'core/service/served-databases.ts',
    find: 'each.close().catch(report)',
    replace: 'each.close()',
    tests: CLOSE,
  },
  {
    fault: 'A second close closes again',
    file: 'core/service/app.ts',
    find: 'closing ??= close()',
    replace: 'closing = close()',
    tests: CLOSE,
  },
]
