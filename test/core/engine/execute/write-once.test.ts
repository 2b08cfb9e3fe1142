import t from 'tap'
import type { Database } from '../../../../core/contract/database.ts'
import type { WriteOnce } from '../../../../core/contract/write-once.ts'
import { IDEMPOTENCY_TABLE } from '../../../../plugins/rest/idempotency/table.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { executeWorldOn } from '../../../helpers/execute-world.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { ITEMS, ITEMS_SQLITE } from '../../../schemas/items.ts'

/** `Operation.write.once`: the key of a write stands or falls with it, on every database. */

await eachDatabase(
  t,
  async (t, test) => {
    const opened = await openTestDatabase(t, test)
    /** Runs before the row of a key is read. */
    let beforeRead: (() => Promise<unknown>) | null = null
    const query: Database['query'] = async (statement, ...rest) => {
      if (statement.name === 'svc_once_read') await beforeRead?.()
      return opened.query(statement, ...rest)
    }
    const database = new Proxy(opened, {
      get(target, name) {
        if (name === 'query') return query
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await database.script(IDEMPOTENCY_TABLE.versions[0]!.sql[database.dialect.name]!)
    let hold: (() => Promise<void>) | null = null
    const world = await executeWorldOn(database, ITEMS.schema, {
      mutationHooks: {
        async before() {
          await hold?.()
        },
        after: () => {},
      },
    })
    const found: string[] = []
    const once = (key: string, more: Partial<WriteOnce> = {}): WriteOnce => ({
      table: IDEMPOTENCY_TABLE.name,
      key,
      fingerprint: 'one',
      ttlMs: 60_000,
      maxAnswerBytes: 10_000,
      found: (by) => void found.push(by),
      ...more,
    })
    const add = (key: string, names: readonly string[], more?: Partial<WriteOnce>) => {
      const roots = names.map((name, index) => `r${index}: add(name: "${name}") { id name }`)
      const operation = world.operation(`mutation { ${roots.join(' ')} }`)
      return world.resolve({ ...operation, write: { atomic: true, tell: true, once: once(key, more) } })
    }
    const names = async () => (await world.look('SELECT name FROM item ORDER BY id')).flat()
    t.beforeEach(async () => {
      found.length = 0
      world.events.length = 0
    })

    await t.test('the second write under a key is answered as the first, and not done', async (t) => {
      const first = await add('a', ['a', 'b'])
      t.same([first.errors, found, world.events.length], [null, [], 1])
      const second = await add('a', ['a', 'b'])
      t.same([second.data, second.errors, found], [first.data, null, ['done']])
      t.same(
        second.writes?.map(({ id, kind, entityId }) => [id, kind, entityId]),
        first.writes?.map(({ id, kind, entityId }) => [id, kind, entityId]),
        'with what it wrote',
      )
      t.equal(world.events.length, 1, 'its events went out with the first')
      t.same(await names(), ['a', 'b'])
      const other = await add('b', ['c'])
      t.same([other.errors, found], [null, ['done']], 'another key is another write')
    })

    await t.test('a key with another request is refused', async (t) => {
      const before = await names()
      const { data, errors } = await add('a', ['d'], { fingerprint: 'two' })
      t.same([data, errors?.map(({ code }) => code), found], [null, ['IDEMPOTENCY_CONFLICT'], ['other']])
      t.same(await names(), before)
    })

    await t.test('an answer that is larger than what is kept: the write stands, and a repeat says so', async (t) => {
      const first = await add('large', ['large'], { maxAnswerBytes: 20 })
      t.same([first.errors, found], [null, []], 'the first has its answer')
      const rows = await opened.query(
        { name: null, text: "SELECT answer FROM svc_idempotency WHERE id = 'large'", readOnly: true },
        [],
        null,
      )
      t.same(rows.rows, [[null]])
      const { data, errors } = await add('large', ['large'], { maxAnswerBytes: 20 })
      t.same(
        [data, errors?.map(({ code, details }) => [code, details?.outcome]), found],
        [null, [['CONFLICT', 'committed']], ['done']],
      )
      t.match(errors?.[0]?.message, /was committed, and its answer was too large to be kept/)
      t.same((await names()).filter((name) => name === 'large').length, 1, 'and is not done again')
      await add('bytes', ['ü'.repeat(5000)])
      const wide = await add('bytes', ['ü'.repeat(5000)])
      t.same(wide.errors?.[0]?.details?.outcome, 'committed', 'bytes are counted, not characters')
    })

    await t.test('a write that fails leaves its key free', async (t) => {
      const failed = await add('c', ['e', 'a'])
      t.same([failed.data, failed.errors?.map(({ code }) => code)], [null, ['CONFLICT']])
      t.same((await add('c', ['e'])).errors, null)
      t.same(found, [])
    })

    await t.test('a key that has ended counts no more', async (t) => {
      await add('d', ['f'], { ttlMs: -1 })
      t.same((await add('d', ['g'])).errors, null)
      t.same([found, (await names()).slice(-2)], [[], ['f', 'g']])
      t.same([(await add('d', ['g'])).errors, found], [null, ['done']], 'the new one does')
    })

    await t.test('a row that the sweep deletes before it is read makes room, too', async (t) => {
      await add('swept', ['k'], { ttlMs: -1 })
      beforeRead = () => opened.query({ name: null, text: 'DELETE FROM svc_idempotency', readOnly: false }, [], null)
      const { errors } = await add('swept', ['l'])
      beforeRead = null
      t.same([errors, found, (await names()).slice(-2)], [null, [], ['k', 'l']])
    })

    await t.test('of two at once one is done, and both have its answer', async (t) => {
      let second: ReturnType<typeof add> | null = null
      hold = async () => {
        hold = null
        second = add('e', ['h'])
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      const first = await add('e', ['h'])
      t.same((await second!).data, first.data)
      t.same([found, world.events.length], [['done'], 1])
      t.equal((await names()).filter((name) => name === 'h').length, 1)
    })

    await t.test('a write without a key runs no statement for one', async (t) => {
      world.log.length = 0
      await world.run('mutation { add(name: "i") { id } }')
      t.notOk(world.log.some((text) => text.includes('svc_idempotency')))
    })

    await t.test('a table that takes no row is an error without its name', async (t) => {
      await database.script('DROP TABLE svc_idempotency')
      const { data, errors } = await add('f', ['j'])
      t.same(
        [data, errors?.map(({ code, message }) => [code, message])],
        [null, [['INTERNAL_SERVER_ERROR', 'An internal error occurred.']]],
      )
      t.notOk((await names()).includes('j'))
    })
  },
  { sql: ITEMS.sql, sqlite: ITEMS_SQLITE },
)
