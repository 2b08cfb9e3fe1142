import fc from 'fast-check'
import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { Auth, Exchange } from '../../../core/contract/exchange.ts'
import type { Operation } from '../../../core/contract/operation.ts'
import type { Result } from '../../../core/contract/result.ts'
import { testOperation, testPlugin } from '../../../core/testing/testing.ts'
import singleFlight from '../../../plugins/single-flight/index.ts'
import { plugin } from '../../helpers/kernel.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import type { TestLike } from '../../helpers/services.ts'

interface Run {
  readonly exchange: Exchange
  readonly operation: Operation
  answer(result?: Result): void
  fail(error: unknown): void
}

/** The plugin around an execution that the test ends by hand. */
async function open(t: TestLike, guard: Parameters<typeof plugin>[1] = () => {}) {
  const runs: Run[] = []
  const tested = await openPlugin(t, singleFlight, {
    dependencies: [plugin('guard', guard)],
    resolve: (exchange, operation) =>
      new Promise<Result>((resolve, reject) => {
        runs.push({
          exchange,
          operation,
          answer: (result = { data: `{"run":${runs.length}}`, errors: null }) => resolve(result),
          fail: reject,
        })
      }),
  })
  const ask = (operation: Operation, exchange: Partial<Exchange> = {}) =>
    Promise.resolve(tested.run(tested.exchange(exchange), operation))
  return { runs, tested, ask }
}

const authOf = (more: Partial<Auth> = {}): Auth => ({
  subject: 'ann',
  claims: { sub: 'ann' },
  scopes: [],
  roles: [],
  method: 'jwt',
  ...more,
})

const tick = () => new Promise((resolve) => setImmediate(resolve))

t.test('identical reads in flight share one execution; the next one runs anew', async (t) => {
  const { runs, ask } = await open(t)
  const { template } = testOperation()
  const read = () => ask({ template, variables: { id: '1' } }, { auth: authOf() })
  const answers = [read(), read(), read()]
  t.equal(runs.length, 1)
  runs[0]?.answer()
  const results = await Promise.all(answers)
  t.ok(
    results.every((result) => result === results[0]),
    'one result for all',
  )
  const later = read()
  t.equal(runs.length, 2, 'what has landed is no cache')
  runs[1]?.answer()
  t.not(await later, results[0])
})

t.test('requests that differ in anything that affects the result never share', async (t) => {
  const { runs, ask } = await open(t)
  const { template } = testOperation()
  const base = { template, variables: { id: '1' } }
  const cases: [Operation, Partial<Exchange>][] = [
    [base, {}],
    [{ ...base, variables: { id: 1 } }, {}],
    [{ ...base, variables: { id: '2' } }, {}],
    [{ ...base, variables: {} }, {}],
    [{ ...base, variables: { id: null } }, {}],
    [{ ...base, variables: { id: undefined } }, {}],
    [{ ...base, variables: { id: 1n } }, {}],
    [{ ...base, variables: { id: ['1'] } }, {}],
    [{ ...base, variables: { id: '1', other: '1' } }, {}],
    [testOperation({}, { id: '1' }), {}],
    [base, { auth: authOf() }],
    [base, { auth: authOf({ subject: 'bob' }) }],
    [base, { auth: authOf({ subject: null }) }],
    [base, { auth: authOf({ method: 'api-keys' }) }],
    [base, { auth: authOf({ claims: { sub: 'ann', tenant: 1 } }) }],
    [base, { auth: authOf({ claims: { sub: 'ann', tenant: '1' } }) }],
    [base, { auth: authOf({ scopes: ['a'] }) }],
    [base, { auth: authOf({ roles: ['a'] }) }],
    [base, { auth: { ...authOf(), tenant: 'a' } as Auth }],
    [base, { context: { tenant: 'a' } }],
    [base, { context: { tenant: 'b' } }],
  ]
  const answers = cases.map(([operation, exchange]) => ask(operation, exchange))
  t.equal(runs.length, cases.length)
  for (const run of runs) run.answer()
  await Promise.all(answers)
})

t.test('values that no text tells apart are never shared', async (t) => {
  const { runs, ask } = await open(t)
  const { template } = testOperation()
  class Money {
    readonly #cents: number
    constructor(cents: number) {
      this.#cents = cents
    }
    get cents() {
      return this.#cents
    }
  }
  const hidden = { [Symbol('secret')]: 1 }
  const odd: unknown[] = [
    new Date(0),
    new Map(),
    new Set(),
    new Money(1),
    hidden,
    () => 1,
    Symbol('x'),
    'x'.repeat(9000),
  ]
  const before = runs.length
  const answers = odd.flatMap((value) => [
    ask({ template, variables: { value } }),
    ask({ template, variables: { value } }),
    ask({ template, variables: {} }, { context: { deep: [{ value }] } }),
    ask({ template, variables: {} }, { context: { deep: [{ value }] } }),
  ])
  t.equal(runs.length - before, odd.length * 4)
  for (const run of runs) run.answer()
  await Promise.all(answers)
})

t.test('writes run each for itself, and reads that began before one ended are not joined', async (t) => {
  const { runs, ask } = await open(t)
  const { template } = testOperation()
  const write = testOperation({ kind: 'mutation' })
  const read = () => ask({ template, variables: {} })
  const early = read()
  const writes = [ask(write), ask(write)]
  t.equal(runs.length, 3)
  runs[1]?.answer()
  await writes[0]
  const late = read()
  t.equal(runs.length, 4, 'it has to see what was written')
  const joined = read()
  t.equal(runs.length, 4, 'others join the newer one')
  runs[2]?.fail(new SvcError('TIMEOUT', 'perhaps written'))
  await t.rejects(writes[1] as Promise<unknown>)
  const latest = read()
  t.equal(runs.length, 5, 'a write that failed may have written')
  for (const run of runs) run.answer()
  await Promise.all([early, late, joined, latest])
  t.equal(await late, await joined)
})

t.test('a failure is shared, unless the leader was aborted', async (t) => {
  const { runs, tested } = await open(t)
  const { template } = testOperation()
  const operation = { template, variables: {} }
  const ask = (exchange = tested.exchange()) => Promise.resolve(tested.run(exchange, operation))

  const down = [ask(), ask()]
  const failure = new SvcError('SERVICE_UNAVAILABLE', 'down')
  runs[0]?.fail(failure)
  for (const answer of down) await t.rejects(answer, failure)
  t.equal(runs.length, 1, 'no storm on a database that is down')

  for (const ending of ['reject', 'answer with errors'] as const) {
    runs.length = 0
    const leader = tested.exchange()
    const first = ask(leader)
    const others = [ask(), ask(), ask()]
    t.equal(runs.length, 1)
    leader.abort('client')
    const timeout = new SvcError('TIMEOUT', 'the client went away')
    if (ending === 'reject') runs[0]?.fail(timeout)
    else runs[0]?.answer({ data: null, errors: [timeout] })
    await first.catch(() => {})
    await tick()
    t.equal(runs.length, 2, 'one of the others runs it again, for all of them')
    runs[1]?.answer()
    const [one, two, three] = await Promise.all(others)
    t.ok(one === two && two === three && one?.errors === null)
  }

  runs.length = 0
  const gone = tested.exchange()
  const kept = ask(gone)
  const follower = ask()
  gone.abort('client')
  runs[0]?.answer()
  t.equal(await follower, await kept, 'a result that came all the same is a result')
})

t.test('an aborted follower does not wait, and does not affect others', async (t) => {
  const { runs, tested } = await open(t)
  const { template } = testOperation()
  const operation = { template, variables: {} }
  const first = Promise.resolve(tested.run(tested.exchange(), operation))
  const impatient = tested.exchange()
  const second = Promise.resolve(tested.run(impatient, operation))
  const third = Promise.resolve(tested.run(tested.exchange(), operation))
  impatient.abort('client')
  await t.rejects(second, { code: 'TIMEOUT' })
  runs[0]?.answer()
  t.equal(await first, await third)
  t.equal(runs.length, 1)

  const again = Promise.resolve(tested.run(tested.exchange(), operation))
  await t.rejects(Promise.resolve(tested.run(tested.exchange({ aborted: true }), operation)), { code: 'TIMEOUT' })
  runs[1]?.answer()
  await again
})

t.test('subscriptions and answers that are there at once pass', async (t) => {
  const result: Result = { data: '{}', errors: null }
  let runs = 0
  const tested = await openPlugin(t, singleFlight, {
    resolve: () => {
      runs++
      return result
    },
  })
  for (const kind of ['query', 'query', 'subscription', 'mutation'] as const) {
    t.equal(tested.run(tested.exchange(), testOperation({ kind })), result, 'not even a promise')
  }
  t.equal(runs, 4)
})

/**
 * Any traffic: every read is answered with what it asked for, as its caller, and no older than the last write whose end
 * had been told when it came.
 */
t.test('any mix of callers, reads, writes and aborts', async () => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('read' as const), document: fc.nat(1), id: fc.nat(1), who: fc.nat(2) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('write' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('finish' as const), which: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), which: fc.nat(20) }) },
  )
  const templates = [testOperation().template, testOperation().template]
  const callers = [null, authOf(), authOf({ subject: 'bob', claims: { sub: 'bob' } })]
  const write = testOperation({ kind: 'mutation' })

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      let version = 0
      let told = 0
      const open: { done: boolean; exchange: Exchange; finish(): void }[] = []
      const tested = await testPlugin(singleFlight, {
        resolve: (exchange, { template, variables }) =>
          new Promise<Result>((resolve, reject) => {
            const seen = template.kind === 'mutation' ? ++version : version
            const data = JSON.stringify([templates.indexOf(template), variables.id, exchange.auth?.subject, seen])
            open.push({
              done: false,
              exchange,
              finish: () =>
                exchange.aborted ? reject(new SvcError('TIMEOUT', 'cancelled')) : resolve({ data, errors: null }),
            })
          }),
      })
      const checks: Promise<void>[] = []
      for (const each of steps) {
        if (each.do === 'read') {
          const auth = callers[each.who] as Auth | null
          const exchange = tested.exchange({ auth })
          const floor = told
          const result = tested.run(exchange, { template: templates[each.document]!, variables: { id: each.id } })
          checks.push(
            Promise.resolve(result).then(
              ({ data }) => {
                const [document, id, subject, seen] = JSON.parse(data!)
                if (document !== each.document || id !== each.id || (subject ?? null) !== (auth?.subject ?? null))
                  throw new Error(`asked ${JSON.stringify(each)}, got ${data}`)
                if (seen < floor) throw new Error(`a caller who knew of ${floor} writes saw ${seen}`)
              },
              (error) => {
                if (!exchange.aborted) throw error
              },
            ),
          )
        } else if (each.do === 'write') {
          checks.push(
            Promise.resolve(tested.run(tested.exchange(), write)).then(
              () => {
                told = version
              },
              () => {},
            ),
          )
        } else {
          const waiting = open.filter(({ done }) => !done)
          const picked = waiting[each.which % Math.max(1, waiting.length)]
          if (picked === undefined) continue
          if (each.do === 'abort') (picked.exchange as { aborted: boolean }).aborted = true
          picked.done = true
          picked.finish()
        }
        await tick()
      }
      let rounds = 0
      for (let left = true; left; rounds++) {
        const waiting = open.filter(({ done }) => !done)
        for (const one of waiting) {
          one.done = true
          one.finish()
        }
        await tick()
        left = open.some(({ done }) => !done)
        if (rounds > 200) throw new Error('it never ends')
      }
      await Promise.all(checks)
      await tested.close()
    }),
    { numRuns: 150 },
  )
})

t.test('reads for which authorize decided differently are not shared', async (t) => {
  let tenant = 1
  const { runs, ask } = await open(t, (scope) => {
    scope.on('authorize', (_ctx, _operation, access) => access.set('app.tenant_id', tenant))
  })
  const { template } = testOperation()
  const read = () => ask({ template, variables: {} })
  const answers = [read(), read()]
  t.equal(runs.length, 1, 'alike: shared')
  tenant = 2
  answers.push(read())
  t.equal(runs.length, 2)
  for (const run of runs) run.answer()
  await Promise.all(answers)
})

t.test('a stream is not shared, because it is read once', async (t) => {
  const { runs, ask } = await open(t)
  const { template } = testOperation()
  const read = () => ask({ template, variables: {}, form: 'rows' }, { auth: authOf() })
  const answers = [read(), read()]
  t.equal(runs.length, 2)
  for (const run of runs) run.answer()
  await Promise.all(answers)
})

t.test('an answer of a plugin is not shared, because it may depend on its exchange', async (t) => {
  const { runs, ask } = await open(t)
  const { template } = testOperation()
  const calling = { ...template, hasCalls: true } as const
  const read = () => ask({ template: calling, variables: {} })
  const answers = [read(), read()]
  t.equal(runs.length, 2)
  for (const run of runs) run.answer()
  await Promise.all(answers)
})
