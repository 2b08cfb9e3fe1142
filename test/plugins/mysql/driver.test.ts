import t from 'tap'
import { fromDatabaseError } from '../../../core/doors/driver.ts'
import { driverContract } from '../driver-contract.ts'
import { onMariaDb, open, read, single, write } from './open-mysql.ts'

await onMariaDb(t, 'the contract of every driver', '', async (t, url) => {
  const database = await open(t, url)
  t.equal(database.kind, 'mysql')
  t.equal(database.dialect.name, 'mysql')
  await driverContract(t, database)
})

const VALUES = `
CREATE TABLE item (a TINYINT(1), b BIT(1), c BIT(5), d FLOAT, e BIGINT UNSIGNED, f JSON, g UUID, h DATETIME(3), i TIMESTAMP(6) NULL,
  j TIME(2), k YEAR, l ENUM('x', 'y'), m SET('x', 'y'), n BINARY(3), o BLOB, p TEXT, q DECIMAL(30, 10), r INT UNSIGNED, s DOUBLE,
  u BIGINT, v DATE, w TINYINT);
INSERT INTO item VALUES (2, b'1', b'10101', 0.1, 18446744073709551615, '{"a": 1.10}', 'ABCDEF00-0000-4000-8000-000000000001',
  '2024-02-29 10:11:12.340', '2024-02-29 10:11:12.345678', '-100:11:12.50', 2024, 'y', 'x,y', 'a', x'00ff', 'é€😀', 12345678901234567890.1, 4294967295,
  1e300, -9223372036854775808, '0001-02-03', -128);
INSERT INTO item (a, b, d) VALUES (0, b'0', 16777216);`

await onMariaDb(t, 'values cross as the text that PostgreSQL writes', VALUES, async (t, url) => {
  const database = await open(t, url)
  for (const name of [null, 'all_values']) {
    const { rows, columns } = await database.query(read('SELECT * FROM item', name), [], null)
    t.strictSame(rows[0], [
      't',
      't',
      '10101',
      '0.1',
      '18446744073709551615',
      '{"a": 1.10}',
      'abcdef00-0000-4000-8000-000000000001',
      '2024-02-29 10:11:12.34',
      '2024-02-29 10:11:12.345678+00',
      '-100:11:12.5',
      '2024',
      'y',
      'x,y',
      '\\x610000',
      '\\x00ff',
      'é€😀',
      '12345678901234567890.1000000000',
      '4294967295',
      '1e+300',
      '-9223372036854775808',
      '0001-02-03',
      '-128',
    ])
    t.strictSame(rows[1]!.slice(0, 5), ['f', 'f', null, '16777216', null])
    t.strictSame(
      columns.map(({ type }) => type),
      'bool bool bit float4 xid8 json uuid timestamp timestamptz time int2 text text bytea bytea text numeric int8 float8 int8 date int2'.split(
        ' ',
      ),
    )
  }
})

await onMariaDb(t, 'the session is set up', '', async (t, url) => {
  const database = await open(t, url)
  t.equal(
    await single(database, "SELECT 'a\\b' || \"x\" FROM (SELECT '\\' AS x) s"),
    'a\\b\\',
    'quotes of standard SQL',
  )
  t.equal(await single(database, 'SELECT @@time_zone'), '+00:00')
  t.equal(await single(database, 'SELECT @@collation_connection'), 'utf8mb4_bin')
  t.equal(await single(database, 'SELECT @@tx_isolation'), 'READ-COMMITTED')
  t.match(await single(database, 'SELECT @@sql_mode'), /STRICT_ALL_TABLES/)
})

await onMariaDb(t, 'parameters are used by their number, and sent as text', '', async (t, url) => {
  const database = await open(t, url)
  t.strictSame(
    (await database.query(read('SELECT ?2, \'?1\', ?1, "?1", ?2 FROM (SELECT 5 AS "?1") s'), ['a', 'b'], null)).rows,
    [['b', '?1', 'a', '5', 'b']],
  )
  t.equal(await single(database, "SELECT /* ?1 */ '''?1' -- ?1\n || ?1", ['x']), "'?1x")
  t.equal(
    await single(database, 'SELECT COUNT(*) FROM (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) s LIMIT ?1', ['2']),
    '3',
  )
  t.equal(
    await single(database, 'SELECT ?1', [['a"b', null, "c',d\\"]]),
    '["a\\"b",null,"c\',d\\\\"]',
    'a list is one JSON text',
  )
  t.equal(await single(database, 'SELECT ?1 IS NULL', [null]), '1')
  const huge = 'x'.repeat(5_000_000)
  t.equal(await single(database, 'SELECT ?1', [huge]), huge)
  await t.rejects(single(database, 'SELECT ?1', [5 as never]), { name: 'TypeError' })
  await t.rejects(single(database, 'SELECT ?1', ['a\0b']), { code: '22021' })
  await t.rejects(single(database, 'SELECT ?2', ['a']), { message: 'The statement has no parameter 2' })
  t.equal(await single(database, 'SELECT 1'), '1')
})

await onMariaDb(t, 'more statements than are kept prepared', '', async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 1 } })
  for (let i = 0; i < 1200; i++) {
    const { rows } = await database.query(read(`SELECT '${i % 600}'`, `many_${i % 600}`), [], null)
    if (rows[0]![0] !== String(i % 600)) t.fail(`statement ${i}`)
  }
  const kept = await single(
    database,
    "SELECT VARIABLE_VALUE FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Com_stmt_prepare'",
  )
  const closed = await single(
    database,
    "SELECT VARIABLE_VALUE FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Com_stmt_close'",
  )
  t.ok(Number(kept) >= 1200 && Number(kept) - Number(closed) <= 300, `${kept} prepared, ${closed} closed`)
})

await onMariaDb(t, 'without prepared statements, none stays on the server', '', async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 1, prepared_statements: false } })
  for (let i = 0; i < 20; i++)
    t.equal((await database.query(read('SELECT ?1', 'one'), [String(i)], null)).rows[0]![0], String(i))
  const status = async (name: string) =>
    Number(
      await single(
        database,
        `SELECT VARIABLE_VALUE FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = '${name}'`,
      ),
    )
  t.ok((await status('Com_stmt_prepare')) - (await status('Com_stmt_close')) <= 3)
})

await onMariaDb(t, 'a statement that the server forgot is prepared again', '', async (t, url) => {
  const database = await open(t, url, { config: { pool_max: 1 } })
  await database.query(read('SELECT ?1', 'one'), ['1'], null)
  await database.script('CREATE TABLE late (a INT)')
  await database.query(read('SELECT * FROM late', 'late'), [], null)
  await database.script('ALTER TABLE late ADD COLUMN b INT; INSERT INTO late VALUES (1, 2)')
  t.strictSame((await database.query(read('SELECT * FROM late', 'late'), [], null)).rows, [['1', '2']])
})

const RULES = `
CREATE TABLE post (nr INT PRIMARY KEY);
CREATE TABLE thing (id INT AUTO_INCREMENT PRIMARY KEY, code VARCHAR(10) UNIQUE, price INT, need VARCHAR(5) NOT NULL, fk_post INT,
  size ENUM('s', 'm'), CONSTRAINT positive CHECK (price > 0), CONSTRAINT fk_of_post FOREIGN KEY (fk_post) REFERENCES post (nr));
INSERT INTO post VALUES (1);
INSERT INTO thing (code, price, need, fk_post) VALUES ('it''s', 1, 'x', 1);
DELIMITER //
CREATE PROCEDURE refuse(IN how VARCHAR(20)) BEGIN
  INSERT INTO thing (code, need) VALUES ('gone', 'x');
  CASE how
    WHEN 'plain' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'No; not this one';
    WHEN 'coded' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'OUT_OF_STOCK: Only 3 left';
    WHEN 'own' THEN SIGNAL SQLSTATE '45123' SET MESSAGE_TEXT = 'Own class', MYSQL_ERRNO = 5001;
    WHEN 'state' THEN SIGNAL SQLSTATE '42501' SET MESSAGE_TEXT = 'Not for you';
    ELSE INSERT INTO thing (code, need) VALUES ('it''s', 'x');
  END CASE;
END//
DELIMITER ;`

await onMariaDb(t, 'errors are those that PostgreSQL gives', RULES, async (t, url) => {
  const database = await open(t, url)
  const cases: readonly (readonly [text: string, code: string, state: string, more?: object])[] = [
    ["INSERT INTO thing (code, need) VALUES ('it''s', 'x')", 'CONFLICT', '23505', { details: { constraint: 'code' } }],
    ["INSERT INTO thing (id, need) VALUES (1, 'x')", 'CONFLICT', '23505', { details: { constraint: 'PRIMARY' } }],
    [
      "INSERT INTO thing (need, fk_post) VALUES ('x', 9)",
      'CONSTRAINT_VIOLATION',
      '23503',
      { details: { constraint: 'fk_of_post' } },
    ],
    ['DELETE FROM post', 'CONSTRAINT_VIOLATION', '23503', { details: { constraint: 'fk_of_post' } }],
    [
      "INSERT INTO thing (need, price) VALUES ('x', 0)",
      'CONSTRAINT_VIOLATION',
      '23514',
      { details: { constraint: 'positive' } },
    ],
    ['INSERT INTO thing (need) VALUES (NULL)', 'CONSTRAINT_VIOLATION', '23502', { details: { column: 'need' } }],
    ['INSERT INTO thing (code) VALUES (1)', 'CONSTRAINT_VIOLATION', '23502', { details: { column: 'need' } }],
    ["INSERT INTO thing (need) VALUES ('too long')", 'BAD_USER_INPUT', '22001'],
    ["INSERT INTO thing (need, price) VALUES ('x', 99999999999)", 'BAD_USER_INPUT', '22003'],
    ["INSERT INTO thing (need, price) VALUES ('x', 'y')", 'BAD_USER_INPUT', '22P02'],
    ["INSERT INTO thing (need, size) VALUES ('x', 'xl')", 'BAD_USER_INPUT', '22P02'],
    ["INSERT INTO thing (need, price) SELECT 'x', 1 / 0", 'BAD_USER_INPUT', '22012'],
    ['SELECT * FROM nowhere', 'DATABASE_ERROR', '42P01'],
    ['SELECT nothing FROM thing', 'DATABASE_ERROR', '42703'],
    ['SELEC 1', 'DATABASE_ERROR', '42601'],
    ['CALL nothing()', 'DATABASE_ERROR', '42883'],
    ['SELECT nothing(1)', 'DATABASE_ERROR', '42883'],
    ["SELECT 'a' REGEXP '('", 'DATABASE_ERROR', '2201B'],
    ["SELECT JSON_EXTRACT('{\"a\"', '$.a') FROM thing WHERE JSON_VALUE(?1", 'DATABASE_ERROR', '42601'],
    ["CALL refuse('plain')", 'INVALID_INPUT', 'P0001', { message: 'No; not this one' }],
    ["CALL refuse('coded')", 'OUT_OF_STOCK', 'P0001', { message: 'Only 3 left' }],
    ["CALL refuse('own')", 'INVALID_INPUT', 'P0001', { message: 'Own class' }],
    ["CALL refuse('state')", 'FORBIDDEN', '42501', { message: 'Not for you' }],
    ["CALL refuse('duplicate')", 'CONFLICT', '23505'],
  ]
  for (const [text, code, state, more = {}] of cases) {
    const error: unknown = await database.query(write(text), text.includes('?1') ? ['x'] : [], null).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    t.match(error, { code: state }, text)
    if (state === '2201B') continue
    t.match(fromDatabaseError(error), { code, ...more }, text)
  }
  t.equal(await single(database, 'SELECT COUNT(*) FROM thing'), '1', 'a procedure that failed wrote nothing')
  t.equal(
    database.dialect.errors.missingRelation(
      await database.query(read('SELECT * FROM nowhere'), [], null).catch((e) => e),
    ),
    'nowhere',
  )
})
