import type { Mutant } from './mutant.ts'

const test = (...names: string[]): string[] => names.map((name) => `test/core/execute/${name}.test.ts`)

/** `core/execute`, and the walks over bytes in `core/json` that it trusts. */
export const EXECUTE: readonly Mutant[] = [
  {
    fault: 'Roots that run alone are not bounded together',
    file: 'core/execute/read-alone.ts',
    find: 'if (data.length > context.maxResultBytes) throw new ResultTooLarge(context.maxResultBytes)',
    replace: '',
    tests: test('alone'),
  },
  {
    fault: 'Roots that run alone are not cancelled with their request',
    file: 'core/execute/read-alone.ts',
    find: 'context.database().query(prepared.statement, parameters, exchange, settings)',
    replace: 'context.database().query(prepared.statement, parameters, null, settings)',
    tests: test('alone'),
  },
  {
    fault: 'A failing root that may not be null leaves the others standing',
    file: 'core/execute/read-alone.ts',
    find: 'if (text === null) failed = true',
    replace: 'if (text === null) failed = false',
    tests: test('read'),
  },
  {
    fault: 'An error of the database is the only root of a response without its place',
    file: 'core/execute/failure.ts',
    find: 'path: failure.path ?? [root.responseKey],',
    replace: 'path: failure.path,',
    tests: test('read'),
  },
  {
    fault: 'A code that a function raised, and that looks like an outage, ends the whole request',
    file: 'core/execute/failure.ts',
    find: '(FATAL.has(failure.code) && !errors.isRaised(failure.cause))',
    replace: 'FATAL.has(failure.code)',
    tests: ['test/plugins/postgres/raised-errors.test.ts', ...test('write-failures')],
  },
  {
    fault: 'Bad stored data is the client’s fault',
    file: 'core/execute/failure.ts',
    find: 'storedDataFailure(dialect, error, schema, source, selection) ??\n',
    replace: '',
    tests: test('stored-values'),
  },
  {
    fault: 'A subscription is answered as a query',
    file: 'core/execute/resolve.ts',
    find: 'return resolveTold(context, exchange, operation)',
    replace: 'return resolveRead(context, exchange, operation)',
    tests: test('write-failures'),
  },
  {
    fault: 'A status that did nothing is told as a commit',
    file: 'core/execute/write-answer.ts',
    find: 'tells && !noop ?',
    replace: 'tells ?',
    tests: test('write-shapes'),
  },
  {
    fault: 'A status that failed is told as a commit',
    file: 'core/execute/run-write.ts',
    find: 'toCommitted(planned, answer.told, stamp)',
    replace: 'toCommitted(planned, [...answer.told, ...(answer.failure === null ? [] : [NOTHING_TOLD])], stamp)',
    tests: test('write-shapes', 'write-contributions'),
  },
  {
    fault: 'Keys of a cascade stay as the function wrote them',
    file: 'core/execute/write-answer.ts',
    find: 'if (value !== undefined) members.set(key, camelizeKeys(value))',
    replace: '',
    tests: test('write-shapes'),
  },
  {
    fault: 'A null where none may be goes out, in a text that is walked',
    file: 'core/json/fits.ts',
    find: 'return shape.nullable',
    replace: 'return true',
    tests: test('leaf-values', 'read'),
  },
  {
    fault: 'A leaf is not looked at, in a text that is walked',
    file: 'core/json/fits.ts',
    find: 'return shape.leaf(token) === token',
    replace: 'return true',
    tests: test('leaf-values'),
  },
  {
    fault: 'An Int may have any size',
    file: 'core/json/leaf-rule.ts',
    find: 'Number.isInteger(value) && value <= INT_MAX && value >= INT_MIN',
    replace: 'Number.isInteger(value)',
    tests: test('leaf-values'),
  },
  {
    fault: 'A BigInt may have any size',
    file: 'core/json/leaf-rule.ts',
    find: 'return value <= BIGINT_MAX && value >= BIGINT_MIN ?',
    replace: 'return value === value ?',
    tests: test('leaf-values'),
  },
  {
    fault: 'An enum may have any name',
    file: 'core/json/leaf-rule.ts',
    find: 'names.has(token) ? token : null',
    replace: 'token',
    tests: test('leaf-values'),
  },
  {
    fault: 'NaN is a Float',
    file: 'core/json/leaf-rule.ts',
    find: '(NUMBER.test(token) && Number.isFinite(Number(token)) ? token : null)',
    replace: 'token',
    tests: test('leaf-values'),
  },
]
