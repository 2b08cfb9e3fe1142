import type { Mutant } from './mutant.ts'

const CONNECTION = ['test/plugins/subscriptions/connection.test.ts']
const CLIENT_JSON = ['test/core/base/util/client-json.test.ts']
const RUN_END = ['test/core/cli/run-end.test.ts']
const RECOVERY = ['test/plugins/postgres/recovery.test.ts']

/** The end of the process. */
export const SERVICE: readonly Mutant[] = [
  {
    fault: 'A message that our code fails on ends the process',
    file: 'plugins/subscriptions/connection/connection.ts',
    find: '      this.#fail(error)\n    }\n  }\n',
    replace: '      throw error\n    }\n  }\n',
    tests: CONNECTION,
  },
  {
    fault: 'A failed connection_init is an unhandled rejection',
    file: 'plugins/subscriptions/connection/connection.ts',
    find: 'this.#init(message.payload).catch((error: unknown) => this.#fail(error))',
    replace: 'void this.#init(message.payload)',
    tests: CONNECTION,
  },
  {
    fault: 'The reason of a close may end in half a character',
    file: 'plugins/subscriptions/connection/close-codes.ts',
    find: 'while ((bytes[end]! & 0xc0) === 0x80) end--',
    replace: '',
    tests: CONNECTION,
  },
  {
    fault: 'Brackets in strings count as nesting',
    file: 'core/base/util/client-json.ts',
    find: 'at = endOfString(text, at)',
    replace: 'at += 0',
    tests: CLIENT_JSON,
  },
  {
    fault: 'An escaped quote ends a string',
    file: 'core/base/util/client-json.ts',
    find: 'while (end !== -1 && isEscaped(text, end))',
    replace: 'while (end !== -1 && text.length < 0)',
    tests: CLIENT_JSON,
  },
  {
    fault: 'Bytes that the parser fails on end the process',
    file: 'plugins/postgres/wire/gated-socket.ts',
    find: 'stream.destroy(error instanceof Error ? error : new Error(String(error)))',
    replace: 'throw error',
    tests: RECOVERY,
  },
  {
    fault: 'A process that failed exits with 0',
    file: 'core/cli/run/run-end.ts',
    find: 'return this.#faults > 0 ? EXIT.invalid : EXIT.ok',
    replace: 'return EXIT.ok',
    tests: RUN_END,
  },
  {
    fault: 'A process that failed serves on',
    file: 'core/cli/run/run-end.ts',
    find: '    this.#fault.abort(error)\n',
    replace: '',
    tests: RUN_END,
  },
  {
    fault: 'SIGTERM waits for the set-up',
    file: 'core/cli/run/run-end.ts',
    find: 'await Promise.race([booting, stopped])',
    replace: 'await booting',
    tests: RUN_END,
  },
  {
    fault: 'A throw in a set-up loses its stack',
    file: 'core/cli/command/print-error.ts',
    find: "if (error.code !== 'SVC_BOOT_FAILED') return []",
    replace: "if (error.code !== '') return []",
    tests: RUN_END,
  },
  {
    fault: 'A hook that hangs has no time limit',
    file: 'core/service/http/server.ts',
    find: 'ctx.onOverdue = answerOverdue',
    replace: '',
    tests: ['test/compose/overdue.test.ts'],
  },
  {
    fault: 'Connections in the backlog are reset',
    file: 'core/service/http/close-server.ts',
    find: 'while (accepted > before && performance.now() < until)',
    replace: 'while (accepted < 0)',
    tests: ['test/core/service/http/shutdown.test.ts'],
  },
  {
    fault: 'A client that goes away is an error of the service',
    file: 'core/service/lifecycle/to-public-error.ts',
    find: 'if (isClientGone(error)) {',
    replace: 'if (isClientGone(error) && requestId === null) {',
    tests: ['test/core/service/http/server.test.ts'],
  },
  {
    fault: 'A verdict holds for other headers',
    file: 'core/service/lifecycle/identity.ts',
    find: 'verdict !== undefined && isSame(verdict.headers, ctx.headers)',
    replace: 'verdict !== undefined',
    tests: ['test/core/service/lifecycle/identity.test.ts'],
  },
  {
    fault: 'A policy guards nothing for anonymous callers',
    file: 'core/service/lifecycle/default-policy.ts',
    find: '    operation.requiresPolicy !== undefined\n',
    replace: '    operation.apiKeyRequired\n',
    tests: ['test/core/service/lifecycle/default-policy.test.ts'],
  },
  {
    fault: 'A protocol that contains the name of another is taken for it',
    file: 'core/service/http/upgrade-pipeline.ts',
    find: 'name.trim().toLowerCase() === protocol',
    replace: 'name.trim().toLowerCase().includes(protocol)',
    tests: ['test/core/service/http/upgrade.test.ts'],
  },
  {
    fault: 'A strong tag of a client matches nothing',
    file: 'core/service/http/entity-tag.ts',
    find: "one.trim().replace(/^W\\//, '') === plain",
    replace: 'one.trim() === tag',
    tests: ['test/core/service/http/entity-tag.test.ts'],
  },
]
