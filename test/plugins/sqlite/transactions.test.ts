import t from 'tap'
import { fromDatabaseError } from '../../../core/doors/driver.ts'
import { createCancellable } from '../../helpers/cancellable.ts'
import { eachLibrary, open, read, single, write } from './open-sqlite.ts'

const SQL = 'CREATE TABLE post (nr INTEGER PRIMARY KEY, body TEXT)'

await eachLibrary(t, 'settings are seen by their statement and by no other', async (t, library) => {
  const database = await open(t, { library, sql: SQL })
  const tenant = read("SELECT svc_setting('app.tenant')", 'tenant')
  const hostile = `x'; DROP TABLE post; --`
  t.strictSame((await database.query(tenant, [], null, [{ name: 'app.tenant', value: hostile }])).rows, [[hostile]])
  const after = await Promise.all(Array.from({ length: 8 }, () => database.query(tenant, [], null)))
  t.ok(after.every(({ rows }) => rows[0]![0] === null))
  const inside = await database.transaction(
    async (session) => {
      await session.query(write("INSERT INTO post (body) VALUES (svc_setting('app.tenant'))"), [])
      return (await session.query(tenant, [])).rows
    },
    { settings: [{ name: 'app.tenant', value: 'acme' }] },
  )
  t.strictSame(inside, [['acme']])
  t.equal(await single(database, 'SELECT body FROM post'), 'acme')
  t.strictSame((await database.query(write("SELECT svc_setting('app.tenant')"), [], null)).rows, [[null]])

  const each = read(
    `WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT svc_setting('app.tenant') FROM n`,
  )
  const seen: (string | null)[] = []
  const settings = [{ name: 'app.tenant', value: 'bolt' }]
  for await (const rows of database.stream(each, [], { cancel: null, batchSize: 1, settings })) {
    for (const [value] of rows) seen.push(value!)
    t.equal(
      await single(database, "SELECT coalesce(svc_setting('app.tenant'), 'none')"),
      'none',
      'nobody else meanwhile',
    )
  }
  t.strictSame(seen, ['bolt', 'bolt', 'bolt', 'bolt'], 'all rows of a stream')
  for await (const rows of database.stream(each, [], { cancel: null, batchSize: 9 })) {
    t.ok(rows.every(([value]) => value === null))
  }
})

await eachLibrary(t, 'transactions', async (t, library) => {
  const database = await open(t, { library, sql: SQL })
  const count = () => single(database, 'SELECT count(*) FROM post')
  const insert = write("INSERT INTO post VALUES (?1, 'x') RETURNING nr", 'insert')
  const rows = await database.transaction(async (session) => {
    const all = await Promise.all(['1', '2', '3'].map((nr) => session.query(insert, [nr])))
    return all.map((result) => result.rows[0]![0])
  }, {})
  t.strictSame(rows, ['1', '2', '3'], 'statements that are started at once run in order')
  t.equal(await count(), '3')
  const thrown = new Error('no')
  const failing = database.transaction(async (session) => {
    await session.query(insert, ['4'])
    throw thrown
  }, {})
  t.equal(await failing.catch((error) => error), thrown)
  await t.rejects(
    database.transaction((session) => session.query(insert, ['1']), {}),
    { code: '23505' },
  )
  await t.rejects(
    database.transaction(async (session) => {
      await session.query(insert, ['5'])
      await session.query(insert, ['5']).catch(() => {})
    }, {}),
    { code: 'TRANSACTION_FAILED' },
    'a failure that was swallowed does not pass for a commit',
  )
  await t.rejects(
    database.transaction((session) => session.query(insert, ['6']), { readOnly: true }),
    { code: '25006' },
  )
  t.equal(await count(), '3')
  t.equal(await database.transaction(async () => 'nothing to do', {}), 'nothing to do')
  const kept = await database.transaction(async (session) => ({ session }), {})
  await t.rejects(kept.session.query(insert, ['7']), { code: 'TRANSACTION_FAILED' })

  await database.script('CREATE TABLE late (fk INTEGER REFERENCES post DEFERRABLE INITIALLY DEFERRED)')
  const late = database.transaction((session) => session.query(write('INSERT INTO late VALUES (99)'), []), {})
  t.match(
    fromDatabaseError(await late.catch((error) => error)),
    { code: 'CONSTRAINT_VIOLATION' },
    'a commit that fails',
  )
  await database.query(insert, ['8'], null)
  t.equal(await single(database, 'SELECT count(*) FROM late'), '0')
})

await eachLibrary(t, 'work that is aborted before it starts does not start', async (t, library) => {
  const database = await open(t, { library, sql: SQL })
  const gone = createCancellable()
  gone.abort('client')
  await t.rejects(database.query(write('INSERT INTO post VALUES (77, NULL)'), [], gone), {
    code: 'TIMEOUT',
    message: /client/,
  })
  await t.rejects(
    database.transaction(async () => t.fail('does not start'), { cancel: gone }),
    { code: 'TIMEOUT' },
  )
  const late = createCancellable()
  const half = database.transaction(
    async (session) => {
      await session.query(write('INSERT INTO post VALUES (77, NULL)'), [])
      late.abort()
      await session.query(write('INSERT INTO post VALUES (78, NULL)'), [])
    },
    { cancel: late },
  )
  await t.rejects(half, { code: 'TIMEOUT' })
  t.equal(await single(database, 'SELECT count(*) FROM post'), '0')
  const fine = createCancellable()
  await database.query(read('SELECT 1'), [], fine)
  t.notOk(fine.isWatched, 'nobody listens any more')
})
