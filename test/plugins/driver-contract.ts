import type { Database, Statement } from '../../core/doors/plugin.ts'
import { createCancellable } from '../helpers/cancellable.ts'
import type { TestLike } from '../helpers/services.ts'

export interface ContractOptions {
  /**
   * A table of the database with the integer column `n`, its primary key. Given, the driver only reads: what concerns
   * writes is left out, and each write has to fail.
   */
  readonly onlyReads?: string
}

/** What every driver does alike, whatever SQL its database speaks: the promises of `contract/database.ts`. */
export async function driverContract(
  t: TestLike,
  database: Database,
  { onlyReads }: ContractOptions = {},
): Promise<void> {
  const table = onlyReads ?? 'contract'
  const first = database.dialect.placeholder(1)
  const [text, integer] = database.dialect.name === 'mysql' ? ['char', 'signed'] : ['text', 'integer']
  const read = (sql: string, name: string | null = null): Statement => ({ name, text: sql, readOnly: true })
  const write = (sql: string): Statement => ({ name: null, text: sql })
  const rows = async (sql: string, parameters: readonly (string | null)[] = []) =>
    (await database.query(read(sql), parameters, null)).rows
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((done) => setTimeout(done, 5))
  }
  const create = 'CREATE TABLE contract (n INTEGER PRIMARY KEY, word TEXT NOT NULL)'
  if (onlyReads === undefined) await database.script(create)

  await t.test('contract: values cross as text, null as null, as they were', async (t) => {
    for (const word of ['', 'a"b\\c', "it's", 'é€😀', '\n\t', null]) {
      t.strictSame(await rows(`SELECT CAST(${first} AS ${text})`, [word]), [[word]], JSON.stringify(word))
    }
    const { columns } = await database.query(read('SELECT 1 AS one, NULL AS none'), [], null)
    t.strictSame(
      columns.map(({ name }) => name),
      ['one', 'none'],
    )
  })

  await t.test('contract: statements at once have each their own answer, named or not', async (t) => {
    for (const name of [null, 'contract_add']) {
      const add = read(`SELECT CAST(CAST(${first} AS ${integer}) + 1 AS ${text})`, name)
      const all = await Promise.all(Array.from({ length: 50 }, (_, i) => database.query(add, [String(i)], null)))
      t.strictSame(
        all.map(({ rows: [row] }) => row?.[0]),
        Array.from({ length: 50 }, (_, i) => String(i + 1)),
      )
    }
  })

  await t.test('contract: a failure is its own, and read by the dialect', async (t) => {
    const [good, bad] = await Promise.allSettled([
      database.query(read('SELECT 1'), [], null),
      database.query(read('SELECT * FROM nowhere_at_all'), [], null),
    ])
    t.equal(good.status, 'fulfilled')
    t.equal(bad.status, 'rejected')
    t.strictSame(await rows(`SELECT CAST(1 AS ${text})`), [['1']], 'and harms nobody')
  })

  if (onlyReads !== undefined) {
    await t.test('contract: a driver that only reads writes in no way', async (t) => {
      await t.rejects(database.script(create), 'a script')
      await t.rejects(database.query(write(create), [], null), 'a statement')
      await t.rejects(
        database.transaction((session) => session.query(write(create), []), {}),
        'a statement of a transaction',
      )
      const { relations } = await database.catalog({ relations: ['contract'], functions: [] })
      t.equal(relations.size, 0)
      let kept: Parameters<Parameters<Database['transaction']>[0]>[0] | undefined
      await t.rejects(
        database.transaction(async (session) => {
          kept = session
          const { rows } = await session.query(read(`SELECT CAST(1 AS ${text})`), [])
          t.strictSame(rows, [['1']])
          throw new Error('no')
        }, {}),
        { message: 'no' },
      )
      await t.rejects(async () => kept!.query(read('SELECT 1'), []), 'the session of a transaction that is over')
    })
  } else await writeContract(t, database)

  await t.test('contract: a stream gives batches in order, and returns its connection when it is closed', async (t) => {
    const series = `WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 2500) SELECT CAST(n AS ${text}) FROM s`
    const seen: (string | null)[] = []
    for await (const batch of database.stream(read(series), [], { cancel: null, batchSize: 100 })) {
      t.ok(batch.length <= 100)
      seen.push(...batch.map(([n]) => n!))
    }
    t.strictSame(
      seen,
      Array.from({ length: 2500 }, (_, i) => String(i + 1)),
    )
    for await (const _ of database.stream(read(series), [], { cancel: null, batchSize: 10 })) break
    const cancel = createCancellable()
    const left = database.stream(read(series), [], { cancel, batchSize: 10 })[Symbol.asyncIterator]()
    await left.next()
    cancel.abort('client')
    await t.rejects(left.next(), { code: 'TIMEOUT' })
    await until(() => database.pool.active === 0)
    await t.rejects(async () => {
      for await (const _ of database.stream(read('SELECT * FROM nowhere_at_all'), [], { cancel: null, batchSize: 1 }));
    })
    t.strictSame(await rows(`SELECT CAST(1 AS ${text})`), [['1']])
  })

  await t.test('contract: what is aborted before it begins does not begin', async (t) => {
    const cancel = createCancellable()
    cancel.abort('client')
    const insert = write("INSERT INTO contract (n, word) VALUES (9, 'x')")
    await t.rejects(database.query(insert, [], cancel), { code: 'TIMEOUT' })
    await t.rejects(
      database.transaction((session) => session.query(insert, []), { cancel }),
      { code: 'TIMEOUT' },
    )
    if (onlyReads === undefined) t.strictSame(await rows(`SELECT CAST(n AS ${text}) FROM contract WHERE n = 9`), [])
  })

  await t.test('contract: catalog, plan, ping', async (t) => {
    const { relations } = await database.catalog({ relations: [table, 'nowhere_at_all'], functions: [] })
    t.match(relations.get(table), { kind: 'table', primaryKey: [/^n$/] })
    t.equal(relations.get('nowhere_at_all'), undefined)
    t.ok(JSON.parse(await database.explain(read(`SELECT n FROM ${table}`), [])))
    await database.ping()
    t.match(database.pool, { active: 0, waiting: 0, connected: true })
  })
}

async function writeContract(t: TestLike, database: Database): Promise<void> {
  const first = database.dialect.placeholder(1)
  const [text, integer] = database.dialect.name === 'mysql' ? ['char', 'signed'] : ['text', 'integer']
  const rows = async (sql: string) => (await database.query({ name: null, text: sql, readOnly: true }, [], null)).rows
  await t.test('contract: a transaction is all or nothing, and over when it is over', async (t) => {
    const insert: Statement = {
      name: null,
      text: `INSERT INTO contract (n, word) VALUES (CAST(${first} AS ${integer}), 'x')`,
    }
    await database.transaction((session) => session.query(insert, ['1']), {})
    let kept: Parameters<Parameters<Database['transaction']>[0]>[0] | undefined
    const failing = database.transaction(async (session) => {
      kept = session
      await session.query(insert, ['2'])
      throw new Error('no')
    }, {})
    await t.rejects(failing, { message: 'no' })
    t.strictSame(await rows(`SELECT CAST(n AS ${text}) FROM contract`), [['1']])
    await t.rejects(async () => kept!.query(insert, ['3']))
    await t.rejects(database.transaction((session) => session.query(insert, ['4']), { readOnly: true }))
    t.strictSame(await rows(`SELECT CAST(n AS ${text}) FROM contract`), [['1']])
  })
}
