import t from 'tap'
import type { Signal } from '../../../core/index.ts'
import { PlanChoice, type PlanDecision, type Planning } from '../../../plugins/postgres/schedule/plan-choice.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'

/** Runs it so many times, one after the other, each as it is planned then; a trial that takes longer than its bound is ended. */
function run(choice: PlanChoice, times: number, ms: { readonly values: number; readonly generic: number }): Planning[] {
  return Array.from({ length: times }, () => {
    const planning = choice.next(0)
    if (planning === 'trial' && ms.generic > choice.boundMs) choice.failTrial()
    else choice.record(planning, planning === 'values' ? ms.values : ms.generic)
    return planning
  })
}
const values = (count: number): Planning[] => Array(count).fill('values')
const trials = (count: number): Planning[] => Array(count).fill('trial')

t.test('both kinds are tried, and a generic plan is kept where it is faster', async (t) => {
  const decisions: PlanDecision[] = []
  const slow = new PlanChoice((decision) => decisions.push(decision))
  t.same(run(slow, 11, { values: 2, generic: 3 }), [...values(5), ...trials(5), 'values'])
  t.equal(slow.planning, 'values')
  t.same(decisions, [{ planning: 'values', valuesMs: 2, genericMs: 3 }])
  const same = new PlanChoice()
  run(same, 10, { values: 2, generic: 2 })
  t.equal(same.planning, 'values', 'as fast is not enough: with other values it may be far slower')
  const quick = new PlanChoice((decision) => decisions.push(decision))
  run(quick, 10, { values: 2, generic: 1.5 })
  t.same(decisions[1], { planning: 'generic', valuesMs: 2, genericMs: 1.5 })
  t.same(run(quick, 1000, { values: 2, generic: 1.5 }), Array(1000).fill('generic'), 'for good')
  t.equal(decisions.length, 2)
})

t.test('beside a slow run its planning does not count', async (t) => {
  const choice = new PlanChoice()
  t.same(run(choice, 300, { values: 21, generic: 1 }), values(300))
})

t.test('one run of a busy machine decides nothing', async (t) => {
  const choice = new PlanChoice()
  for (const ms of [2, 2, 900, 2, 2]) choice.record('values', ms)
  for (const ms of [1, 1, 20, 1, 1]) {
    t.equal(choice.next(0), 'trial')
    choice.record('trial', ms)
  }
  t.equal(choice.planning, 'generic')
})

t.test('one trial at a time; all others are planned with their values', async (t) => {
  const choice = new PlanChoice()
  run(choice, 5, { values: 2, generic: 1 })
  t.same([choice.next(0), choice.next(1), choice.next(4999), choice.next(5000)], ['trial', 'values', 'values', 'trial'])
  choice.record('values', 2)
  t.equal(choice.next(5001), 'values')
  choice.record('trial', 1)
  t.equal(choice.next(5002), 'trial', 'the one before is over')
})

t.test('a trial that is ended is tried ever less often', async (t) => {
  const decisions: PlanDecision[] = []
  const choice = new PlanChoice((decision) => decisions.push(decision))
  const bad = { values: 1, generic: 1000 }
  t.same(run(choice, 6, bad), [...values(5), 'trial'])
  t.equal(choice.boundMs, 13)
  t.same(decisions, [{ planning: 'values', valuesMs: 1, genericMs: null }])
  for (const patience of [64, 128, 256]) t.same(run(choice, patience + 1, bad), [...values(patience), 'trial'])
  choice.failTrial()
  t.same(run(choice, 512, bad), values(512), 'what is not under way does not fail')
})

t.test('a generic plan that is far slower once it was chosen is given up for very long', async (t) => {
  for (const end of [
    (choice: PlanChoice) => choice.record('generic', 13.1),
    (choice: PlanChoice) => choice.abandonGeneric(),
  ]) {
    const choice = new PlanChoice()
    run(choice, 10, { values: 1, generic: 0.5 })
    choice.record('generic', 12.9)
    t.equal(choice.planning, 'generic', 'not far')
    end(choice)
    t.equal(choice.planning, 'values')
    run(choice, 64 + 5, { values: 1, generic: 0.5 })
    t.equal(choice.planning, 'generic', 'the data may have changed')
    end(choice)
    t.same(run(choice, 65_536, { values: 1, generic: 0.5 }), values(65_536))
    t.equal(choice.next(0), 'trial')
  }
})

t.test('on a server', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `CREATE TABLE post (pk int PRIMARY KEY, status text NOT NULL, slug text NOT NULL);
      INSERT INTO post SELECT n, CASE WHEN n % 20000 = 0 THEN 'failed' ELSE 'done' END, md5(n::text) FROM generate_series(1, 60000) n;
      CREATE INDEX ON post (status); CREATE INDEX ON post (slug text_pattern_ops); ANALYZE post`,
  })
  const SHOW = "SELECT current_setting('plan_cache_mode') WHERE $1::text IS NOT NULL"
  const signals: Signal[] = []
  const database = await openDatabase(t, url, { onSignal: (signal) => signals.push(signal) })
  const modeOf = async (statement: object, session: Pick<typeof database, 'query'> = database) =>
    (await session.query({ name: null, text: SHOW, readOnly: true, ...statement }, ['x'], null)).rows[0]?.[0]

  await t.test('a selective statement is planned with its values where that is faster', async (t) => {
    const text =
      "SELECT CASE current_setting('plan_cache_mode') WHEN 'force_generic_plan' THEN pg_sleep(0.5) END, $1::text"
    const slow = { name: 'slow', text, readOnly: true, selective: true }
    // A busy machine may take one that it was slow to read for no run of the server's.
    for (let i = 0; i < 40 && signals.length === 0; i++) await database.query(slow, ['x'], null)
    t.equal(database.planning?.(slow), 'values', 'the slow kind is given up')
    t.match(signals, [{ type: 'statement-planned', statement: 'slow', planning: 'values' }])
    t.equal(database.planning?.({ ...slow, selective: false }), null)
  })

  await t.test('by name, without one, with settings, in a transaction; and what stands behind it is not', async (t) => {
    const named = { name: 'shown', selective: true }
    const modes: unknown[] = []
    // A busy machine may take a run that it was slow to read for no run of the server's.
    while (modes.length < 40 && modes.at(-1) !== 'force_generic_plan') modes.push(await modeOf(named))
    t.same(modes.slice(0, 5), Array(5).fill('force_custom_plan'))
    t.equal(modes.at(-1), 'force_generic_plan', 'the trial')
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
