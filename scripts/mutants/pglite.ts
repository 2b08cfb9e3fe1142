import type { Mutant } from './mutant.ts'

const test = (name: string): string[] => [`test/plugins/pglite/${name}.test.ts`]

/** `plugins/pglite`. */
export const PGLITE: readonly Mutant[] = [
  {
    fault: 'An answer without the end of its command is taken for a result',
    file: 'plugins/pglite/wire-session.ts',
    find: "if (outcome === null) throw await this.#engine.distrust('the engine left a command without its completion')\n      return outcome",
    replace: "return outcome ?? { rows: [], columns: [], tag: '' }",
    tests: test('broken-engine'),
  },
  {
    fault: 'The thread has the stack of any other',
    file: 'plugins/pglite/engine/engine-thread.ts',
    find: 'const STACK_MB = 32',
    replace: 'const STACK_MB = 4',
    tests: [...test('broken-engine'), 'test/conformance/depth.test.ts'],
  },
  {
    fault: 'A transaction goes on in another engine than the one that it began in',
    file: 'plugins/pglite/transaction.ts',
    find: 'if (begun && generation !== engine.generation) throw lostTransaction()',
    replace: '',
    tests: test('broken-engine'),
  },
  {
    fault: 'A transaction whose engine was lost is taken for written',
    file: 'plugins/pglite/transaction.ts',
    find: 'if (generation !== engine.generation) throw lostTransaction()\n    begun = false',
    replace: 'if (generation !== engine.generation) return result\n    begun = false',
    tests: test('broken-engine'),
  },
  {
    fault: 'A failed transaction is not rolled back, embedded',
    file: 'plugins/pglite/transaction.ts',
    find: 'if (begun && generation === engine.generation) await session.run(ROLLBACK, [])',
    replace: '',
    tests: test('driver'),
  },
  {
    fault: 'A COMMIT that rolled back is taken for written, embedded',
    file: 'plugins/pglite/transaction.ts',
    find: "if (tag === 'COMMIT') return result",
    replace: 'return result',
    tests: test('driver'),
  },
  {
    fault: 'A session goes on after its transaction',
    file: 'plugins/pglite/transaction.ts',
    find: "if (over) throw new SvcError('TRANSACTION_FAILED', 'The transaction is over; its session cannot be used.')",
    replace: '',
    tests: test('driver'),
  },
  {
    fault: 'A script leaves its transaction open',
    file: 'plugins/pglite/wire-session.ts',
    find: 'if (isOver) return',
    replace: 'return',
    tests: test('broken-engine'),
  },
  {
    fault: 'An aborted request still waits for its turn',
    file: 'plugins/pglite/turn-queue.ts',
    find: 'const unwatch = cancel?.onAbort(() => leave(() => reject(abortedError(cancel))))',
    replace: 'const unwatch = cancel?.onAbort(() => {})',
    tests: test('embedded'),
  },
  {
    fault: 'No request is refused, however many wait, embedded',
    file: 'plugins/pglite/turn-queue.ts',
    find: "if (this.#waiting.size >= LIMIT) throw unavailable('Too many requests are waiting for the embedded database.')",
    replace: '',
    tests: test('embedded'),
  },
  {
    fault: 'A request waits for its turn for ever',
    file: 'plugins/pglite/turn-queue.ts',
    find: 'this.#timeoutMs,\n      )',
    replace: '3_600_000,\n      )',
    tests: test('embedded'),
  },
  {
    fault: 'Closing does not wait for the running request',
    file: 'plugins/pglite/turn-queue.ts',
    find: 'if (!this.#busy) resolve()',
    replace: 'if (true) resolve()',
    tests: test('embedded'),
  },
]
