import t from 'tap'
import { FILL_MS, LaneUse } from '../../../plugins/postgres/costs/lane-use.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'

t.setTimeout(180_000)

interface Load {
  readonly processors: number
  /** Of one run that has a processor for itself, by statement. */
  readonly ms: readonly number[]
  /** What each further connection at work costs all of them, as a part of a run: locks, changes of process. */
  readonly friction?: number
  readonly clients?: number
  readonly seconds?: number
  /** How long nobody asks after all clients have been answered. */
  readonly restMs?: number
}

interface Lane {
  readonly queue: { readonly which: number; left: number; readonly sentAt: number }[]
  lastEnd: number
  load: number
}

type Use = Pick<LaneUse, 'fills' | 'wasIdle' | 'record'>

const LANES = 4

/** The same way all the time. */
const always = (fills: boolean): Use => ({ fills: () => fills, wasIdle() {}, record() {} })

/** Time goes on from one simulation to the next. */
let now = 1000

/**
 * Clients that ask again at once, connections that are worked off in order, and processors that those at work share.
 * @returns runs
 */
function simulate(use: Use, { processors, ms, friction = 0, clients = 32, seconds = 20, restMs = 0 }: Load): number {
  const typical = ms.map(() => ({ ms: 0, runs: 0, seen: 0 }))
  const lanes: Lane[] = Array.from({ length: LANES }, () => ({ queue: [], lastEnd: 0, load: 0 }))
  const end = now + seconds * 1000
  let waiting = clients
  let done = 0
  const send = (which: number): void => {
    if (lanes.every(({ queue }) => queue.length === 0)) use.wasIdle(now)
    const expected = ms[which]!
    const inFlight = lanes.reduce((sum, { queue }) => sum + queue.length, 0)
    const filled = lanes.find(({ load }) => load + expected <= FILL_MS)
    const least = lanes.reduce((a, b) => (b.load < a.load ? b : a))
    const lane = use.fills(inFlight, typical[which]!) && filled !== undefined ? filled : least
    lane.queue.push({ which, left: expected, sentAt: now })
    lane.load += expected
  }
  for (let asked = 0; now < end; done++) {
    for (; waiting > 0; waiting--) send((asked++ * 7919) % ms.length)
    const busy = lanes.filter(({ queue }) => queue.length > 0)
    const speed = Math.min(1, processors / busy.length) / (1 + friction * (busy.length - 1))
    const lane = busy.reduce((a, b) => (b.queue[0]!.left < a.queue[0]!.left ? b : a))
    const elapsed = lane.queue[0]!.left / speed
    now += elapsed
    for (const { queue } of busy) queue[0]!.left -= elapsed * speed
    const { which, sentAt } = lane.queue.shift()!
    lane.load -= ms[which]!
    use.record(typical[which]!, now - Math.max(lane.lastEnd, sentAt), sentAt, now)
    lane.lastEnd = now
    if (restMs === 0) waiting = 1
    else if (lanes.every(({ queue }) => queue.length === 0)) {
      now += restMs
      waiting = clients
    }
  }
  return done
}

/** Does it fill, outside of trials, what is one small statement alone? */
const isSettled = (use: LaneUse): boolean => use.fills(0, { ms: 0, runs: 0, seen: 0 })

t.test('as much gets done as in the better of both ways', (t) => {
  for (const ms of [[0.05], [0.12], [3]]) {
    for (const processors of [1, 2, 64]) {
      for (const friction of [0, 0.2, 1]) {
        const load = { processors, ms, friction }
        const use = new LaneUse(LANES)
        simulate(use, load)
        const best = Math.max(simulate(always(true), load), simulate(always(false), load))
        const part = simulate(use, load) / best
        t.ok(part > 0.93, `${ms} ms, ${processors} processors, friction ${friction}: ${part.toFixed(3)}`)
      }
    }
  }
  t.end()
})

t.test('filled where turns would not get more done, turns where the database has processors', (t) => {
  const settled = (load: Load): boolean => {
    const use = new LaneUse(LANES)
    simulate(use, load)
    return isSettled(use)
  }
  t.equal(settled({ processors: 1, ms: [0.1] }), true, 'one processor')
  t.equal(settled({ processors: 64, ms: [0.1] }), false, 'sixty-four')
  t.equal(settled({ processors: 64, ms: [0.1], friction: 1 }), true, 'statements that hold each other up')
  const burst = { ms: [0.3], clients: 12, restMs: 200, seconds: 400 }
  t.equal(settled({ ...burst, processors: 1 }), true, 'many at once and then nothing')
  t.equal(settled({ ...burst, processors: 8 }), false, 'the same, with processors')
  t.end()
})

t.test('measurements are repeated after the number of processors changes', (t) => {
  const use = new LaneUse(LANES)
  simulate(use, { processors: 1, ms: [0.1] })
  t.equal(isSettled(use), true)
  simulate(use, { processors: 64, ms: [0.1] })
  t.equal(isSettled(use), false, 'when the database has got more processors')
  simulate(use, { processors: 1, ms: [0.1], seconds: 40 })
  t.equal(isSettled(use), true, 'and when it has lost them')
  t.end()
})

t.test('of statements that never run twice, and of one connection, nothing is learnt', (t) => {
  const use = new LaneUse(LANES)
  let trials = 0
  for (const end = now + 200_000; now < end || use.isTrial; now++) {
    const wasTrial = use.isTrial
    use.record({ ms: 0, runs: 0, seen: 0 }, 1, now, now)
    if (wasTrial && !use.isTrial) trials++
  }
  t.ok(trials > 5, `${trials} trials`)
  t.equal(isSettled(use), false)
  const alone = new LaneUse(1)
  simulate(alone, { processors: 1, ms: [0.1] })
  t.equal(isSettled(alone), false)
  t.end()
})

t.test('the driver fills one connection where statements hold each other up', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const test = await createPostgresDatabase(t)
  const database = await openDatabase(t, test, { config: { pool_max: 8, pool_min: 8 } })
  /** @returns on how many connections fifty runs in a row were: the first time that it is right, else the last */
  const connectionsUsedBy = async (text: string, isRight: (count: number) => boolean): Promise<number> => {
    const statement = { name: `s${text.length}`, text, readOnly: false }
    const ids: string[] = []
    let until = performance.now() + 40_000
    let last = 0
    const ask = async (): Promise<void> => {
      while (performance.now() < until) {
        ids.push((await database.query(statement, [], null)).rows[0]![0]!)
        if (ids.length < 50) continue
        last = new Set(ids.splice(0)).size
        if (isRight(last)) until = 0
      }
    }
    await Promise.all(Array.from({ length: 12 }, ask))
    return last
  }
  // Each keeps a lock to the end of its transaction, a tenth of a millisecond of work. On a busy machine it may not be long
  // that one is filled, but it is tried.
  const work = 'FROM generate_series(1, 300) n, pg_advisory_xact_lock(7) GROUP BY 1'
  const held = await connectionsUsedBy(`SELECT pg_backend_pid() ${work}`, (count) => count <= 2)
  t.ok(held <= 2, `${held} connections for one lock`)
  const waits = await connectionsUsedBy('SELECT pg_backend_pid(), pg_sleep(0.003)', (count) => count >= 4)
  t.ok(waits >= 4, `${waits} connections for statements that wait`)
})
