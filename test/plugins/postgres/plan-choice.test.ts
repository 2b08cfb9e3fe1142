import t from 'tap'
import type { Signal } from '../../../core/doors/plugin.ts'
import { PlanChoice, type PlanDecision } from '../../../plugins/postgres/costs/plan-choice.ts'
import { planShape } from '../../../plugins/postgres/schedule/plan-shape.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'

/** Runs it so many times, each as it is planned then. @returns after how many of them the plans were to be compared */
function run(choice: PlanChoice, times: number, ms: number): number[] {
  const wanted: number[] = []
  for (let i = 1; i <= times; i++) {
    choice.record(choice.planning, ms)
    if (choice.wantsComparison) wanted.push(i)
  }
  return wanted
}

t.test('planned with its values until both plans are the same', async (t) => {
  const decisions: PlanDecision[] = []
  const choice = new PlanChoice((decision) => decisions.push(decision))
  t.same(run(choice, 5, 1), [5])
  t.same(run(choice, 2, 1), [1, 2], 'until it was done')
  choice.compared(true)
  t.equal(choice.planning, 'generic')
  t.same(run(choice, 20, 1), [20], 'other values may have another plan')
  choice.compared(false)
  t.equal(choice.planning, 'values')
  t.same(run(choice, 80, 1), [80])
  choice.compared(false)
  t.same(run(choice, 320, 1), [320], 'ever less often')
  choice.compared(true)
  t.same(decisions, [
    { planning: 'generic', reason: 'same-plan' },
    { planning: 'values', reason: 'other-plan' },
    { planning: 'generic', reason: 'same-plan' },
  ])
  for (let i = 0; i < 10; i++) choice.compared(true)
  t.same(run(choice, 65_536, 1), [65_536])
})

t.test('a missing plan is requested again later', async (t) => {
  const choice = new PlanChoice()
  run(choice, 5, 1)
  choice.postpone()
  t.same([choice.planning, run(choice, 5, 1)], ['values', [5]])
})

t.test('beside a slow run its planning does not count', async (t) => {
  const choice = new PlanChoice()
  t.same(run(choice, 300, 20.1), [])
  t.same(run(choice, 5, 1), [3, 4, 5], 'it is quick now')
})

t.test('a generic plan that is far slower is given up', async (t) => {
  for (const end of [
    (choice: PlanChoice) => choice.record('generic', 70.1),
    (choice: PlanChoice) => choice.abandonGeneric(),
  ]) {
    const decisions: PlanDecision[] = []
    const choice = new PlanChoice((decision) => decisions.push(decision))
    for (const ms of [1, 1, 900, 1, 1]) choice.record('values', ms)
    choice.compared(true)
    choice.record('generic', 69.9)
    t.equal(choice.planning, 'generic', 'a busy machine')
    end(choice)
    t.equal(choice.planning, 'values')
    t.same(run(choice, 1024, 1), [1024], 'for long')
    choice.compared(true)
    end(choice)
    t.same(run(choice, 16_384, 1), [16_384], 'and longer each time')
    t.same(
      decisions.map(({ reason }) => reason),
      ['same-plan', 'slow', 'same-plan', 'slow'],
    )
    end(choice)
    t.equal(decisions.length, 4, 'what is not chosen is not given up')
  }
})

t.test('plans are the same where they take the same way to the rows', async (t) => {
  const plan = (node: object): string => JSON.stringify([{ Plan: { 'Node Type': 'Limit', Plans: [node] } }])
  const scan = { 'Node Type': 'Index Scan', 'Index Name': 'post_pkey', 'Index Cond': '(pk > 3)', 'Total Cost': 3 }
  const shape = planShape(plan(scan))
  t.equal(planShape(plan({ ...scan, 'Index Cond': '(pk > $1)', 'Total Cost': 4, Filter: 'x' })), shape)
  for (const other of [
    { 'Index Name': 'post_slug' },
    { 'Node Type': 'Seq Scan' },
    { 'Index Cond': undefined },
    { 'Scan Direction': 'Backward' },
    { Plans: [scan] },
    { Alias: 't2' },
  ])
    t.not(planShape(plan({ ...scan, ...other })), shape, JSON.stringify(other))
  t.throws(() => planShape(''))
})

const POSTS = `CREATE TABLE post (pk int PRIMARY KEY, status text NOT NULL, slug text NOT NULL);
  INSERT INTO post SELECT n, CASE WHEN n % 20000 = 0 THEN 'failed' ELSE 'done' END, md5(n::text) FROM generate_series(1, 60000) n;
  CREATE INDEX ON post (status); CREATE INDEX ON post (slug text_pattern_ops); ANALYZE post`

t.test('on a server', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: POSTS })
  const SHOW = "SELECT current_setting('plan_cache_mode') WHERE $1::text IS NOT NULL"
  const signals: Signal[] = []
  const database = await openDatabase(t, url, { onSignal: (signal) => signals.push(signal) })
  const modeOf = async (statement: object, session: Pick<typeof database, 'query'> = database) =>
    (await session.query({ name: null, text: SHOW, readOnly: true, ...statement }, ['x'], null)).rows[0]?.[0]

  await t.test('planned once where its values have the same plan, until that is far slower', async (t) => {
    const text =
      "SELECT CASE current_setting('plan_cache_mode') WHEN 'force_generic_plan' THEN pg_sleep(0.5) END, $1::text"
    const slow = { name: 'slow', text, readOnly: true, selective: true }
    // The plans are compared beside the runs. A busy machine may take one that it was slow to read for no run of the server's.
    await until(async () => {
      await database.query(slow, ['x'], null)
      return signals.length === 2
    }, 20_000)
    t.match(signals, [
      { type: 'statement-planned', statement: 'slow', planning: 'generic', reason: 'same-plan' },
      { type: 'statement-planned', statement: 'slow', planning: 'values', reason: 'slow' },
    ])
    t.equal(database.planning?.(slow), 'values', 'the slow kind is given up')
    t.equal(database.planning?.({ ...slow, selective: false }), null)
  })

  await t.test('with its values where they have another plan', async (t) => {
    const text = 'SELECT pk FROM post WHERE status = $1 AND slug <> $2 ORDER BY pk LIMIT 20'
    const rare = { name: 'rare', text, readOnly: true, selective: true }
    const common = { ...rare, name: 'common' }
    await until(async () => {
      await database.query(rare, ['failed', "o'neill"], null)
      await database.query(common, ['done', 'x'], null)
      return database.planning?.(common) === 'generic'
    }, 20_000)
    for (let i = 0; i < 100; i++) await database.query(rare, ['failed', 'x'], null)
    t.equal(database.planning?.(rare), 'values')
  })

  await t.test('by name, without one, with settings, in a transaction; and what stands behind it is not', async (t) => {
    const named = { name: 'shown', selective: true }
    const modes: unknown[] = []
    // A busy machine may take a run that it was slow to read for no run of the server's.
    while (modes.length < 40 && modes.at(-1) !== 'force_generic_plan') modes.push(await modeOf(named))
    t.same(modes.slice(0, 5), Array(5).fill('force_custom_plan'))
    t.equal(modes.at(-1), 'force_generic_plan', 'there is but one plan')
    t.equal(await modeOf({ selective: true }), 'force_custom_plan', 'no plan of it is kept')
    t.equal(await modeOf({}), 'force_generic_plan')
    const settings = [{ name: 'app.user', value: 'ada' }]
    const text = "SELECT current_setting('plan_cache_mode') || current_setting('app.user')"
    const { rows } = await database.query({ name: 'set', text, readOnly: true, selective: true }, [], null, settings)
    t.same(rows, [['force_custom_planada']])
    await database.transaction(async (session) => {
      t.equal(await modeOf({}, session), 'force_generic_plan')
      t.equal(await modeOf({ name: 'within', selective: true }, session), 'force_custom_plan')
    }, {})
    t.equal(await modeOf({}), 'force_generic_plan', 'no session keeps it')
    const together = await Promise.all(
      Array.from({ length: 40 }, (_, i) => modeOf(i % 2 ? { name: 'plain' } : { selective: true })),
    )
    t.same(
      together,
      together.map((_, i) => (i % 2 ? 'force_generic_plan' : 'force_custom_plan')),
      'side by side',
    )
  })

  await t.test('plan_cache_mode in svc.toml switches the choice off', async (t) => {
    for (const mode of ['auto', 'force_custom_plan'] as const) {
      const own = await openDatabase(t, url, { config: { plan_cache_mode: mode } })
      t.equal(own.planning?.({ name: 'shown', text: SHOW, selective: true }), null)
      t.equal(await modeOf({ name: 'shown', selective: true }, own), mode)
    }
  })

  await t.test('an index serves what it serves by hand', async (t) => {
    // Sessions of the tests before hand over late how often they have scanned an index: here are none.
    const url = await createPostgresDatabase(t, { sql: POSTS })
    const list = (condition: string) => `SELECT slug FROM post WHERE ${condition} ORDER BY pk LIMIT 20`
    const scansOf = async (index: string) => {
      const text = `SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = '${index}'`
      return Number((await runOnServer(new URL(url).pathname.slice(1), text))[0]?.idx_scan)
    }
    for (const [condition, value, index] of [
      ['status = $1', 'failed', 'post_status_idx'],
      ['slug LIKE $1', 'abcd%', 'post_slug_idx'],
    ] as const) {
      for (const selective of [true, false]) {
        const own = await openDatabase(t, url, {})
        const before = await scansOf(index)
        const statement = { name: `${condition} ${selective}`, text: list(condition), readOnly: true, selective }
        for (let i = 0; i < 4; i++) await own.query(statement, [value], null)
        // A session that ends hands over what it has counted.
        await own.close()
        if (selective) await until(async () => (await scansOf(index)) === before + 4, 20_000)
        else t.equal(await scansOf(index), before, `${condition}: the twin walks the key`)
      }
    }
  })
})
