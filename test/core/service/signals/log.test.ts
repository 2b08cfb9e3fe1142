import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { Signal } from '../../../../core/contract/signals.ts'
import { createSignals } from '../../../../core/service/signals/create-signals.ts'
import { createLog, type LogOptions, logSignals } from '../../../../core/service/signals/log.ts'

function capture(options: Partial<LogOptions> = {}) {
  const lines: string[] = []
  const log = createLog({ env: {}, isTerminal: false, write: (line) => lines.push(line), ...options })
  return { log, lines, json: () => lines.map((line) => JSON.parse(line)) }
}

t.test('JSON lines with level, time, fields and message', async (t) => {
  const { log, json } = capture()
  log.debug({}, 'not shown')
  log.info({ count: 3, big: 10n }, 'hello')
  log.child({ plugin: 'health' }).warn({}, 'careful')
  t.match(json(), [
    { level: 'info', target: 'svc', timestamp: /^\d{4}-\d\d-\d\dT/, message: 'hello', count: 3, big: /^10$/ },
    { level: 'warn', target: 'health', message: 'careful' },
  ])
  t.equal(json().length, 2)
})

t.test('levels and formats come from the environment; others are refused with the nearest', async (t) => {
  const { log, lines } = capture({ env: { SVC_LOG_LEVEL: 'DEBUG', SVC_LOG_FORMAT: 'pretty' } })
  log.debug({ a: 1, text: 'two words', list: [1] }, 'shown')
  t.match(lines, [/^\d\d:\d\d:\d\d\.\d{3} debug shown a=1 text="two words" list=\[1\]\n$/])
  t.throws(() => capture({ env: { SVC_LOG_LEVEL: 'wran' } }), {
    code: 'SVC_CONFIG_INVALID',
    message:
      'SVC_LOG_LEVEL wants one of trace, debug, info, warn, error, fatal, silent, got "wran". Did you mean "warn"?',
  })
  t.throws(() => capture({ env: { SVC_LOG_FORMAT: 'xml' } }), { message: /SVC_LOG_FORMAT wants one of json, pretty/ })
})

t.test('a terminal gets readable lines in colour', async (t) => {
  const { log, lines } = capture({ isTerminal: true })
  log.error({ plugin: 'x', error: new SvcError('CONFLICT', 'taken', { cause: new Error('why') }) }, 'it failed')
  t.match(lines[0], '\u001b[31merror\u001b[0m [x] it failed: taken (CONFLICT), because: why\n')
})

t.test('errors: code, causes, details; stacks only of faults in the code, or for debugging', async (t) => {
  const error = new SvcError('DATABASE_ERROR', 'refused', {
    details: { table: 'tb_user' },
    cause: Object.assign(new Error('syntax error'), { code: '42601', detail: 'near x', hint: 'look' }),
  })
  const { log, json } = capture()
  log.error({ error }, 'x')
  log.error({ error: new AggregateError([new SvcError('NOT_FOUND', 'a')], 'several') }, 'y')
  const [first, second] = json()
  t.match(first.error, {
    type: 'SvcError',
    code: 'DATABASE_ERROR',
    message: 'refused',
    details: { table: 'tb_user' },
    cause: { type: 'Error', code: '42601', message: 'syntax error', detail: 'near x', hint: 'look', stack: String },
  })
  t.notOk('stack' in first.error)
  t.match(second.error, { message: 'several', errors: [{ code: 'NOT_FOUND' }], stack: String })
  const debug = capture({ env: { SVC_LOG_LEVEL: 'debug' } })
  debug.log.error({ error: new SvcError('NOT_FOUND', 'a') }, 'z')
  t.match(debug.json()[0].error.stack, /log\.test/)
  const pretty = capture({ env: { SVC_LOG_FORMAT: 'pretty' } })
  pretty.log.error({ error: new TypeError('bug') }, 'oops')
  t.match(pretty.lines[0], /error oops: bug\n +at /)
  pretty.log.error({ error: 'just text' }, 'oops')
  t.match(pretty.lines[1], /oops: just text\n$/)
})

t.test('secrets are in no line, whatever carries them', async (t) => {
  const { log, lines } = capture({ secrets: ['s3cr"t-value'] })
  log.info(
    { url: 'postgres://u:hunter2@h/db', jwt_secret: 'abc', nested: { apiKey: 'k1', list: [{ password: 'pw1' }] } },
    'a',
  )
  log.error({ error: new Error('cannot connect to postgres://u:hunter2@h/db with s3cr"t-value') }, 'b')
  log.warn({}, 'Authorization: Bearer abcdefghijkl')
  log.info({ token_count: 5, token: '' }, 'numbers and empty texts are none')
  const all = lines.join('')
  for (const secret of ['hunter2', '"abc"', 'k1', 'pw1', 't-value', 'abcdefghijkl']) t.notMatch(all, secret)
  t.match(JSON.parse(lines[0]!), { url: 'postgres://h/db', jwt_secret: '[REDACTED]', nested: { apiKey: '[REDACTED]' } })
  t.match(JSON.parse(lines[1]!).error.message, 'cannot connect to postgres://h/db with [REDACTED]')
  t.match(JSON.parse(lines[3]!), { token_count: 5, token: '' })
})

t.test('fields that are deep, circular, dates, maps', async (t) => {
  const { log, json } = capture()
  const circular: Record<string, unknown> = { when: new Date(0), map: new Map([['a', 1]]), set: new Set([1]) }
  circular.self = circular
  log.info({ circular }, 'x')
  t.match(json()[0].circular, { when: '1970-01-01T00:00:00.000Z', map: [[/^a$/, 1]], set: [1] })
})

t.test('every signal is a line', async (t) => {
  const SIGNALS: readonly (readonly [Signal, object])[] = [
    [
      { type: 'server-listening', url: 'http://h:1', bootMs: 5 },
      { level: 'info', message: 'listening on http://h:1', boot_ms: 5 },
    ],
    [{ type: 'server-draining' }, { level: 'info', message: /stopping/ }],
    [{ type: 'server-closed' }, { level: 'info', message: 'stopped' }],
    [
      { type: 'request-failed', requestId: 'r', errorId: 'e', code: 'INTERNAL_SERVER_ERROR', error: new Error('x') },
      { level: 'error', request_id: 'r', error_id: 'e', code: 'INTERNAL_SERVER_ERROR', error: { message: 'x' } },
    ],
    [
      { type: 'generation-loaded', hash: 'ab', reason: 'boot' },
      { level: 'info', message: 'schema loaded', hash: 'ab' },
    ],
    [
      { type: 'generation-loaded', hash: 'ab', reason: 'reload' },
      { level: 'info', message: 'schema reloaded' },
    ],
    [
      { type: 'reload-unchanged', hash: 'ab' },
      { level: 'info', message: /not changed/ },
    ],
    [
      { type: 'reload-failed', error: new SvcError('SVC_SCHEMA_INVALID', 'bad') },
      { level: 'error', message: /old schema stays/ },
    ],
    [
      { type: 'after-commit-failed', plugin: 'p', error: new Error('x') },
      { level: 'error', target: 'p' },
    ],
    [
      { type: 'database-down', error: new Error('x') },
      { level: 'error', message: /cannot be reached/ },
    ],
    [{ type: 'database-up' }, { level: 'info', message: /reachable again/ }],
    [
      { type: 'prepared-statements-off', reason: 'pooler' },
      { level: 'warn', reason: 'pooler' },
    ],
    [
      { type: 'warning', plugin: 'p', message: 'look out' },
      { level: 'warn', target: 'p', message: 'look out' },
    ],
  ]
  const { log, json } = capture()
  const signals = createSignals()
  const end = logSignals(signals, log)
  const failed = { type: 'request-failed', requestId: 'r', errorId: 'e' } as const
  const gone = new SvcError('TIMEOUT', 'gone', { details: { abortedBy: 'client' } })
  signals.emit({ ...failed, code: 'SERVICE_UNAVAILABLE', error: new SvcError('SERVICE_UNAVAILABLE', 'down') })
  signals.emit({ ...failed, code: 'TIMEOUT', error: gone })
  t.equal(json().length, 0, 'an outage and clients that go away are debug: they say nothing new')
  for (const [signal] of SIGNALS) signals.emit(signal)
  end()
  signals.emit({ type: 'server-closed' })
  t.equal(json().length, SIGNALS.length)
  t.match(
    json(),
    SIGNALS.map(([, line]) => line),
  )
})

t.test('fields of the request are in every line, and do not replace fields of the line', async (t) => {
  const { log, json } = capture()
  const child = log.child({ plugin: 'x' })
  let trace: string | null = null
  log.addFields(() => (trace === null ? null : { trace_id: trace, own: 'theirs' }))
  child.info({}, 'before')
  trace = 'ab'
  child.info({ own: 'mine' }, 'within')
  const signals = createSignals()
  logSignals(signals, log)
  signals.emit({ type: 'request-failed', requestId: 'r', errorId: 'e', code: 'DATABASE_ERROR', error: new Error('x') })
  const [before, within, failed] = json()
  t.notOk('trace_id' in before)
  t.match(within, { target: /^x$/, trace_id: /^ab$/, own: 'mine' })
  t.match(failed, { error_id: /^e$/, trace_id: /^ab$/, level: 'error' })
})
