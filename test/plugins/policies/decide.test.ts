import t, { type Test } from 'tap'
import { createDecide, type PolicyFunction } from '../../../plugins/policies/decide.ts'
import type { PolicyUser } from '../../../plugins/policies/policy-user.ts'

const ANN: PolicyUser = { id: 'ann', roles: [], scopes: [], claims: {} }
const exchange = { aborted: false, onAbort: () => () => {} } as never

function decideBy(call: PolicyFunction, ttl = 0) {
  const failures: unknown[] = []
  const decide = createDecide(
    { name: 'own', roles: null, strategy: 'any', source: { function: 'own' }, ttl },
    {
      functions: new Map([['own', call]]),
      timeoutMs: 60_000,
      report: (_, error) => failures.push(error),
      fieldOf: () => [],
    },
  )
  return { ask: (user: PolicyUser | null = ANN) => decide(user, exchange), failures }
}

/** @returns what lets time pass */
function stopClock(t: Test): (ms: number) => void {
  const { now } = Date
  let at = now()
  Date.now = () => at
  t.teardown(() => {
    Date.now = now
  })
  return (ms) => {
    at += ms
  }
}

t.test('nothing but true allows, at once or later', async (t) => {
  t.equal(decideBy(() => true).ask(), true)
  t.equal(await decideBy(async () => true).ask(), true)
  for (const answer of ['yes', 1, {}, [], false, null, undefined, 0]) {
    t.equal(decideBy(() => answer).ask(), false, `at once: ${JSON.stringify(answer)}`)
    t.equal(await decideBy(async () => answer).ask(), false, `later: ${JSON.stringify(answer)}`)
  }
})

t.test('a verdict is kept as long as it may be, of each user by himself', async (t) => {
  const pass = stopClock(t)
  let asked = 0
  const { ask } = decideBy((user) => {
    asked++
    return user?.id === 'ann'
  }, 10)
  t.equal(ask(), true)
  t.equal(ask({ ...ANN, id: 'bob' }), false)
  pass(9999)
  t.equal(ask(), true)
  t.equal(ask({ ...ANN, id: 'bob' }), false)
  t.equal(asked, 2, 'what is kept is not asked again')
  pass(1)
  t.equal(ask(), true)
  t.equal(asked, 3, 'what was kept has ended')
})

t.test('the verdicts of 1000 users are kept; one more drops the oldest', async (t) => {
  const calls: string[] = []
  const { ask } = decideBy((user) => {
    calls.push(String(user?.id))
    return true
  }, 10)
  const askFor = (id: number) => ask({ ...ANN, id: String(id) })
  for (let id = 0; id < 1000; id++) t.equal(askFor(id), true)
  calls.length = 0
  for (const id of [0, 1, 999]) askFor(id)
  t.strictSame(calls, [], 'all of them are kept')
  askFor(1000)
  for (const id of [1, 999, 1000, 0]) askFor(id)
  t.strictSame(calls, ['1000', '0'])
})

t.test('a failing policy denies, is reported and is not cached', async (t) => {
  let asked = 0
  const { ask, failures } = decideBy(() => {
    asked++
    throw new Error('down')
  }, 10)
  t.strictSame([ask(), ask(), asked], [false, false, 2])
  t.match(failures, [{ message: 'down' }, { message: 'down' }])
})
