import t from 'tap'
import { fromDatabaseError } from '../../../core/doors/driver.ts'
import { driverContract } from '../driver-contract.ts'
import { eachLibrary, open, read, single, write } from './open-sqlite.ts'

const SQL = `
CREATE TABLE post (nr INTEGER PRIMARY KEY, body TEXT);
CREATE TABLE thing (id INTEGER PRIMARY KEY, big BIGINT, code TEXT UNIQUE, price INT CONSTRAINT positive CHECK (price > 0),
  need TEXT NOT NULL DEFAULT '', fk_post INTEGER REFERENCES post);
CREATE TRIGGER tr_thing BEFORE INSERT ON thing WHEN new.code = 'refused' BEGIN
  SELECT RAISE(ABORT, 'Refused; by a trigger');
END;
CREATE TABLE strict_one (id INTEGER PRIMARY KEY) STRICT;`

await eachLibrary(t, 'values cross as text', async (t, library) => {
  const database = await open(t, { library, sql: SQL })
  t.equal(database.kind, 'sqlite')
  t.equal(database.dialect.name, 'sqlite')
  const { rows, columns } = await database.query(
    read(
      `SELECT 9223372036854775807 AS big, -9223372036854775808 AS small, 0.1 AS f, 1e300 * 1e300 AS inf, NULL AS none,
         x'00ff' AS bytes, x'' AS empty, '' AS blank, CAST(x'ff41' AS TEXT) AS broken, CAST(x'4180' AS TEXT) AS cut,
         'é€😀' AS text, 2 AS "1", 1 AS "0", 1 AS twice, 2 AS twice`,
    ),
    [],
    null,
  )
  t.strictSame(rows, [
    [
      '9223372036854775807',
      '-9223372036854775808',
      '0.1',
      'Infinity',
      null,
      '\\x00ff',
      '\\x',
      '',
      '\ufffdA',
      'A\ufffd',
      'é€😀',
      '2',
      '1',
      '1',
      '2',
    ],
  ])
  t.strictSame(columns.slice(0, 6), [
    { name: 'big', type: 'int8' },
    { name: 'small', type: 'int8' },
    { name: 'f', type: 'float8' },
    { name: 'inf', type: 'float8' },
    { name: 'none', type: 'text' },
    { name: 'bytes', type: 'bytea' },
  ])
  const huge = 'x'.repeat(5_000_000)
  t.equal(await single(database, 'SELECT ?1', [huge]), huge)
})

await eachLibrary(t, 'parameters', async (t, library) => {
  const database = await open(t, { library, sql: SQL })
  const many = await database.query(read('SELECT ?2, ?1, ?2, ?10'), ['a', 'b', ...'cdefghij'], null)
  t.strictSame(many.rows, [['b', 'a', 'b', 'j']])
  t.equal(
    await single(database, 'SELECT typeof(CAST(?1 AS INTEGER)) || CAST(?1 AS INTEGER)', ['9007199254740993']),
    'integer9007199254740993',
  )
  t.equal(await single(database, 'SELECT ?1 IS NULL', [null]), '1')
  t.strictSame((await database.query(read('SELECT value FROM json_each(?1)'), [['a"b', null, 'ü']], null)).rows, [
    ['a"b'],
    [null],
    ['ü'],
  ])
  await database.query(write('INSERT INTO thing (id, big) VALUES (1, ?1)'), ['9223372036854775807'], null)
  t.equal(await single(database, 'SELECT typeof(big) || big FROM thing'), 'integer9223372036854775807')
  await t.rejects(database.query(read('SELECT ?1'), [5 as never], null), { name: 'TypeError' })
  await t.rejects(database.query(read('SELECT ?1'), [[5] as never], null), { name: 'TypeError' })
  for (const value of ['a\0b', ['a\0b']]) {
    const failure = await database.query(read('SELECT ?1'), [value], null).catch(fromDatabaseError)
    t.match(failure, { code: 'BAD_USER_INPUT' }, 'NUL is in no text')
  }
})

await eachLibrary(t, 'failures are read like those of PostgreSQL', async (t, library) => {
  const database = await open(t, {
    library,
    sql: `${SQL} INSERT INTO post VALUES (1, 'x'); INSERT INTO thing (id, code, fk_post) VALUES (1, 'a', 1);`,
  })
  const failing = async (text: string, readOnly = false) =>
    fromDatabaseError(
      await database.query({ name: null, text, readOnly }, [], null).then(
        () => new Error('it ran'),
        (error) => error,
      ),
      { source: 'fn_x' },
    )
  for (const [sql, code, details, message] of [
    ["INSERT INTO thing (code) VALUES ('a')", 'CONFLICT', { column: 'code' }, /same value of "code"/],
    ['INSERT INTO post (nr) VALUES (1)', 'CONFLICT', { column: 'nr' }, /./],
    ['INSERT INTO thing (fk_post) VALUES (99)', 'CONSTRAINT_VIOLATION', undefined, /referred/],
    ['DELETE FROM post', 'CONSTRAINT_VIOLATION', undefined, /referred/],
    ['INSERT INTO thing (need) VALUES (NULL)', 'CONSTRAINT_VIOLATION', { column: 'need' }, /"need" is missing/],
    ['INSERT INTO thing (price) VALUES (-1)', 'CONSTRAINT_VIOLATION', { constraint: 'positive' }, /break a rule/],
    ["INSERT INTO thing (code) VALUES ('refused')", 'INVALID_INPUT', undefined, 'Refused; by a trigger'],
    ["SELECT svc_raise('OUT_OF_STOCK', 'None left')", 'OUT_OF_STOCK', undefined, 'None left'],
    ["SELECT svc_raise('no code', 'None left')", 'INVALID_INPUT', { hint: 'no code' }, 'None left'],
    ["INSERT INTO strict_one VALUES ('x')", 'BAD_USER_INPUT', undefined, /./],
    ["SELECT json_extract('{', '$')", 'BAD_USER_INPUT', undefined, /./],
    ['SELECT * FROM nowhere', 'DATABASE_ERROR', undefined, /"fn_x" has changed/],
    ['SELECT missing FROM post', 'DATABASE_ERROR', undefined, /"fn_x" has changed/],
    ['SELEC 1', 'DATABASE_ERROR', undefined, /"fn_x" failed/],
    ['', 'DATABASE_ERROR', undefined, /./],
  ] as const) {
    const failure = await failing(sql)
    t.equal(failure.code, code, sql)
    t.strictSame(failure.details, details, sql)
    t.match(failure.message, message, sql)
  }
  t.match((await failing("INSERT INTO post VALUES (7, 'x')", true)).cause, { code: '25006' }, 'a reader does not write')
  t.equal(await single(database, 'SELECT 1'), '1', 'and all goes on')
})

await eachLibrary(t, 'prepared statements', async (t, library) => {
  const database = await open(t, { library, sql: SQL })
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => database.query(read('SELECT ?1 * 2', 'double'), [String(i)], null)),
  )
  t.strictSame(
    answers.map(({ rows }) => rows[0]![0]),
    Array.from({ length: 200 }, (_, i) => String(i * 2)),
  )
  t.strictSame(answers[0]!.columns, [], 'the columns of a prepared one are not asked for')
  for (let i = 0; i < 600; i++) {
    const { rows } = await database.query(read(`SELECT 'n${i % 300}'`, `many_${i % 300}`), [], null)
    if (rows[0]![0] !== `n${i % 300}`) t.fail(`statement ${i}`)
  }
  await database.script('CREATE VIEW v_moving AS SELECT 1 AS a')
  const moving = read('SELECT * FROM v_moving', 'moving')
  t.strictSame((await database.query(moving, [], null)).rows, [['1']])
  await database.script("DROP VIEW v_moving; CREATE VIEW v_moving AS SELECT 'x' AS a, 2 AS b")
  t.strictSame((await database.query(moving, [], null)).rows, [['x', '2']], 'a view that changed under it')
  await database.script('DROP VIEW v_moving')
  await t.rejects(database.query(moving, [], null), { code: '42P01' })
})

await eachLibrary(t, 'a result that is too large', async (t, library) => {
  const database = await open(t, { library, maxResultBytes: 1000 })
  const large = "SELECT printf('%.*c', 600, 'x') UNION ALL SELECT printf('%.*c', 600, 'y')"
  await t.rejects(database.query(read(large), [], null), { code: 'VALIDATION_ERROR', message: /1000 bytes/ })
  t.equal((await database.query(write(large), [], null)).rows.length, 2, 'a bound of reads alone')
})

await eachLibrary(t, 'scripts, plans, pings, functions', async (t, library) => {
  const database = await open(t, { library })
  await database.script(`
    CREATE TABLE a (n INTEGER); -- one; with a comment
    CREATE TRIGGER tr AFTER INSERT ON a BEGIN UPDATE a SET n = CASE WHEN n > 1 THEN n ELSE 2 END; INSERT INTO b VALUES ('x;y'); END;
    CREATE TABLE b (s TEXT); INSERT INTO a VALUES (1)`)
  t.equal(await single(database, 'SELECT n || s FROM a, b'), '2x;y')
  const half = 'CREATE TABLE c (n);\nINSERT INTO nowhere VALUES (1)'
  await t.rejects(database.script(half), { code: '42P01', position: String(half.indexOf('INSERT') + 1) })
  t.equal(await single(database, "SELECT count(*) FROM sqlite_schema WHERE name = 'c'"), '0', 'nothing of it is kept')
  await database.script('PRAGMA foreign_keys = OFF; BEGIN; CREATE TABLE d (n REFERENCES a); COMMIT')
  t.equal(await single(database, 'PRAGMA foreign_keys'), '1')
  await t.rejects(database.script('BEGIN; CREATE TABLE e (n); INSERT INTO nowhere VALUES (1)'), { code: '42P01' })
  await database.script('CREATE TABLE e (n)')
  t.match(JSON.parse(await database.explain(read('SELECT * FROM a WHERE n = ?1'), ['1'])), [
    { id: Number, parent: 0, detail: /SCAN/ },
  ])
  await database.ping()
  t.match(await single(database, 'SELECT svc_uuid()'), /^[\da-f]{8}-[\da-f]{4}-4/)
  t.equal(await single(database, "SELECT 'Ünder' REGEXP '^.n'"), '1')
  t.equal(await single(database, "SELECT 'Ünder' REGEXP '^n'"), '0')
  t.equal(await single(database, "SELECT NULL REGEXP '^n'"), null)
  await t.rejects(database.query(read("SELECT 'x' REGEXP '('"), [], null))
})

await eachLibrary(t, 'what every driver does', async (t, library) => {
  await driverContract(t, await open(t, { library }))
})
