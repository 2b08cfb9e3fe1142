import t from 'tap'
import type { Signal } from '../../../core/index.ts'
import { PlanChoice, type PlanDecision } from '../../../plugins/postgres/schedule/plan-choice.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'

/** Runs it so many times, each as it is planned then. */
function run(choice: PlanChoice, times: number, ms: Readonly<Record<'values' | 'generic', number>>): string[] {
  return Array.from({ length: times }, () => {
    const { planning } = choice
    choice.record(planning, ms[planning])
    return planning
  })
}

t.test('both kinds are tried, and the faster one is kept', async (t) => {
  const decisions: PlanDecision[] = []
  const slow = new PlanChoice((decision) => decisions.push(decision))
  t.same(run(slow, 10, { values: 2, generic: 3 }), [...Array(5).fill('values'), ...Array(5).fill('generic')])
  t.equal(slow.planning, 'values')
  t.same(decisions, [{ planning: 'values', valuesMs: 2, genericMs: 3 }])
  const quick = new PlanChoice((decision) => decisions.push(decision))
  run(quick, 10, { values: 2, generic: 2 })
  t.equal(quick.planning, 'generic', 'as fast without planning')
  t.same(decisions[1], { planning: 'generic', valuesMs: 2, genericMs: 2 })
  t.same(run(quick, 1000, { values: 2, generic: 2 }), Array(1000).fill('generic'), 'for good')
  t.equal(decisions.length, 2)
})

t.test('one run of a busy machine decides nothing', async (t) => {
  const choice = new PlanChoice()
  for (const ms of [2, 2, 900, 2, 2]) choice.record('values', ms)
  for (const ms of [1, 1, 20, 1, 1]) choice.record('generic', ms)
  t.equal(choice.planning, 'generic')
})

t.test('a generic plan that is far slower once is given up, and tried ever less often', async (t) => {
  const choice = new PlanChoice()
  run(choice, 5, { values: 1, generic: 1 })
  choice.record('generic', 13.1)
  t.equal(choice.planning, 'values', 'within the trial')
  for (const patience of [64, 128, 256]) {
    t.same(run(choice, patience, { values: 1, generic: 1 }), Array(patience).fill('values'))
    run(choice, 5, { values: 1, generic: 1 })
    t.equal(choice.planning, 'generic', 'it passed this time')
    choice.record('generic', 12.9)
    t.equal(choice.planning, 'generic', 'not far')
    choice.record('generic', 13.1)
    t.equal(choice.planning, 'values')
  }
})

t.test('runs that were sent before the choice changed count for their kind alone', async (t) => {
  const choice = new PlanChoice()
  run(choice, 5, { values: 1, generic: 1 })
  for (let i = 0; i < 20; i++) choice.record('values', 1)
  t.equal(choice.planning, 'generic')
  t.same(run(choice, 5, { values: 1, generic: 1 }), Array(5).fill('generic'))
  t.equal(choice.planning, 'generic')
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
