import type pg from 'pg'
import t from 'tap'
import type { Setting } from '../../../core/doors/driver.ts'
import type { Signal, Statement } from '../../../core/doors/plugin.ts'
import { Connection } from '../../../plugins/postgres/wire/connection.ts'
import { connectClient } from '../../../plugins/postgres/wire/open-connection.ts'
import { RunningStatement } from '../../../plugins/postgres/wire/running-statement.ts'
import { SESSION_RESET } from '../../../plugins/postgres/wire/session-reset.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'

const ADD: Statement = { name: 'add', text: 'SELECT add($1::int)' }
const FAILS = '-1'
const SETTINGS: readonly Setting[] = [{ name: 'app.tenant', value: 'one' }]
const ANY_ROW = {
  maxBytes: Number.POSITIVE_INFINITY,
  refuse: () => false,
  takesRows: () => false,
  takeRow: () => {},
}

type Run = (value: string, settings?: readonly Setting[]) => Promise<unknown>

const SQL = `
  CREATE TABLE number (value int);
  CREATE FUNCTION add(value int) RETURNS int LANGUAGE plpgsql AS $$
  BEGIN
    IF value < 0 THEN RAISE EXCEPTION 'No.' USING HINT = 'REFUSED'; END IF;
    INSERT INTO number VALUES (value);
    RETURN value;
  END $$;`

t.test('a write that fails, and what is sent behind it before the server has said so', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const name = new URL(url).pathname.slice(1)

  await t.test('writes with session variables: their connection stays', async (t) => {
    const signals: Signal[] = []
    const database = await openDatabase(t, url, {
      config: { pool_max: 8, pool_min: 0 },
      onSignal: (signal) => signals.push(signal),
    })
    // On connections of its own, until it is known to be small: those that are shared know nothing of it yet.
    for (let i = 0; i < 8; i++) await database.query(ADD, ['1'], null)
    await runOnServer(name, 'TRUNCATE number')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 24 }, (_, index) =>
        index % 3 === 0 ? database.query(ADD, [FAILS], null) : database.query(ADD, [String(index)], null, SETTINGS),
      ),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    t.equal(refused.length, 8)
    for (const { reason } of refused) t.match(reason, { code: 'P0001' }, 'the failing ones alone, with what they raise')
    t.match(await runOnServer(name, 'SELECT count(*)::int, count(DISTINCT value)::int AS values FROM number'), [
      { count: 16, values: 16 },
    ])
    t.strictSame(signals, [])
  })

  /** One connection that nobody else has, and what the server has said to its writes. */
  async function connect(
    t: TestLike,
  ): Promise<{ connection: Connection; client: pg.Client; run: Run; errors: unknown[] }> {
    const { client, reported } = await connectClient([{ connectionString: url }], ANY_ROW)
    const connection = new Connection(client, reported, { on: true })
    t.teardown(() => connection.close())
    const errors: unknown[] = []
    const run: Run = (value, settings) =>
      new Promise((resolve) => {
        const running = new RunningStatement(ADD, [value], null, resolve, resolve)
        running.reset = settings === undefined ? 'within' : 'behind'
        if (settings !== undefined) running.settings = settings
        running.retry = (_, error) => {
          errors.push((error as { code?: unknown }).code)
          return false
        }
        connection.run(running, performance.now())
      })
    return { connection, client, run, errors }
  }

  await t.test('first on its connection, and one with session variables behind it', async (t) => {
    const { connection, run, errors } = await connect(t)
    const [, second, third] = await Promise.all([run(FAILS), run('2', SETTINGS), run('3')])
    t.match(second, { rows: [[/^2$/]] })
    t.match(third, { rows: [[/^3$/]] })
    t.strictSame(errors, ['P0001'])
    t.equal(connection.broken, false)
  })

  await t.test('the same write again: none is answered with 26000', async (t) => {
    const { connection, client, run, errors } = await connect(t)
    await run('1')
    // Other statements have pushed out what takes the settings back, and not yet the write.
    for (const { name } of SESSION_RESET) {
      connection.names.drop(name!)
      await client.query(`DEALLOCATE ${name}`)
    }
    const [, , third] = await Promise.all([run(FAILS), run(FAILS), run('2')])
    t.match(third, { rows: [[/^2$/]] })
    t.strictSame(errors, ['P0001', 'P0001'], 'an unknown one would switch prepared statements off for the process')
  })
})
