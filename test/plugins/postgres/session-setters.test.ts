import t from 'tap'
import type { Database, Statement } from '../../../core/doors/plugin.ts'
import { SessionSetters } from '../../../plugins/postgres/session/session-setters.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'

/** Sets something as no code of the database does, so that it shows whether the session was reset behind the call. */
const CALL: Statement = { name: 'call', text: "SELECT set_config('app.kept', 'x', false)", functionCall: true }
const OTHER: Statement = { ...CALL, name: 'other', functionCall: false }
const STILL: Statement = { name: 'still', text: 'SELECT 1', functionCall: true }
const SETTER = `CREATE FUNCTION fn_sets() RETURNS void LANGUAGE plpgsql AS $$ BEGIN SET app.kept = 'x'; END $$`

async function isLeft(database: Database): Promise<boolean> {
  const text = "SELECT coalesce(current_setting('app.kept', true), '')"
  return (await database.query({ name: null, text, readOnly: true }, [], null)).rows[0]?.[0] === 'x'
}

async function processOf(database: Database): Promise<unknown> {
  return (await database.query({ name: null, text: 'SELECT pg_backend_pid()', readOnly: true }, [], null)).rows[0]?.[0]
}

t.setTimeout(120_000)

t.test('the session is reset behind a call where code of the database may set something, and only there', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  for (const [sql, expected] of [
    ['', true],
    [SETTER, false],
  ] as const) {
    const database = await openDatabase(t, await createPostgresDatabase(t, { sql }), { config: { pool_max: 1 } })
    await database.query(CALL, [], null)
    t.equal(await isLeft(database), false, 'the first call comes before the catalog has been read')
    // Behind the read of the catalog, on the only connection.
    await database.query(CALL, [], null)
    await database.query(CALL, [], null)
    t.equal(await isLeft(database), expected, sql)
    await database.query(OTHER, [], null)
    t.equal(await isLeft(database), false, 'what is no call of svc is always followed by a reset')
  }
})

t.test('code that comes later is found, and sessions that it may have changed are not used again', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t)
  const database = await openDatabase(t, url, { config: { pool_max: 1 } })
  await until(async () => {
    await database.query(CALL, [], null)
    return isLeft(database)
  })
  const before = await processOf(database)
  await runOnServer(new URL(url).pathname.slice(1), SETTER)
  // The answer of the catalog is believed for a while, and a connection that is left stays as it is.
  await until(async () => {
    await database.query(STILL, [], null)
    return !(await isLeft(database))
  }, 60_000)
  t.not(await processOf(database), before, 'another session')
  await database.query(CALL, [], null)
  t.equal(await isLeft(database), false)
})

t.test('how often the catalog is read', async (t) => {
  const answers: (boolean | Error)[] = [false, new Error('away'), false, true, new Error('away'), true, false, true]
  let reads = 0
  let found = 0
  const setters = new SessionSetters({
    read: async () => {
      const answer = answers[reads++]
      if (answer instanceof Error) throw answer
      return answer!
    },
    onFound: () => {
      found++
    },
    oldMs: 5,
  })
  t.teardown(() => setters.close())
  const seen: (readonly [boolean, number])[] = []
  for (const _ of answers) {
    const before = reads
    await until(async () => {
      void setters.mayExist
      return reads > before
    })
    t.equal(setters.mayExist, setters.mayExist, 'one read at a time')
    t.equal(reads, before + 1)
    seen.push([setters.mayExist, found])
  }
  t.strictSame(seen, [
    [false, 0],
    [true, 0],
    [false, 0],
    [true, 1],
    [true, 1],
    [true, 1],
    [false, 1],
    [true, 2],
  ])
})
