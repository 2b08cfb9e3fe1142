import t from 'tap'
import type { SessionPool } from '../../../core/doors/driver.ts'
import { type StatementCost, StatementCosts } from '../../../plugins/postgres/costs/statement-costs.ts'
import { Lanes } from '../../../plugins/postgres/schedule/lanes.ts'
import type { Connection } from '../../../plugins/postgres/wire/connection.ts'
import type { TestLike } from '../../helpers/services.ts'

/** What the choice looks at. */
interface State {
  load: number
  isFull?: boolean
  isHolding?: boolean
  stuck?: boolean
  headSince?: number
}

async function openLanes(
  t: TestLike,
  states: readonly State[],
): Promise<{ choices(count: number, ms?: number): number[] }> {
  const connections = states.map((state) => ({
    ready: true,
    stuck: false,
    isFull: false,
    isHolding: false,
    headSince: Number.POSITIVE_INFINITY,
    head: null,
    ended: new Promise(() => {}),
    failWaiting() {},
    onQuiet: (then: () => void) => then(),
    async close() {},
    ...state,
  }))
  const waiting = [...connections]
  const pool = { openShared: async () => waiting.shift() ?? null, adopt() {}, canGive: false }
  const lanes = new Lanes(states.length, 1000, pool as unknown as SessionPool<Connection>)
  t.teardown(() => lanes.close())
  await new Promise((done) => setImmediate(done))
  return {
    choices: (count, ms = 1) =>
      Array.from({ length: count }, () =>
        connections.indexOf(
          lanes.choose(performance.now(), costOf(ms), true) as unknown as (typeof connections)[number],
        ),
      ),
  }
}

const costOf = (ms: number): StatementCost => Object.assign(new StatementCosts(4, 20).get('s1'), { ms })

const times = (choices: readonly number[], lane: number): number => choices.filter((each) => each === lane).length

t.test('lanes with about as much to do take turns', async (t) => {
  const even = await openLanes(t, [{ load: 2 }, { load: 2 }, { load: 2 }, { load: 2 }])
  t.same(even.choices(4).sort(), [0, 1, 2, 3])
  const uneven = await openLanes(t, [{ load: 4 }, { load: 2 }, { load: 3 }, { load: 2 }])
  const choices = uneven.choices(40)
  for (const lane of [0, 1, 2, 3]) t.equal(times(choices, lane), 10, `lane ${lane}`)
})

t.test('one with clearly more to do is passed over', async (t) => {
  const { choices } = await openLanes(t, [{ load: 7 }, { load: 1 }, { load: 1.5 }, { load: 1 }])
  const chosen = choices(30)
  t.equal(times(chosen, 0), 0)
  for (const lane of [1, 2, 3]) t.equal(times(chosen, lane), 10, `lane ${lane}`)
})

t.test('with few statements in flight each goes to a free lane', async (t) => {
  const { choices } = await openLanes(t, [{ load: 3 }, { load: 0 }, { load: 3 }, { load: 0 }])
  t.same([...new Set(choices(20))].sort(), [1, 3])
})

t.test('full lanes, and those that do not move, get none while others can', async (t) => {
  const old = performance.now() - 60_000
  const some = await openLanes(t, [
    { load: 8, isFull: true },
    { load: 7 },
    { load: 7, stuck: true },
    { load: 7, headSince: old },
  ])
  t.same([...new Set(some.choices(20))], [1])
  const none = await openLanes(t, [
    { load: 9, isFull: true },
    { load: 8, isFull: true },
  ])
  t.same([...new Set(none.choices(20))], [1], 'all are full: the least loaded, which the caller finds full')
})

t.test('small statements of one turn of the event loop share a lane', async (t) => {
  const { choices } = await openLanes(t, [{ load: 0 }, { load: 1.5, isHolding: true }, { load: 0 }])
  t.same([...new Set(choices(9, 0.5))], [1], 'together they are small enough')
  t.notOk(choices(9, 1).includes(1), 'together they are not')
})
