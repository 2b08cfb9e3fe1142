import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import { createToPublicError, OutageIds } from '../../../../core/service/lifecycle/to-public-error.ts'
import { createSignals } from '../../../../core/service/signals/create-signals.ts'
import { createLog, logSignals } from '../../../../core/service/signals/log.ts'

t.test('every errorId that a client is sent stands in a line of the log', (t) => {
  let written = ''
  const signals = createSignals()
  const log = createLog({ env: {}, write: (line) => (written += line), isTerminal: false })
  logSignals(signals, log)
  const hook = (shown: { details: object }, { error }: { error: unknown }): never => {
    if (error instanceof RangeError) throw new Error('the hook fails')
    return shown as never
  }
  for (const toPublicError of [createToPublicError(null, signals), createToPublicError(hook as never, signals)]) {
    const sent: string[] = []
    for (const error of [
      new Error('secret'),
      'no error at all',
      null,
      new RangeError('for the hook'),
      new SvcError('INTERNAL_SERVER_ERROR', 'ours'),
      new SvcError('DATABASE_ERROR', 'the view is gone'),
      new SvcError('SVC_CONFIG_INVALID', 'never told'),
      new SvcError('TIMEOUT', 'too slow'),
      ...Array.from({ length: 20 }, () => new SvcError('SERVICE_UNAVAILABLE', 'The database cannot be reached.')),
      new SvcError('SERVICE_UNAVAILABLE', 'The store cannot be reached.'),
    ]) {
      const { details } = toPublicError(error, null)
      t.type(details.errorId, 'string', String(error))
      sent.push(String(details.errorId))
    }
    for (const id of sent) t.match(written, `"error_id":"${id}"`)
    t.equal(new Set(sent).size, 10, 'an outage has one')
    const gone = new SvcError('TIMEOUT', 'The client went away.', { details: { abortedBy: 'client' } })
    const before = written
    t.match(toPublicError(gone, null), { status: 499, details: { errorId: undefined } })
    t.match(toPublicError(new SvcError('NOT_FOUND', 'no'), null).details, { errorId: undefined })
    t.equal(written, before, 'what has no id has no line')
  }
  t.equal(written.split('The database cannot be reached.').length - 1, 2, 'one line for each way in')
  t.end()
})

t.test('two stores that are away for different reasons have a line each', (t) => {
  const signals = createSignals()
  const seen: unknown[] = []
  signals.subscribe((signal) => {
    if (signal.type === 'request-failed') seen.push(signal.isFirst)
  })
  const toPublicError = createToPublicError(null, signals)
  const idOf = (cause: unknown) =>
    toPublicError(new SvcError('SERVICE_UNAVAILABLE', 'A store cannot be reached.', { cause }), null).details.errorId
  const refused = () => Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:6379'), { code: 'ECONNREFUSED' })
  const missing = () => new Error('the source is gone', { cause: new Error('relation "svc_x" does not exist') })
  const first = idOf(refused())
  t.equal(idOf(refused()), first, 'the same reason has one')
  t.not(idOf(missing()), first)
  t.equal(idOf(missing()), idOf(missing()))
  t.not(idOf(new Error('the source is gone', { cause: new Error('another') })), idOf(missing()), 'deeper, too')
  t.equal(idOf(new Error('5 of 7 wait')), idOf(new Error('6 of 8 wait')), 'numbers tell nothing apart')
  t.equal(idOf(null), idOf(undefined))
  t.strictSame(
    seen.filter((isFirst) => isFirst === true),
    Array(5).fill(true),
    'and one line',
  )
  t.end()
})

t.test('an outage that lasts has a line a minute, and messages without number do not fill the memory', (t) => {
  let now = 0
  const ids = new OutageIds(() => now)
  const first = ids.of('away')
  t.equal(first.isFirst, true)
  now = 59_999
  t.strictSame(ids.of('away'), { errorId: first.errorId, isFirst: false })
  now = 60_000
  const second = ids.of('away')
  t.match(second, { isFirst: true })
  t.not(second.errorId, first.errorId)
  for (let i = 0; i < 99; i++) ids.of(`other ${i}`)
  t.equal(ids.of('away').isFirst, false)
  ids.of('one more')
  t.equal(ids.of('away').isFirst, true, 'the oldest is forgotten')
  t.end()
})
