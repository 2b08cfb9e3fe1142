import t from 'tap'
import type { Signal } from '../../../core/doors/plugin.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'

const SQL = `
CREATE TABLE ran (state text);
CREATE SEQUENCE runs;
CREATE FUNCTION fn_raise(state text) RETURNS int LANGUAGE plpgsql AS $$
BEGIN PERFORM nextval('runs'); RAISE EXCEPTION 'as asked' USING ERRCODE = state; END $$;
CREATE FUNCTION fn_unknown() RETURNS int LANGUAGE plpgsql AS $$
BEGIN PERFORM nextval('runs'); EXECUTE 'EXECUTE never_prepared'; RETURN 1; END $$;
CREATE FUNCTION fn_twice() RETURNS int LANGUAGE plpgsql AS $$
BEGIN PERFORM nextval('runs'); EXECUTE 'PREPARE mine AS SELECT 1'; EXECUTE 'PREPARE mine AS SELECT 1'; RETURN 1; END $$;
`

t.test('errors that a function raises say nothing of the connection', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })

  for (const pool_max of [1, 4]) {
    await t.test(`classes 08 and 57P, pool_max ${pool_max}`, async (t) => {
      const database = await openDatabase(t, url, { config: { pool_max, pool_min: 0 } })
      await database.ping()
      for (const readOnly of [true, false]) {
        for (let i = 0; i < pool_max * 2; i++) {
          for (const state of ['08000', '57P01']) {
            const raise = { name: `raise_${readOnly}`, text: 'SELECT fn_raise($1)', readOnly }
            await t.rejects(database.query(raise, [state], null), { code: state, severity: 'ERROR' })
            const inTransaction = database.transaction((session) => session.query(raise, [state]), {})
            await t.rejects(inTransaction, { code: state, severity: 'ERROR' })
          }
        }
      }
      t.strictSame((await database.query({ name: 'one', text: 'SELECT 1' }, [], null)).rows, [['1']])
      await database.close()
      t.equal(database.pool.connected, false, 'and closing ends')
    })
  }

  await t.test('prepared statements of its own: it runs once, and ours stay prepared', async (t) => {
    const signals: Signal[] = []
    const database = await openDatabase(t, url, {
      config: { pool_max: 1, pool_min: 0 },
      onSignal: (signal) => signals.push(signal),
    })
    const runs = async () =>
      Number((await database.query({ name: null, text: `SELECT nextval('runs')` }, [], null)).rows[0]![0])
    for (const [text, code] of [
      ['SELECT fn_unknown()', '26000'],
      ['SELECT fn_twice()', '42P05'],
      [`SELECT fn_raise('26000')`, '26000'],
      [`SELECT fn_raise('42P05')`, '42P05'],
    ] as const) {
      const statement = { name: `s${text.length}`, text }
      const before = await runs()
      await t.rejects(database.query(statement, [], null), { code })
      await t.rejects(
        database.transaction((session) => session.query(statement, []), {}),
        { code },
      )
      t.equal((await runs()) - before, 3, `${text} ran once each time`)
    }
    t.strictSame(signals, [])
  })
})
