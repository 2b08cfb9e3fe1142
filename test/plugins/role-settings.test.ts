import { randomBytes } from 'node:crypto'
import t from 'tap'
import { eachDatabase } from '../helpers/databases.ts'
import { openTestDatabase } from '../helpers/open-database.ts'

/** What `ALTER ROLE … SET` says holds for the statements that take on the role, as it would for its own sessions. */

await eachDatabase(t, async (t, test) => {
  const role = `svc_test_${randomBytes(6).toString('hex')}`
  const setUp = await openTestDatabase(t, test)
  await setUp.script(`CREATE ROLE ${role}; CREATE ROLE ${role}_other;
    ALTER ROLE ${role} SET statement_timeout = '300ms'; ALTER ROLE ${role} SET app.tier = 'gold=1';
    ALTER ROLE ${role} SET work_mem = '5MB'; ALTER ROLE ${role} SET timezone = 'Asia/Tokyo'; ALTER ROLE ${role} SET search_path = 'nowhere'`)
  const [[name] = []] = (await setUp.query({ name: null, text: 'SELECT current_database()' }, [], null)).rows
  await setUp.script(`ALTER ROLE ${role} IN DATABASE "${name}" SET work_mem = '7MB'`)
  t.teardown(async () => {
    const cleaner = await openTestDatabase({ ...t, teardown: () => {} } as never, test)
    await cleaner.script(`DROP ROLE ${role}; DROP ROLE ${role}_other`)
    await cleaner.close()
  })
  await setUp.close()
  const database = await openTestDatabase(t, test)
  const as = (value: string) => [
    { name: 'app.tenant', value: '1' },
    { name: 'role', value },
  ]
  const text = `SELECT current_setting('work_mem'), current_setting('app.tier', true), current_setting('TimeZone'),
    current_setting('search_path') = 'nowhere', current_setting('app.tenant')`
  const seen = { name: null, text, readOnly: true }
  const expected = [['7MB', 'gold=1', 'UTC', 'f', '1']]

  await t.test('for reads, writes, transactions and streams', async (t) => {
    t.same((await database.query(seen, [], null, as(role))).rows, expected)
    t.same((await database.query({ ...seen, readOnly: false }, [], null, as(role))).rows, expected)
    t.same((await database.transaction((session) => session.query(seen, []), { settings: as(role) })).rows, expected)
    const rows: unknown[] = []
    for await (const batch of database.stream(seen, [], { cancel: null, batchSize: 10, settings: as(role) }))
      rows.push(...batch)
    t.same(rows, expected)
  })

  await t.test('for no other role, and not behind the request', async (t) => {
    const [[memory, tier] = []] = (await database.query(seen, [], null, as(`${role}_other`))).rows
    t.notSame(memory, '7MB')
    t.notOk(tier)
    const { rows } = await database.query({ name: null, text: "SELECT current_setting('work_mem')" }, [], null)
    t.notSame(rows, [['7MB']])
  })

  await t.test('settings of the request override those of the role', async (t) => {
    const settings = [{ name: 'work_mem', value: '9MB' }, ...as(role)]
    t.equal((await database.query(seen, [], null, settings)).rows[0]?.[0], '9MB')
  })

  if (test.kind === 'postgres') {
    await t.test('statement_timeout ends what takes longer', async (t) => {
      const nap = { name: 'nap', text: 'SELECT pg_sleep(5)', readOnly: true }
      const started = performance.now()
      await t.rejects(database.query(nap, [], null, as(role)), { code: '57014' })
      t.ok(performance.now() - started < 4000)
    })
  }
})
