import t from 'tap'
import type { Setting } from '../../../core/doors/driver.ts'
import { createPglite, openDatabase } from '../../helpers/databases.ts'
import { SQL, settingsOf } from '../session-settings.ts'

t.test('a setting that a function makes is gone when the next statement runs', async (t) => {
  const url = await createPglite(t, { sql: SQL })
  for (const prepared_statements of [true, false]) {
    await t.test(`prepared_statements ${prepared_statements}`, async (t) => {
      const database = await openDatabase(t, url, { config: { prepared_statements } })
      const before = await settingsOf(database)
      t.equal(before[0], 'UTC')
      const set = { name: 'set', text: 'SELECT fn_set()' }
      for (let i = 0; i < 3; i++) {
        const [written, ...after] = await Promise.all([
          database.query(set, [], null),
          ...Array.from({ length: 3 }, () => settingsOf(database)),
        ])
        t.strictSame(written.rows, [['1']], 'its own row, and no other')
        for (const settings of after) t.strictSame(settings, before, 'a write')
      }
      await database.query({ name: null, text: set.text }, [], null)
      t.strictSame(await settingsOf(database), before, 'a write that is not prepared')
      const local: readonly Setting[] = [{ name: 'app.user', value: 'local' }]
      await database.query(set, [], null, local)
      t.strictSame(await settingsOf(database), before, 'a write with settings')
      await database.transaction((session) => session.query(set, []), { settings: local })
      t.strictSame(await settingsOf(database), before, 'a transaction')
      await database.script(`SET TimeZone TO 'Asia/Tokyo'; SET ROLE pg_monitor`)
      t.strictSame(await settingsOf(database), before, 'a script')
      await t.rejects(database.script('BEGIN; SET search_path TO pg_catalog; SELECT 1/0'))
      t.strictSame(await settingsOf(database), before, 'a script that fails in its transaction')
      await t.rejects(database.query({ name: 'fails', text: 'SELECT fn_set(), 1/0' }, [], null), { code: '22012' })
      t.strictSame(await settingsOf(database), before, 'a write that fails')
      await database.query({ name: 'pass', text: 'SELECT fn_pass()' }, [], null)
      t.strictSame(await settingsOf(database), before, 'who it says it is')
      await database.query({ name: 'read', text: set.text, readOnly: true, resets: true }, [], null)
      t.strictSame(await settingsOf(database), before, 'a read of what may set something')
      await database.close()
    })
  }

  await t.test('triggers that wait for the end see the settings of their transaction', async (t) => {
    const database = await openDatabase(t, url)
    const insert = { name: 'insert', text: 'INSERT INTO work VALUES (1)' }
    const settings: readonly Setting[] = [{ name: 'app.user', value: 'ann' }]
    await database.query(insert, [], null, settings)
    await database.transaction((session) => session.query(insert, []), { settings })
    const { rows } = await database.query({ name: null, text: 'SELECT who FROM seen' }, [], null)
    t.strictSame(rows, [['ann'], ['ann']])
  })
})

t.test('a selective statement is planned with its values', async (t) => {
  const url = await createPglite(t)
  const text = "SELECT current_setting('plan_cache_mode') WHERE $1::text IS NOT NULL"
  for (const [mode, own] of [
    ['force_generic_plan', 'force_custom_plan'],
    ['auto', 'auto'],
  ] as const) {
    const database = await openDatabase(t, url, { config: { plan_cache_mode: mode } })
    const modeOf = async (statement: object) =>
      (await database.query({ name: null, text, readOnly: true, ...statement }, ['x'], null)).rows[0]?.[0]
    t.equal(await modeOf({ selective: true }), own)
    t.equal(await modeOf({ name: 'named', selective: true }), own)
    t.equal(await modeOf({ name: 'named' }), mode, 'for itself alone')
    await database.transaction(async (session) => {
      t.same((await session.query({ name: 'named', text, selective: true }, ['x'])).rows, [[own]])
    }, {})
    t.equal(await modeOf({}), mode)
    t.equal(database.planning?.({ name: null, text, selective: true }), mode === 'auto' ? null : 'values')
    t.equal(database.planning?.({ name: null, text }), null)
    await database.close()
  }
})
