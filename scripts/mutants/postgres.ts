import type { Mutant } from './mutant.ts'

const test = (name: string): string[] => [`test/plugins/postgres/${name}.test.ts`]
const PLACES = ['test/plugins/postgres/places/operators.test.ts', 'test/plugins/postgres/places/columns.test.ts']
const RUNNING = 'plugins/postgres/wire/running-statement.ts'
const CONNECTION = 'plugins/postgres/wire/connection.ts'
const DISPATCHER = 'plugins/postgres/schedule/dispatcher.ts'
const TRANSACTION = 'plugins/postgres/session/transaction.ts'
const POOL = 'core/pool/session-pool.ts'
const WAITING = 'core/pool/pool-queues.ts'
const LISTENER = 'plugins/postgres/wire/listener.ts'
const RETRY = 'plugins/postgres/wire/driver-errors.ts'

/** `plugins/postgres`. */
export const POSTGRES: readonly Mutant[] = [
  {
    fault: 'Bytes that are no message of the protocol are awaited to their end',
    file: 'plugins/postgres/wire/row-gate.ts',
    find: '      checkHeader(type, size)\n',
    replace: '',
    tests: test('garbage'),
  },
  {
    fault: 'Sessions of a pooler are used without the settings of svc',
    file: 'plugins/postgres/wire/connection-options.ts',
    find: 'if (missing.length === 0) return',
    replace: 'return',
    tests: test('pgbouncer'),
  },
  {
    fault: 'A generic plan that is far slower is kept',
    file: 'plugins/postgres/costs/plan-choice.ts',
    find: 'this.#farMs = FAR_TIMES',
    replace: 'this.#farMs = 1000 * FAR_TIMES',
    tests: test('plan-choice'),
  },
  {
    fault: 'A statement is planned for any values although its values decide',
    file: 'plugins/postgres/wire/send-statement.ts',
    find: "if (sent.planning === 'values') {",
    replace: "if (sent.planning === 'values' && sent.statement.name === null) {",
    tests: test('plan-choice'),
  },
  {
    fault: 'Points of PostGIS are compared as texts where the extension is on no search path',
    file: 'core/dialects/postgres/primitives/place-operators.ts',
    find: 'return sql`OPERATOR(${qualified(undefined, schema)}.${symbol})`',
    replace: 'return symbol',
    tests: PLACES,
  },
  {
    fault: 'A circle over the 180th meridian finds one side of it',
    file: 'core/schema/operators/place-operators.ts',
    find: 'const around = west < -180 || east > 180',
    replace: 'const around = false',
    tests: PLACES,
  },
  {
    fault: 'A geometry in metres is read as degrees',
    file: 'core/dialects/postgres/primitives/place.ts',
    find: 'return place.srid === WGS84 ? column : call',
    replace: 'return place.srid > 0 ? column : call',
    tests: PLACES,
  },
  {
    fault: 'A write behind a stuck statement is reported as failed',
    file: CONNECTION,
    find: '!statement.abandoned && statement.statement.readOnly === true) statement.fail(error())',
    replace: '!statement.abandoned) statement.fail(error())',
    tests: test('giving-up'),
  },
  {
    fault: 'A write behind a head that hangs is sent elsewhere',
    file: CONNECTION,
    find: 'statement.statement.readOnly === true && !statement.abandoned) taken',
    replace: '!statement.abandoned) taken',
    tests: [...test('giving-up'), ...test('slow-neighbours')],
  },
  {
    fault: 'A request that is aborted before its statement is sent all the same',
    file: DISPATCHER,
    find: 'if (cancel.aborted) return running.fail(abortedError(cancel))',
    replace: '',
    tests: test('giving-up'),
    survives: 'Whoever queues drops what nobody waits for; this saves the way there.',
  },
  {
    fault: 'An aborted request still waits for a connection of its own',
    file: WAITING,
    find: 'const unwatch = cancel?.onAbort(() => this.#leave(waiter, abortedError(cancel)))',
    replace: 'const unwatch = undefined',
    tests: [...test('giving-up'), ...test('cancellation')],
  },
  {
    fault: 'A transaction is not cancelled with its request',
    file: TRANSACTION,
    find: 'cancel ? cancel.onAbort(() => this.#abort(cancel)) : null',
    replace: 'null',
    tests: [...test('giving-up'), ...test('cancellation')],
  },
  {
    fault: 'The server goes on with a statement that was given up',
    file: CONNECTION,
    find: 'if (statement === this.head) this.#canceller.cancel()',
    replace: '',
    tests: test('cancellation'),
  },
  {
    fault: 'An abandoned statement behind another abandoned one is not cancelled',
    file: CONNECTION,
    find: 'if (this.head?.abandoned === true) this.#canceller.cancel()',
    replace: '',
    tests: test('cancellation'),
  },
  {
    fault: 'A cancel request is sent for a statement that has ended',
    file: CONNECTION,
    find: 'this.#canceller.drop()',
    replace: '',
    tests: test('giving-up'),
  },
  {
    fault: 'Statements are sent while a cancel request is on its way',
    file: CONNECTION,
    find: 'return !this.broken && !this.spoilt && !this.#canceller.isActive',
    replace: 'return !this.broken && !this.spoilt',
    tests: test('cancellation'),
    survives:
      'One that is hit is run again on a connection of its own, which the storm of aborts shows; this saves the second run.',
  },
  {
    fault: 'A neighbour that a cancel request hit fails',
    file: DISPATCHER,
    find: 'if (running.alone || running.connection?.cancelledLately !== true) return false',
    replace: 'return false',
    tests: test('cancellation'),
    survives:
      'The server has to be late by chance for one to be hit, since nothing is sent while a request is on its way.',
  },
  {
    fault: 'A broken connection is not closed',
    file: CONNECTION,
    find: 'if (isConnectionError(error)) this.destroy()',
    replace: '',
    tests: [...test('recovery'), ...test('raised-errors')],
    survives: 'The server has closed its end when it says FATAL; the socket follows.',
  },
  {
    fault: 'A write on a connection that broke is sent again',
    file: DISPATCHER,
    find: 'if (running.statement.readOnly !== true) return false',
    replace: '',
    tests: test('recovery'),
  },
  {
    fault: 'A read on a connection that broke is not sent again',
    file: DISPATCHER,
    find: 'if (running.statement.readOnly !== true) return false',
    replace: 'return false',
    tests: test('recovery'),
  },
  {
    fault: 'A read that ends its connection is tried again and again',
    file: DISPATCHER,
    find: 'running.attempts >= MAX_ATTEMPTS',
    replace: 'running.attempts >= 20',
    tests: test('recovery'),
  },
  {
    fault: 'SQLSTATE 26000 that a function raises runs it twice',
    file: RETRY,
    find: 'if (!isServerError(error) || error.where !== undefined) return false',
    replace: 'if (!isServerError(error)) return false',
    tests: test('raised-errors'),
  },
  {
    fault: 'SQLSTATE 26000 with any routine and from anywhere counts as a pooler',
    file: RETRY,
    find: 'if (!isServerError(error) || error.where !== undefined) return false\n  const expected = ROUTINES[error.code]',
    replace:
      'if (!isServerError(error)) return false\n  if (ROUTINES[error.code] !== undefined) return true\n  const expected = ROUTINES[error.code]',
    tests: test('raised-errors'),
  },
  {
    fault: 'A SET in a function stays on the connection',
    file: DISPATCHER,
    find: "running.reset = running.settings === null ? 'within' : 'behind'",
    replace: 'running.reset = running.reset',
    tests: test('session-settings'),
  },
  {
    fault: 'Nothing is taken back behind a write once the reset is prepared',
    file: 'plugins/postgres/wire/send-statement.ts',
    find: 'encodeBind(name, parameters, EXECUTE_AND_RESET)',
    replace: 'encodeBind(name, parameters, EXECUTE_AND_SYNC)',
    tests: test('session-settings'),
  },
  {
    fault: 'A SET in a transaction stays on the connection',
    file: TRANSACTION,
    find: "if (statement === COMMIT) running.reset = 'behind'",
    replace: '',
    tests: test('session-settings'),
  },
  {
    fault: 'Settings are taken back before deferred triggers have run',
    file: TRANSACTION,
    find: "if (statement === COMMIT) running.reset = 'behind'",
    replace: "if (statement === COMMIT) running.reset = 'within'",
    tests: test('session-settings'),
    survives:
      'They run at the COMMIT itself, which stands in front of the reset either way; where it fails, what was set is rolled back.',
  },
  {
    fault: 'A connection whose reported settings changed is used on',
    file: CONNECTION,
    find: 'if (this.reported.areChanged && statement.isLast && !this.spoilt) this.#spoil()',
    replace: '',
    tests: test('session-settings'),
  },
  {
    fault: 'A COMMIT that rolled back is taken for written',
    file: TRANSACTION,
    find: "if (tag === 'COMMIT') return",
    replace: 'return',
    tests: test('driver'),
  },
  {
    fault: 'A failed transaction is not rolled back',
    file: TRANSACTION,
    find: 'if (!this.#connection.broken) await this.#run(ROLLBACK, [], false, false)',
    replace: '',
    tests: [...test('driver'), ...test('cancellation')],
  },
  {
    fault: 'A connection of its own is given out while its cancel request is on its way',
    file: POOL,
    find: 'connection.onQuiet(() => this.#takeBack(connection))',
    replace: 'this.#takeBack(connection)',
    tests: [...test('cancellation'), ...test('giving-up')],
  },
  {
    fault: 'No request is refused, however many wait',
    file: POOL,
    find: 'if (this.#waiting.size >= this.maxWaiting) return Promise.reject(tooMany())',
    replace: '',
    tests: test('sessions'),
  },
  {
    fault: 'The time to wait for a connection is not bounded',
    file: POOL,
    find: 'this.#options.acquireTimeoutMs - waitedMs, () =>',
    replace: '3_600_000 - waitedMs, () =>',
    tests: test('sessions'),
  },
  {
    fault: 'Idle connections are never closed',
    file: POOL,
    find: 'if (oldest === null) return',
    replace: 'return',
    tests: test('sessions'),
  },
  {
    fault: 'Idle connections are closed below the minimum',
    file: POOL,
    find: 'while (this.room.size - this.#leaving.size > this.#options.min)',
    replace: 'while (true)',
    tests: test('sessions'),
  },
  {
    fault: 'Closing does not wait for the statements that wait for a place',
    file: DISPATCHER,
    find: 'if (this.waiting === 0) return Promise.resolve()\n',
    replace: 'return Promise.resolve()\n',
    tests: [...test('giving-up'), ...test('sessions')],
  },
  {
    fault: 'UNLISTEN is not sent after the last listener',
    file: LISTENER,
    find: 'await run(connection, `UNLISTEN ${pgModule.escapeIdentifier(channel)}`).catch(() => {})',
    replace: '',
    tests: test('giving-up'),
  },
  {
    fault: 'Listening does not begin again on a new connection',
    file: LISTENER,
    find: 'this.#retry = setTimeout(() => void this.#resume(), RETRY_MS)\n    this.#retry.unref()',
    replace: '',
    tests: [...test('driver'), ...test('recovery')],
  },
  {
    fault: 'A row that is too large is taken in',
    file: RUNNING,
    find: 'this.#refusal = error\n    return true',
    replace: 'return false',
    tests: ['test/core/engine/execute/response-size.test.ts'],
  },
  {
    fault: 'The answer of a write that is too large is thrown away',
    file: RUNNING,
    find: 'if (this.statement.readOnly !== true) return false\n    this.#refusal',
    replace: 'this.#refusal',
    tests: ['test/core/engine/execute/response-size.test.ts'],
  },
  {
    fault: 'COPY FROM STDIN hangs the connection',
    file: RUNNING,
    find: "    this.connection!.destroy()\n    this.fail(new SvcError('DATABASE_ERROR', 'COPY",
    replace: "    this.fail(new SvcError('DATABASE_ERROR', 'COPY",
    tests: test('statements'),
    survives:
      'The Sync behind it ends the COPY on the server; only statements that were sent behind it would be taken for rows.',
  },
]
