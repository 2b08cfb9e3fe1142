import t from 'tap'
import type { Setting } from '../../../core/doors/driver.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'
import { SQL, settingsOf } from '../session-settings.ts'

t.test('a setting that a function makes is gone when the next statement runs', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  // One connection, and one that is shared beside one that is not.
  for (const pool_max of [1, 2]) {
    await t.test(`pool_max ${pool_max}`, async (t) => {
      const database = await openDatabase(t, url, { config: { pool_max, pool_min: 0 } })
      const before = await settingsOf(database)
      t.equal(before[0], 'UTC')
      const set = { name: 'set', text: 'SELECT fn_set()' }
      for (let i = 0; i < 3; i++) {
        // Sent at once: what comes behind it on its connection is on its way already.
        const [, ...after] = await Promise.all([
          database.query(set, [], null),
          ...Array.from({ length: 5 }, () => settingsOf(database)),
        ])
        for (const settings of after) t.strictSame(settings, before, 'a write')
      }
      // More statements than a connection keeps prepared: the reset is pushed out by them, and prepared again.
      const names = Array.from({ length: 300 }, (_, n) => `other_${n}`)
      for (const name of names) await database.query({ name, text: 'SELECT 1', readOnly: true }, [], null)
      for (const name of ['first', 'second', 'third']) {
        await database.query({ name, text: 'SELECT fn_set_own()' }, [], null)
        t.strictSame(await settingsOf(database), before, 'a write whose reset was pushed out')
      }
      // No server reports this one, so nothing but the reset takes it back.
      const own = { name: 'set_own', text: 'SELECT fn_set_own()' }
      await database.query(own, [], null)
      t.strictSame(await settingsOf(database), before, 'a setting that is not reported')
      await database.transaction((session) => session.query(own, []), {})
      t.strictSame(await settingsOf(database), before, 'the same in a transaction')
      await database.query({ name: null, text: set.text }, [], null)
      t.strictSame(await settingsOf(database), before, 'a write that is not prepared')
      const local: readonly Setting[] = [{ name: 'app.user', value: 'local' }]
      await database.query(set, [], null, local)
      t.strictSame(await settingsOf(database), before, 'a write with settings')
      await database.transaction((session) => session.query(set, []), { settings: local })
      t.strictSame(await settingsOf(database), before, 'a transaction')
      await database.script(`SET TimeZone TO 'Asia/Tokyo'; SET ROLE pg_monitor`)
      t.strictSame(await settingsOf(database), before, 'a script')
      for (const settings of [undefined, local]) {
        const read = { name: 'read', text: set.text, readOnly: true, resets: true }
        const [, ...after] = await Promise.all([
          database.query(read, [], null, settings),
          ...Array.from({ length: 5 }, () => settingsOf(database)),
        ])
        for (const found of after) t.strictSame(found, before, 'a read of what may set something')
      }
      await t.rejects(database.script('BEGIN; SELECT 1/0'))
      t.strictSame(await settingsOf(database), before, 'a script that fails in its transaction')
    })
  }

  await t.test('a read, and who it says it is: the connection is given up', async (t) => {
    const database = await openDatabase(t, url, { config: { pool_max: 2, pool_min: 0 } })
    const before = await settingsOf(database)
    for (const [text, readOnly] of [
      ['SELECT zone FROM v_zone', true],
      ['SELECT fn_pass()', false],
    ] as const) {
      const set = { name: `by${text.length}`, text, readOnly }
      for (let i = 0; i < 2; i++) {
        const [, ...after] = await Promise.all([
          database.query(set, [], null),
          ...Array.from({ length: 5 }, () => settingsOf(database)),
        ])
        for (const settings of after) t.strictSame(settings, before, text)
      }
    }
    await until(() => database.pool.active === 0)
  })

  await t.test('triggers that wait for the end see the settings of their transaction', async (t) => {
    const database = await openDatabase(t, url, { config: { pool_max: 2, pool_min: 0 } })
    const insert = { name: 'insert', text: 'INSERT INTO work VALUES (1)' }
    const settings: readonly Setting[] = [{ name: 'app.user', value: 'ann' }]
    await database.query(insert, [], null, settings)
    await database.transaction((session) => session.query(insert, []), { settings })
    const name = new URL(url).pathname.slice(1)
    t.strictSame(await runOnServer(name, 'SELECT who FROM seen'), [{ who: 'ann' }, { who: 'ann' }])
  })
})
