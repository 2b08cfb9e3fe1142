import type { Mutant } from './mutant.ts'

const TENANTS = ['test/conformance/session-variables.test.ts']
const UNIT = ['test/core/engine/access/session-variables.test.ts']
const LEFT = ['test/plugins/pglite/session-settings.test.ts', 'test/plugins/postgres/session-settings.test.ts']
const CALLS = ['test/plugins/postgres/session-setters.test.ts']
const CODE = ['test/core/dialects/postgres/has-session-setters.test.ts']
const SETTERS = ['test/core/dialects/postgres/read-setters.test.ts']

/** A statement that runs without the settings of the request. */
const without = (what: string, file: string, find: string, replace: string): Mutant => ({
  fault: `Session variables and role do not reach ${what}`,
  file,
  find,
  replace,
  tests: TENANTS,
})

/** The database's knowledge of the caller, and state that must not remain. */
export const SESSION: readonly Mutant[] = [
  without('packed reads', 'core/engine/execute/read/read.ts', 'packed.write, settings)', 'packed.write, undefined)'),
  without(
    'reads that the database writes',
    'core/engine/execute/read/read.ts',
    'ownJson, settings)',
    'ownJson, undefined)',
  ),
  without(
    'roots that run alone',
    'core/engine/execute/read/read-alone.ts',
    'parameters, exchange, settings)',
    'parameters, exchange)',
  ),
  without(
    'single writes',
    'core/engine/execute/write/run-write.ts',
    'bound.parameters, exchange, writeSettings(operation))',
    'bound.parameters, exchange)',
  ),
  without(
    'transactions',
    'core/engine/execute/write/in-transaction.ts',
    '    settings: writeSettings(operation),\n',
    '',
  ),
  without('streams', 'core/engine/execute/stream/resolve-stream.ts', ', settings: readSettings(operation) }', ' }'),
  without(
    'cursors of a server',
    'plugins/postgres/driver.ts',
    'cancel: options.cancel, settings: options.settings',
    'cancel: options.cancel',
  ),
  without(
    'cursors of the embedded database',
    'plugins/pglite/transaction.ts',
    'begin: BEGIN_READ_ONLY, settings',
    'begin: BEGIN_READ_ONLY',
  ),
  without(
    'byte reads',
    'plugins/postgres/schedule/dispatcher.ts',
    'cancel, settings, take) as Promise<T | null>',
    'cancel, undefined, take) as Promise<T | null>',
  ),
  {
    fault: 'A read with session variables may write',
    file: 'core/engine/execute/context/session-settings.ts',
    find: '[READ_ONLY, ...access.settings]',
    replace: 'access.settings',
    tests: TENANTS,
  },
  {
    fault: 'The claim "none" is the user of the connection',
    file: 'core/engine/access/session-variables.ts',
    find: " || found === 'none'",
    replace: '',
    tests: [...UNIT, ...TENANTS],
  },
  {
    fault: 'A credential without its role runs as the anonymous one',
    file: 'core/engine/access/session-variables.ts',
    find: 'if (found === undefined || found === null) throw lacking(claim)\n    // `SET',
    replace:
      "if (found === undefined || found === null) return { name: 'role', value: anonymousRole ?? '' }\n    // `SET",
    tests: UNIT,
  },
  {
    fault: 'A required variable may be absent',
    file: 'core/engine/access/session-variables.ts',
    find: 'if (!required) return null',
    replace: 'return null',
    tests: UNIT,
  },
  {
    fault: 'Requests with other session variables share an answer',
    file: 'core/engine/access/collected-access.ts',
    find: 'if (name !== STARTED_AT) key +=',
    replace: 'if (name === STARTED_AT) key +=',
    tests: UNIT,
  },
  {
    fault: 'A refused role is an error of its root alone',
    file: 'core/engine/execute/context/failure.ts',
    find: 'failure instanceof SettingsRefused || ',
    replace: '',
    tests: TENANTS,
  },
  {
    fault: 'A refused role is reported with the message of the server',
    file: 'plugins/postgres/wire/running-statement.ts',
    find: '(isOfSettings ? refusedSettings(error) : null) ?? ',
    replace: '',
    tests: TENANTS,
  },
  {
    fault: 'A refused role is reported with the message of the embedded database',
    file: 'plugins/pglite/wire-messages.ts',
    find: '(completed < prologue ? refusedSettings(failure) : null) ?? ',
    replace: '',
    tests: TENANTS,
  },
  {
    fault: 'A statement that fails behind its settings is a refused role',
    file: 'plugins/postgres/wire/running-statement.ts',
    find: 'const isOfSettings = this.#prologue > 0 && this.settings !== null',
    replace: 'const isOfSettings = this.settings !== null',
    tests: ['test/plugins/postgres/driver.test.ts'],
  },
  {
    fault: 'A SET in a function stays on the embedded database',
    file: 'plugins/pglite/driver.ts',
    find: 'const reset = mayChangeSession(statement)',
    replace: 'const reset = mayChangeSession(statement) && false',
    tests: LEFT,
  },
  {
    fault: 'A SET in a transaction stays on the embedded database',
    file: 'plugins/pglite/transaction.ts',
    find: 'session.run(COMMIT, [], { reset: true })',
    replace: 'session.run(COMMIT, [])',
    tests: LEFT,
  },
  {
    fault: 'The role stays on the embedded database',
    file: 'plugins/pglite/driver.ts',
    find: "{ name: 'svc_reset_role', text: 'RESET ROLE' },",
    replace: '',
    tests: LEFT,
    survives: 'SET SESSION AUTHORIZATION takes the role back, too.',
  },
  {
    fault: 'Sources behind which a function sets something are not marked',
    file: 'core/compiler/passes/describe-source.ts',
    find: 'relation.resets === true ?',
    replace: 'relation.resets === undefined ?',
    tests: SETTERS,
  },
  {
    fault: 'A statement does not know of a marked source',
    file: 'core/dialects/walker/emission.ts',
    find: 'if (row.source.resets === true) emission.resets = true',
    replace: '',
    tests: SETTERS,
  },
  {
    fault: 'The statement does not know of a marked source',
    file: 'core/dialects/walker/finish.ts',
    find: '...(emission.resets ? { resets: true } : {})',
    replace: '',
    tests: SETTERS,
  },
  {
    fault: 'A role for requests where the database has none',
    file: 'core/service/served-databases.ts',
    find: 'checkRoles(config.database.role_claim, dialect)',
    replace: '',
    tests: ['test/core/service/app/close.test.ts'],
  },
  {
    fault: 'Faults of [session_variables] are not reported',
    file: 'core/config/load-config.ts',
    find: '...checkSessionVariables(config, origins.placeOf), ',
    replace: '',
    tests: ['test/core/config/faults.test.ts'],
  },
  {
    fault: 'A write is not reset although code of the database may set something',
    file: 'plugins/postgres/schedule/dispatcher.ts',
    find: 'statement.functionCall !== true || this.#setters.mayExist',
    replace: 'statement.functionCall !== true',
    tests: CALLS,
  },
  {
    fault: 'A catalog that cannot be read counts as one without such code',
    file: 'plugins/postgres/session/session-setters.ts',
    find: 'return this.#answer !== false',
    replace: 'return this.#answer === true',
    tests: CALLS,
  },
  {
    fault: 'Sessions that new code may have changed stay in use',
    file: 'plugins/postgres/driver.ts',
    find: 'onFound: letGoOfAll',
    replace: 'onFound: () => {}',
    tests: CALLS,
  },
  {
    fault: 'The catalog is read once',
    file: 'plugins/postgres/session/session-setters.ts',
    find: '      this.#isDue = true\n',
    replace: '',
    tests: CALLS,
  },
  {
    fault: 'Functions in other languages count for nothing',
    file: 'core/dialects/postgres/catalog/has-session-setters.ts',
    find: 'WHERE NOT readable OR body',
    replace: 'WHERE body',
    tests: CODE,
  },
]
