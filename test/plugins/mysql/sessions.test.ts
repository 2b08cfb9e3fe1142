import t from 'tap'
import type { Session } from '../../../core/doors/driver.ts'
import { createCancellable } from '../../helpers/cancellable.ts'
import { onMariaDb, open, pause, read, single, until, write } from './open-mysql.ts'

const TABLE = 'CREATE TABLE post (nr INT AUTO_INCREMENT PRIMARY KEY, body VARCHAR(100));'
const INSERT = write("INSERT INTO post (body) VALUES ('x')")
const COUNT = 'SELECT COUNT(*) FROM post'

const SETTERS = `${TABLE}
DELIMITER //
CREATE PROCEDURE leak() BEGIN
  SET SESSION time_zone = '+05:00'; SET @leaked = 'yes'; SET SESSION tx_isolation = 'SERIALIZABLE'; SELECT 1 AS done;
END//
CREATE PROCEDURE leak_and_fail() BEGIN SET @leaked = 'yes'; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'No'; END//
CREATE FUNCTION leaking() RETURNS INT BEGIN SET SESSION time_zone = '+05:00'; SET @leaked = 'yes'; RETURN 1; END//
CREATE FUNCTION tenant() RETURNS VARCHAR(100) RETURN @\`app.tenant\`//
CREATE VIEW v_tenant AS SELECT tenant() AS tenant//
DELIMITER ;`

await onMariaDb(t, 'settings are seen by their statement and by no other', SETTERS, async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 2 } })
  const tenant = read('SELECT tenant, @`app.other` FROM v_tenant', 'tenant')
  const hostile = "x'; DROP TABLE post; -- \\"
  const settings = [
    { name: 'app.tenant', value: hostile },
    { name: 'app.other', value: 'y' },
  ]
  t.strictSame((await database.query(tenant, [], null, settings)).rows, [[hostile, 'y']])
  const after = await Promise.all(Array.from({ length: 10 }, () => database.query(tenant, [], null)))
  t.ok(after.every(({ rows }) => rows[0]![0] === null && rows[0]![1] === null))
  t.strictSame((await database.query(tenant, [], null, settings.slice(0, 1))).rows, [[hostile, null]])
  t.strictSame((await database.query(tenant, [], null, [{ name: 'App.Tenant', value: 'z' }])).rows, [['z', null]])
  await t.rejects(database.query(read('SELECT nothing'), [], null, settings), { code: '42703' })
  t.strictSame((await database.query(tenant, [], null)).rows, [[null, null]], 'also after an error')
  const inside = await database.transaction(
    async (session) => {
      await session.query(INSERT, [])
      return (await session.query(tenant, [])).rows
    },
    { settings },
  )
  t.strictSame(inside, [[hostile, 'y']])
  t.strictSame((await database.query(tenant, [], null)).rows, [[null, null]], 'also after a transaction')
  for await (const rows of database.stream(tenant, [], { cancel: null, batchSize: 5, settings })) {
    t.strictSame(rows, [[hostile, 'y']])
  }
  t.strictSame((await database.query(tenant, [], null)).rows, [[null, null]], 'also after a stream')
  await t.rejects(database.query(INSERT, [], null, [{ name: 'transaction_read_only', value: 'on' }]), { code: '25006' })
  await t.rejects(database.query(tenant, [], null, [{ name: 'role', value: 'admin' }]), { code: 'FORBIDDEN' })
})

await onMariaDb(t, 'what a routine sets is gone after its statement', SETTERS, async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 1 } })
  const state = async () =>
    (
      await database.query(
        read("SELECT @@time_zone, @leaked, @@tx_isolation, @@sql_mode LIKE '%ANSI_QUOTES%', @@collation_connection"),
        [],
        null,
      )
    ).rows[0]
  const clean = ['+00:00', null, 'READ-COMMITTED', '1', 'utf8mb4_bin']
  t.strictSame(await state(), clean)
  t.strictSame((await database.query(write('CALL leak()'), [], null)).rows, [['1']])
  t.strictSame(await state(), clean, 'by a procedure')
  await t.rejects(database.query(write('CALL leak_and_fail()'), [], null), { message: 'No' })
  t.strictSame(await state(), clean, 'by one that failed')
  await database.query({ ...read('SELECT leaking()'), resets: true }, [], null)
  t.strictSame(await state(), clean, 'by a function in a query')
  await database.transaction((session) => session.query({ ...read('SELECT leaking()'), resets: true }, []), {})
  t.strictSame(await state(), clean, 'in a transaction')
})

await onMariaDb(
  t,
  'reads cannot write, whatever they call',
  `${TABLE}
DELIMITER //
CREATE FUNCTION writes() RETURNS INT BEGIN INSERT INTO post (body) VALUES ('f'); RETURN 1; END//
DELIMITER ;`,
  async (t, url) => {
    const database = await open(t, url, { config: { pool_max: 1 } })
    await t.rejects(database.query(read('SELECT writes()'), [], null), { code: '25006' })
    await t.rejects(
      database.transaction((session) => session.query(write('SELECT writes()'), []), { readOnly: true }),
      {
        code: '25006',
      },
    )
    t.equal(await single(database, COUNT), '0')
    await database.query(write('SELECT writes()'), [], null)
    t.equal(await single(database, COUNT), '1')
  },
)

await onMariaDb(t, 'transactions', TABLE, async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 3 } })
  await t.test('a failed statement ends the transaction', async (t) => {
    let second: unknown
    const whole = database.transaction(async (session) => {
      await session.query(INSERT, [])
      await session.query(write('SELECT nothing'), []).catch(() => {})
      second = await session.query(INSERT, []).catch((error: unknown) => error)
    }, {})
    await t.rejects(whole, { code: 'TRANSACTION_FAILED' })
    t.match(second, { code: 'TRANSACTION_FAILED' })
    t.equal(await single(database, COUNT), '0')
  })
  await t.test('the session is over with the transaction', async (t) => {
    let kept: Session | undefined
    await database.transaction(async (session) => {
      kept = session
      await session.query(INSERT, [])
    }, {})
    await t.rejects(kept!.query(INSERT, []), { code: 'TRANSACTION_FAILED' })
    t.equal(await single(database, COUNT), '1')
  })
  await t.test('a statement sees what others have committed, and a snapshot does not', async (t) => {
    const seen = async (snapshot: boolean): Promise<readonly string[]> =>
      database.transaction(
        async (session) => {
          const count = async () => (await session.query(read(COUNT), [])).rows[0]![0]!
          const before = await count()
          await database.query(INSERT, [], null)
          return [before, await count()]
        },
        { snapshot },
      )
    t.strictSame(await seen(false), ['1', '2'])
    t.strictSame(await seen(true), ['2', '2'])
    t.strictSame(await seen(false), ['3', '4'], 'and the next transaction is as usual')
  })
  await t.test('a row that has changed since the snapshot is not written', async (t) => {
    const update = write("UPDATE post SET body = CONCAT(body, '!') ORDER BY nr LIMIT 1")
    const late = database.transaction(
      async (session) => {
        await session.query(read(COUNT), [])
        await database.query(update, [], null)
        await session.query(update, [])
      },
      { snapshot: true },
    )
    const error: unknown = await late.catch((thrown: unknown) => thrown)
    t.match(error, { code: '40001' })
    t.ok(database.dialect.errors.isTransient(error))
    t.equal(await single(database, 'SELECT body FROM post ORDER BY nr LIMIT 1'), 'x!')
  })
  await t.test('statements that are sent at once run one after the other', async (t) => {
    const rows = await database.transaction(
      (session) => Promise.all(['1', '2', '3'].map((n) => session.query(read('SELECT ?1'), [n]))),
      {},
    )
    t.strictSame(
      rows.map(({ rows: [row] }) => row![0]),
      ['1', '2', '3'],
    )
  })
  t.match(database.pool, { active: 0 })
})

await onMariaDb(t, 'an aborted statement is killed on the server', TABLE, async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 2 } })
  const watcher = await open(t, url)
  const sleeping = async () =>
    Number(
      await single(
        watcher,
        "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE '%SLEEP(3%' AND ID <> CONNECTION_ID()",
      ),
    )
  const runs: readonly (readonly [string, (cancel: ReturnType<typeof createCancellable>) => Promise<unknown>])[] = [
    ['a read', (cancel) => database.query(read('SELECT SLEEP(30)'), [], cancel)],
    ['a write', (cancel) => database.query(write('INSERT INTO post (body) SELECT SLEEP(31)'), [], cancel)],
    [
      'in a transaction',
      (cancel) =>
        database.transaction(
          async (session) => {
            await session.query(INSERT, [])
            await session.query(read('SELECT SLEEP(32)'), [])
          },
          { cancel },
        ),
    ],
    [
      'a stream',
      async (cancel) => {
        for await (const _ of database.stream(read('SELECT SLEEP(33)'), [], { cancel, batchSize: 10 }));
      },
    ],
  ]
  for (const [what, run] of runs) {
    const cancel = createCancellable()
    const running = run(cancel).catch((error: unknown) => error)
    await until(async () => (await sleeping()) === 1)
    const before = performance.now()
    cancel.abort('timeout')
    t.match(await running, { code: 'TIMEOUT' }, what)
    t.ok(performance.now() - before < 200, `${what}: at once`)
    await until(async () => (await sleeping()) === 0)
    await until(() => database.pool.active === 0)
  }
  t.equal(await single(database, COUNT), '0')
  t.equal(database.pool.idle, 1, 'its connection is used again')
})

await onMariaDb(t, 'a kill that comes too late hits no other statement', TABLE, async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 2 } })
  const failures: unknown[] = []
  for (let i = 0; i < 100; i++) {
    const cancel = createCancellable()
    const quick = database.query(read('SELECT SLEEP(0.001)'), [], cancel).catch(() => {})
    setTimeout(() => cancel.abort('client'), i % 4)
    await quick
    await database.query(read('SELECT SLEEP(0.001)'), [], null).catch((error: unknown) => failures.push(error))
  }
  t.strictSame(failures, [])
})

await onMariaDb(t, 'a slow consumer of a stream makes the server wait', '', async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 2 } })
  const before = process.memoryUsage().rss
  const rows = read("SELECT seq, REPEAT('x', 1000) FROM seq_1_to_300000")
  let count = 0
  for await (const batch of database.stream(rows, [], { cancel: null, batchSize: 500 })) {
    t.ok(batch.length <= 500) || t.fail('a batch is too large')
    count += batch.length
    if (count % 20_000 < 500) await pause(20)
  }
  t.equal(count, 300_000)
  t.ok(process.memoryUsage().rss - before < 150e6, 'rows are not piled up')
  const left = database.stream(rows, [], { cancel: null, batchSize: 500 })
  for await (const _ of left) break
  await until(() => database.pool.active === 0)
  t.equal(await single(database, 'SELECT 1'), '1')
})

await onMariaDb(t, 'results have limits', '', async (t, url) => {
  const database = await open(t, url, { maxResultBytes: 10_000, config: { pool_max: 1 } })
  const large = read("SELECT REPEAT('x', 1000) FROM seq_1_to_100")
  await t.rejects(database.query(large, [], null), { code: 'VALIDATION_ERROR', message: /max_response_bytes/ })
  t.equal(await single(database, 'SELECT 1'), '1')
  const cut = read("SELECT CONCAT('[', COALESCE(REPEAT('x', @@max_allowed_packet + 1), ''), ']')")
  await t.rejects(database.query(cut, [], null), { code: 'VALIDATION_ERROR', message: /max_allowed_packet/ })
  t.equal(await single(database, "SELECT CONCAT('1', CAST('2x' AS SIGNED))"), '12', 'another warning is none')
  const long = 'WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 5000) SELECT COUNT(*) FROM s'
  t.equal(await single(database, long), '5000')
})

await onMariaDb(t, 'a script is what the command-line client makes of it', '', async (t, url) => {
  const database = await open(t, url)
  await database.script(`CREATE TABLE "x" (a INT);`).then(
    () => t.fail('the quotes of the server'),
    () => {},
  )
  await database.script(`
    CREATE TABLE one (a VARCHAR(10) DEFAULT "it's;"); -- ; delimiter
    DELIMITER $$
    CREATE PROCEDURE two() BEGIN INSERT INTO one VALUES ('\\';'); SELECT a FROM one; END$$
    DELIMITER ;
    CALL two();
    CREATE PROCEDURE three() BEGIN IF 1 THEN SELECT 3 AS n; END IF; END;
    INSERT INTO one () VALUES ();`)
  t.strictSame((await database.query(read('SELECT a FROM one ORDER BY a'), [], null)).rows, [["';"], ["it's;"]])
  t.strictSame((await database.query(write('CALL three()'), [], null)).rows, [['3']])
  await t.rejects(database.script('CREATE TABLE kept (a INT); SELEC 1; CREATE TABLE never (a INT)'), { code: '42601' })
  const { allRelations } = await database.catalog({ relations: [], functions: [] })
  t.strictSame(allRelations, ['kept', 'one'])
})

await onMariaDb(
  t,
  'procedures answer with rows, OUT parameters, both or nothing',
  `
DELIMITER //
CREATE PROCEDURE rows_of(IN p_n INT) BEGIN SELECT 'first' AS a; SELECT seq AS n FROM seq_1_to_3 WHERE seq <= p_n; END//
CREATE PROCEDURE outs(IN p_a INT, OUT p_b INT, INOUT p_c VARCHAR(9)) BEGIN SET p_b = p_a + 1; SET p_c = CONCAT(p_c, '!'); END//
CREATE PROCEDURE nothing() BEGIN DO 1; END//
DELIMITER ;`,
  async (t, url) => {
    const database = await open(t, url)
    const call = (text: string, parameters: readonly (string | null)[] = []) =>
      database.query(write(text), parameters, null)
    t.strictSame(await call('CALL rows_of(?1)', ['2']), {
      rows: [['1'], ['2']],
      columns: [{ name: 'n', type: 'xid8' }],
    })
    t.strictSame(await call('CALL rows_of(?1)', ['0']), { rows: [], columns: [{ name: 'n', type: 'xid8' }] })
    t.strictSame(await call('CALL outs(?1, ?2, ?3)', ['1', null, 'c']), {
      rows: [['2', 'c!']],
      columns: [
        { name: 'p_b', type: 'int4' },
        { name: 'p_c', type: 'text' },
      ],
    })
    t.strictSame(await call('CALL nothing()'), { rows: [], columns: [] })
  },
)
