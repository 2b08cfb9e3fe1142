import t from 'tap'
import { Spread } from '../../../plugins/postgres/costs/spread.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'

interface Load {
  readonly processors: number
  /** Of one run that has a processor for itself. */
  readonly ms: number
  readonly isSmall: boolean
  readonly clients?: number
  readonly runs?: number
}

const SHARED = 4
const MOST_OWN = 16

/** Clients that ask again at once, and a database whose processors serve all that runs in turn. @returns average width */
function simulate(spread: Spread, { processors, ms, isSmall, clients = 32, runs = 4000 }: Load): number {
  const lanes = isSmall ? SHARED : 0
  let running: { left: number; readonly since: number; readonly own: boolean }[] = []
  let now = 0
  let shared = 0
  let widths = 0
  for (let done = 0; done < runs; done++) {
    while (running.length < clients) {
      const own = shared >= lanes
      if (own && (spread.own >= MOST_OWN || !spread.mayWiden(isSmall))) break
      if (own) spread.own++
      else shared++
      // Two in three take half as long, one twice as long.
      running.push({ left: ms * (done % 3 === 0 ? 2 : 0.5), since: now, own })
    }
    const rate = Math.min(1, processors / running.length)
    const first = running.reduce((a, b) => (a.left <= b.left ? a : b))
    const elapsed = first.left / rate
    now += elapsed
    for (const one of running) one.left -= elapsed * rate
    if (done >= runs / 2) widths += running.length
    running = running.filter((one) => one !== first)
    spread.record(now - first.since, isSmall)
    if (first.own) spread.own--
    else shared--
  }
  return widths / (runs / 2)
}

t.test('a statement that waits runs wide, one that computes does not', (t) => {
  for (const isSmall of [true, false]) {
    const most = isSmall ? SHARED + MOST_OWN : MOST_OWN
    const width = (processors: number) =>
      simulate(new Spread(SHARED, SHARED + MOST_OWN), { processors, ms: isSmall ? 5 : 30, isSmall })
    t.ok(width(2) < 5.5, `two processors: ${width(2)}`)
    t.ok(width(64) > most - 1.5, `sixty-four: ${width(64)}`)
  }
  t.end()
})

t.test('measurements are repeated after the number of processors changes', (t) => {
  const spread = new Spread(SHARED, SHARED + MOST_OWN)
  const load = { ms: 5, isSmall: true }
  t.ok(simulate(spread, { ...load, processors: 2 }) < 5.5)
  t.ok(simulate(spread, { ...load, processors: 64, runs: 8000 }) > 15, 'when the database has got more processors')
  t.ok(simulate(spread, { ...load, processors: 2 }) < 6, 'and when it has lost them')
  t.end()
})

t.test('those who wait for a connection that there is not do not count as running', (t) => {
  const spread = new Spread(SHARED, SHARED + MOST_OWN)
  const rounds = (count: number, ms: number) => {
    for (let i = 0; i < count * 40; i++) {
      while (spread.own < 100 && spread.mayWiden(false)) spread.own++
      spread.record(ms, false)
      spread.own--
    }
  }
  rounds(20, 30)
  while (spread.own < 100 && spread.mayWiden(false)) spread.own++
  t.equal(spread.own, 100, 'wide: nobody is refused')
  // Four times as long on sixteen connections is nothing but taking turns.
  rounds(1, 30 * 4)
  spread.own = MOST_OWN
  t.equal(spread.mayWiden(false), false)
  t.end()
})

t.test('few clients need no decision, and long runs are not held back', (t) => {
  t.ok(simulate(new Spread(SHARED, SHARED + MOST_OWN), { processors: 64, ms: 5, isSmall: true, clients: 3 }) <= 3)
  const long = new Spread(SHARED, SHARED + MOST_OWN)
  t.equal(long.mayWiden(false), true)
  long.own = 4
  t.equal(long.mayWiden(false), false, 'nothing is known of it')
  long.record(1000, false)
  t.equal(long.mayWiden(false), true)
  long.own = 16
  for (let i = 0; i < 30; i++) long.record(50, false)
  t.equal(long.mayWiden(false), false, 'it was the first run only')
  t.end()
})

t.test('the driver runs a statement that waits on more connections than those that are shared', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const database = await openDatabase(t, await createPostgresDatabase(t), { config: { pool_max: 12, pool_min: 12 } })
  const nap = { name: 'nap', text: 'SELECT pg_backend_pid(), pg_sleep(0.005)', readOnly: true }
  const run = async (times: number) => {
    const pids = await Promise.all(Array.from({ length: times }, () => database.query(nap, [], null)))
    return new Set(pids.map(({ rows }) => rows[0]![0])).size
  }
  let widest = 0
  for (let i = 0; i < 40 && widest < 10; i++) widest = Math.max(widest, await run(60))
  t.ok(widest >= 10, `${widest} connections`)
  t.match(database.pool, { active: 0, waiting: 0 })
})
