import t from 'tap'
import type { DatabaseDriver, LentRow } from '../../../core/doors/driver.ts'
import pglite from '../../../plugins/pglite/index.ts'
import {
  isUneven,
  maySharePlace,
  recordDuration,
  SLOW_MS,
  StatementCosts,
} from '../../../plugins/postgres/costs/statement-costs.ts'
import postgres from '../../../plugins/postgres/index.ts'
import { createPglite, createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'

t.test('the cost of a statement is learnt in bounded memory', async (t) => {
  const costs = new StatementCosts(4, 20)
  const cost = costs.get('a')
  t.equal(costs.get('a'), cost)
  t.ok(cost.ms < SLOW_MS)
  recordDuration(cost, 200)
  t.ok(cost.ms > SLOW_MS, 'one surprise is enough')
  for (let i = 0; i < 50; i++) recordDuration(cost, 0.1)
  t.ok(cost.ms < SLOW_MS, 'and is forgotten in time')
  for (let i = 0; i < 5000; i++) costs.get(`n${i}`)
  t.not(costs.get('a'), cost)
})

t.test('one that is slow with some parameters only is known as such', async (t) => {
  const costs = new StatementCosts(4, 20)
  const uneven = costs.get('uneven')
  const even = costs.get('even')
  for (let i = 0; i < 40; i++) {
    recordDuration(uneven, i % 10 === 0 ? 5000 : 0.2)
    recordDuration(even, 80 + (i % 5) * 20)
  }
  t.ok(isUneven(uneven))
  t.notOk(isUneven(even))
  const write = costs.get('write')
  t.notOk(maySharePlace(write, false), 'a write that never ran')
  t.ok(maySharePlace(write, true))
  recordDuration(write, 0.2)
  t.ok(maySharePlace(write, false))
  write.stuck++
  t.notOk(maySharePlace(write, true), 'while one hangs')
})

t.test('statements that no API should have do no harm', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  // One connection: what a statement leaves it in, the next one finds.
  const url = await createPostgresDatabase(t, { sql: 'CREATE TABLE a (b int)' })
  const database = await openDatabase(t, url, { config: { pool_max: 1, pool_min: 0 } })
  await t.rejects(database.query({ name: null, text: 'COPY a FROM STDIN' }, [], null), { code: 'DATABASE_ERROR' })
  await t.rejects(database.query({ name: null, text: 'SELECT \0' }, [], null), { name: 'TypeError' })
  // One more than the protocol counts.
  const tooMany = Array.from({ length: 65_536 }, () => '1')
  await t.rejects(database.query({ name: null, text: 'SELECT 1' }, tooMany, null), { name: 'TypeError' })
  const most = tooMany.slice(1)
  const counted = `SELECT cardinality(ARRAY[${most.map((_, i) => `$${i + 1}`).join()}])`
  t.strictSame((await database.query({ name: null, text: counted }, most, null)).rows, [['65535']])
  // A null, no text at all, and characters of one to four bytes, a half one among them.
  const texts = [null, '', 'a', 'ä€𝄞', '\ud800']
  const { rows } = await database.query(
    { name: 'texts', text: 'SELECT $1::text, $2::text, $3::text, $4::text, $5::text' },
    texts,
    null,
  )
  t.strictSame(rows, [[null, '', 'a', 'ä€𝄞', '\ufffd']])
  t.strictSame((await database.query({ name: null, text: '' }, [], null)).rows, [])
  t.strictSame((await database.query({ name: null, text: 'COPY a TO STDOUT' }, [], null)).rows, [])
  t.strictSame((await database.query({ name: 'x', text: 'SELECT 1' }, [], null)).rows, [['1']])
})

t.test('a row as it lies in the buffer', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const database = await openDatabase(t, await createPostgresDatabase(t, { sql: 'CREATE TABLE a (b int)' }))
  const copy = (row: LentRow) => row.map((value) => (value === null ? null : value.toString()))
  const read = (text: string, parameters: readonly string[] = [], take: (row: LentRow) => unknown = copy) =>
    database.readRow!({ name: null, text, readOnly: true }, parameters, null, take)

  t.strictSame(await read(`SELECT 1, NULL, '', 'kürzer'`), ['1', null, '', 'kürzer'])
  const large = 'ä€𝄞"'.repeat(200_000)
  t.strictSame(await read(`SELECT 'small', $1::text, 'end', repeat('x', 40)`, [large]), [
    'small',
    large,
    'end',
    'x'.repeat(40),
  ])
  const kinds = await read(`SELECT 'short', repeat('x', 100)`, [], (row) => row.map((value) => typeof value))
  t.strictSame(kinds, ['string', 'object'], 'what is long stays bytes')

  t.equal(await read('SELECT 1 WHERE false'), null, 'no row')
  t.equal(await read('SELECT generate_series(1, 2)'), null, 'two rows')
  await t.rejects(read('SELECT 1 / 0'), { code: '22012' })
  await t.rejects(read('SELECT 1 / (2 - n) FROM generate_series(1, 2) n'), { code: '22012' }, 'an error after a row')
  const failing = () => {
    throw new RangeError('mine')
  }
  await t.rejects(read('SELECT 1', [], failing), { message: 'mine' })

  const many = Array.from({ length: 200 }, (_, n) =>
    read(`SELECT ${n}, repeat('${n},', ${n * 50})`).then((row) => t.strictSame(row, [`${n}`, `${n},`.repeat(n * 50)])),
  )
  const others = Array.from({ length: 50 }, async (_, n) => {
    const { rows } = await database.query({ name: null, text: `SELECT ${n} FROM generate_series(1, 500)` }, [], null)
    t.equal(rows.length, 500)
    t.strictSame(rows[499], [`${n}`])
  })
  await Promise.all([...many, ...others])
})

t.test('the plugins offer their drivers by URL', async (t) => {
  const drivers: DatabaseDriver[] = []
  const scope = { driver: (driver: DatabaseDriver) => drivers.push(driver) } as never
  await postgres.setup(scope, {})
  await pglite.setup(scope, { extensions: [] })
  const accepting = (url: string) => drivers.filter((driver) => driver.accepts(url)).map((driver) => driver.name)
  t.strictSame(accepting('postgres://localhost/a'), ['postgres'])
  t.strictSame(accepting('postgresql://localhost/a'), ['postgres'])
  t.strictSame(accepting('pglite:memory'), ['pglite'])
  t.strictSame(accepting('mysql://localhost/a'), [])
  const url = await createPglite(t)
  t.equal(await drivers[1]!.exists!(url, '/'), true)
  t.equal(await drivers[1]!.exists!('pglite:nowhere', t.testdir({})), false)
})
