import t from 'tap'
import type { Signal } from '../../../../core/contract/signals.ts'
import { createSignals } from '../../../../core/service/signals/create-signals.ts'
import { createLineLimit, MOST_LINES, MOST_OF_ONE } from '../../../../core/service/signals/line-limit.ts'
import { createLog, logSignals } from '../../../../core/service/signals/log.ts'

const slow = (statement: string): Signal => ({
  type: 'slow-statement',
  requestId: 'r',
  database: 'default',
  operation: null,
  roots: [],
  ms: 1,
  failed: false,
  planning: null,
  statement,
})
const refused = (address: string): Signal => ({
  type: 'credential-refused',
  requestId: 'r',
  address,
  method: 'jwt',
  reason: 'expired',
})

t.test('log lines that callers cause are bounded per minute, and the next line counts the omitted lines', async (t) => {
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

t.test('a line that must not be dropped is logged each time', async (t) => {
  const limit = createLineLimit(() => 0)
  const failed = { type: 'request-failed', requestId: 'r', errorId: 'e', code: 'X', error: null } as const
  const answered = { type: 'request-answered', path: '/' } as Signal
  const left = [failed, answered].flatMap((signal) => Array.from({ length: 1000 }, () => limit(signal)))
  t.notOk(left.includes(null))
})

t.test('log lines of plugins are bounded too, each message by itself', async (t) => {
  let now = 0
  const lines: { message: string; target: string; left_out?: number; error_id?: string }[] = []
  const log = createLog({ env: {}, isTerminal: false, write: (line) => lines.push(JSON.parse(line)), now: () => now })
  const signals = createSignals()
  logSignals(signals, log, () => now)
  const child = log.child({ worker: 1 })
  for (let i = 0; i < 1000; i++) (i % 2 === 0 ? log : child).warn({ plugin: 'a', problem: i }, 'a hook refused')
  t.equal(lines.length, MOST_LINES)
  log.error({ plugin: 'a' }, 'something else')
  log.warn({ plugin: 'b' }, 'a hook refused')
  t.same(
    lines.slice(MOST_LINES).map(({ target, message }) => `${target}: ${message}`),
    ['a: something else', 'b: a hook refused'],
    'neither its other messages are hidden nor those of others',
  )
  for (let i = 0; i < 1000; i++) log.warn({ plugin: 'a', errorId: `e${i}` }, 'a hook refused')
  t.equal(lines.length, MOST_LINES + 2 + 1000, 'who was told an id finds it')
  for (let i = 0; i < 1000; i++) log.info({}, 'listening')
  t.equal(lines.length, MOST_LINES + 2 + 2000, 'what svc itself says has none')

  now = 60_000
  log.warn({ plugin: 'a' }, 'a hook refused')
  t.match(lines.at(-1), { target: /^a$/, left_out: 1000 - MOST_LINES })

  lines.length = 0
  for (let i = 0; i < 5000; i++) log.warn({ plugin: 'a' }, `user ${i} was refused`)
  t.ok(lines.length < 2000, 'messages that are never the same twice have one together')
  lines.length = 0
  for (let i = 0; i < 1000; i++)
    signals.emit({ type: 'trusted-documents:warning', level: 'warn', message: 'no', error: null } as never)
  t.equal(lines.length, MOST_LINES, 'signals of plugins')
})
