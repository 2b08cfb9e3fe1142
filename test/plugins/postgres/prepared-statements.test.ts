import t from 'tap'
import type { Signal } from '../../../core/doors/plugin.ts'
import { PreparedNames } from '../../../plugins/postgres/wire/prepared-names.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'

const READ = { name: 'read', text: 'SELECT $1::int' }

t.test('the names that are kept are bounded, and the used ones stay', async (t) => {
  const names = new PreparedNames(3)
  for (const name of ['a', 'b', 'c']) {
    t.equal(names.evict(), null)
    names.add(name)
  }
  names.get('a')
  t.equal(names.evict(), 'b')
  names.add('d')
  t.equal(names.evict(), 'c')
  t.equal(names.size, 2)
  t.ok(names.get('a'))
  t.ok(names.get('d'))
  names.add('e')
  t.equal(names.evict(), 'e', 'all others were used since')
})

t.test('behind a pooler', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t)

  await t.test(
    'a statement that the server does not know any more: prepared statements go off by themselves',
    async (t) => {
      const signals: Signal[] = []
      // One connection: what DEALLOCATE forgets is what the next statement relies on, however slow the machine is.
      const database = await openDatabase(t, url, {
        config: { pool_max: 1, pool_min: 0 },
        onSignal: (signal) => signals.push(signal),
      })
      await database.ping()
      await database.query(READ, ['1'], null)
      await database.query({ name: 'forget', text: 'DEALLOCATE ALL' }, [], null)
      const answers = await Promise.all(['2', '3', '4'].map((value) => database.query(READ, [value], null)))
      t.strictSame(
        answers.map(({ rows }) => rows[0]![0]),
        ['2', '3', '4'],
      )
      t.strictSame(
        signals.map((signal) => signal.type),
        ['prepared-statements-off'],
      )
      t.match(signals[0], { reason: /database\.prepared_statements = false/ })
    },
  )

  await t.test('the same as the first statement of a transaction', async (t) => {
    const signals: Signal[] = []
    const database = await openDatabase(t, url, {
      config: { pool_max: 1, pool_min: 0 },
      onSignal: (signal) => signals.push(signal),
    })
    const read = () =>
      database.transaction(async (session) => (await session.query(READ, ['5'])).rows, {
        settings: [{ name: 'app.x', value: 'y' }],
      })
    await read()
    await database.script('DEALLOCATE ALL')
    t.strictSame(await read(), [['5']])
    t.strictSame(
      signals.map((signal) => signal.type),
      ['prepared-statements-off'],
    )
  })
})
