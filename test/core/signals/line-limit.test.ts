import t from 'tap'
import { createLineLimit, MOST_LINES, MOST_OF_ONE } from '../../../core/signals/line-limit.ts'
import { createLog, logSignals } from '../../../core/signals/log.ts'
import { createSignals, type Signal } from '../../../core/signals/signals.ts'

const slow = (statement: string): Signal => ({
  type: 'slow-statement',
  requestId: 'r',
  database: 'default',
  operation: null,
  roots: [],
  ms: 1,
  failed: false,
  statement,
})
const refused = (address: string): Signal => ({
  type: 'credential-refused',
  requestId: 'r',
  address,
  method: 'jwt',
  reason: 'expired',
})

t.test('what callers bring about at will has a bound a minute, and the next one says what was left out', async (t) => {
  let now = 0
  const lines: { message: string; statement?: string; left_out?: number }[] = []
  const log = createLog({ env: {}, isTerminal: false, write: (line) => lines.push(JSON.parse(line)) })
  const signals = createSignals()
  logSignals(signals, log, () => now)

  for (let i = 0; i < 1000; i++) signals.emit(slow('SELECT pg_sleep(1)'))
  t.equal(lines.length, MOST_OF_ONE, 'of one statement')
  signals.emit(slow('SELECT 2'))
  t.equal(lines.at(-1)?.statement, 'SELECT 2', 'another one is not hidden by it')
  for (let i = 0; i < 1000; i++) signals.emit(slow(`SELECT ${i} AS x`))
  t.equal(lines.length, MOST_LINES, 'of all')
  signals.emit(refused('192.0.2.1'))
  t.equal(lines.length, MOST_LINES + 1, 'each kind has its own')

  now = 59_999
  signals.emit(slow('SELECT 3'))
  t.equal(lines.length, MOST_LINES + 1)
  now = 60_000
  signals.emit(slow('SELECT 3'))
  t.match(lines.at(-1), { statement: 'SELECT 3', left_out: 2001 - MOST_LINES + 1 })
  signals.emit(slow('SELECT 4'))
  t.notOk('left_out' in lines.at(-1)!, 'it is said once')
})

t.test('what was promised is told each time', async (t) => {
  const limit = createLineLimit(() => 0)
  const failed = { type: 'request-failed', requestId: 'r', errorId: 'e', code: 'X', error: null } as const
  const answered = { type: 'request-answered', path: '/' } as Signal
  const left = [failed, answered].flatMap((signal) => Array.from({ length: 1000 }, () => limit(signal)))
  t.notOk(left.includes(null))
})
