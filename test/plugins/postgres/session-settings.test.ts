import t from 'tap'
import type { Database, Setting } from '../../../core/index.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'

const SETTINGS: Readonly<Record<string, string>> = {
  TimeZone: 'Asia/Tokyo',
  IntervalStyle: 'iso_8601',
  DateStyle: 'German, DMY',
  search_path: 'pg_catalog',
  default_transaction_read_only: 'on',
  'app.user': 'somebody',
  role: 'pg_monitor',
}
const SET = Object.entries(SETTINGS).map(([name, value]) => `PERFORM set_config('${name}', '${value}', false);`)
const SQL = `
CREATE FUNCTION fn_set() RETURNS int LANGUAGE plpgsql AS $$ BEGIN ${SET.join(' ')} RETURN 1; END $$;
CREATE FUNCTION fn_set_zone() RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT set_config('TimeZone', 'Asia/Tokyo', false) $$;
CREATE FUNCTION fn_pass() RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT set_config('session_authorization', 'pg_monitor', false) $$;
CREATE VIEW v_zone AS SELECT fn_set_zone() AS zone;
CREATE TABLE seen (who text);
CREATE TABLE work (n int);
CREATE FUNCTION tr_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO seen VALUES (current_setting('app.user', true)); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER tr_work AFTER INSERT ON work DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tr_seen();
`
const NAMES = Object.keys(SETTINGS)
const READ = {
  name: 'settings',
  text: `SELECT ${NAMES.map((name) => `current_setting('${name}', true)`).join(', ')}, current_user, session_user`,
  readOnly: true,
}
const settingsOf = async (database: Database) => {
  const row = (await database.query(READ, [], null)).rows[0]!
  // A setting of one's own that is reset is empty instead of not there.
  return row.map((value) => value ?? '')
}

t.test('what a function sets is gone when the next statement runs', async (t) => {
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
      await database.query({ name: null, text: set.text }, [], null)
      t.strictSame(await settingsOf(database), before, 'a write that is not prepared')
      const local: readonly Setting[] = [{ name: 'app.user', value: 'local' }]
      await database.query(set, [], null, local)
      t.strictSame(await settingsOf(database), before, 'a write with settings')
      await database.transaction((session) => session.query(set, []), { settings: local })
      t.strictSame(await settingsOf(database), before, 'a transaction')
      await database.script(`SET TimeZone TO 'Asia/Tokyo'; SET ROLE pg_monitor`)
      t.strictSame(await settingsOf(database), before, 'a script')
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
