import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { fromDatabaseError } from '../../../core/doors/driver.ts'
import { parseCall } from '../../../plugins/sqlite/child/call.ts'
import type { Fault } from '../../../plugins/sqlite/child/library.ts'
import { parseScript } from '../../../plugins/sqlite/child/script.ts'
import { statementsOf } from '../../../plugins/sqlite/child/tokens.ts'
import type { TestLike } from '../../helpers/services.ts'
import { eachLibrary, makeFolder, open, read, single, write } from './open-sqlite.ts'

function failureOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return (error as Fault).failure
  }
}

t.test('a text is cut into its statements', async (t) => {
  const texts = (sql: string): readonly string[] => statementsOf(sql).map(({ text }) => text)
  t.strictSame(texts(''), [])
  t.strictSame(texts(' ; ;; -- nothing\n /* ; */'), [])
  t.strictSame(texts('a;b ;\n c'), ['a', 'b', 'c'])
  t.strictSame(texts(`SELECT ';', "a;b", [c;d], \`e;f\`, 'it''s;' -- g;h\n; /* i;j */ SELECT 1 /* open ;`), [
    `SELECT ';', "a;b", [c;d], \`e;f\`, 'it''s;'`,
    'SELECT 1',
  ])
  const trigger = 'CREATE TEMP TRIGGER x AFTER INSERT ON y BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; SELECT 3; END'
  t.strictSame(texts(`${trigger}; SELECT 4`), [trigger, 'SELECT 4'])
  t.strictSame(texts(trigger), [trigger], 'without a semicolon behind it')
  t.strictSame(texts('CREATE TABLE trigger_ (begin_ INT); SELECT 1').length, 2)
  t.match(
    failureOf(() => texts("SELECT 'a;")),
    { kind: 'script', position: 8 },
  )
  t.match(
    failureOf(() => texts('SELECT [a')),
    { message: /brackets/ },
  )
  t.strictSame(statementsOf("SELECT :a, @b, $c, ?1, ':d', :a -- :e")[0]!.parameters, [':a', '@b', '$c', '?1'])
  const part = fc.constantFrom("'a;b'", '"c"";"', '[d;]', '/*;*/', '--;\n', 'x', ' ', ':p', "''", '1.5', '\n', '`;`')
  fc.assert(
    fc.property(fc.array(fc.array(part, { minLength: 1 }), { minLength: 1 }), (statements) => {
      const bodies = statements.map((parts) => `SELECT ${parts.join(' ')}`)
      const found = statementsOf(bodies.join('\n;'))
      return found.length === bodies.length && found.every(({ text }, i) => bodies[i]!.startsWith(text))
    }),
  )
})

t.test('a script tells its parameters', async (t) => {
  const script = parseScript(`-- Buys.
    -- :quantity integer = 1
    -- :note text
    -- returns set of uuid
    INSERT INTO sale VALUES (:item, :quantity, :note);
    -- :later text
    SELECT :item`)
  t.strictSame(script.parameters, [
    { name: 'quantity', type: 'integer', fallback: '1' },
    { name: 'note', type: 'text', fallback: null },
    { name: 'item', type: null, fallback: null },
  ])
  t.strictSame(script.returns, { set: true, type: 'uuid' })
  for (const [sql, message] of [
    ['-- nothing', /no statement/],
    ['SELECT 1; COMMIT', /COMMIT cannot/],
    ['PRAGMA foreign_keys = OFF', /PRAGMA cannot/],
    ['SELECT ?1', /:name/],
    ['-- :a int\nSELECT 1', /no statement uses/],
  ] as const) {
    t.match(
      failureOf(() => parseScript(sql)),
      { kind: 'script', message },
      sql,
    )
  }
})

t.test('a call', async (t) => {
  t.equal(parseCall('SELECT 1'), null)
  t.equal(parseCall('callback'), null)
  t.strictSame(parseCall(`call "fn_x" ( a => CAST(?1 AS INTEGER), "b" => json_array(?2, 'x,)'), c=>?3 )`), {
    name: 'fn_x',
    arguments: [
      { name: 'a', expression: 'CAST(?1 AS INTEGER)' },
      { name: 'b', expression: "json_array(?2, 'x,)')" },
      { name: 'c', expression: '?3' },
    ],
  })
  t.strictSame(parseCall('CALL f(?1, ?2 = ?3)')!.arguments, [
    { name: null, expression: '?1' },
    { name: null, expression: '?2 = ?3' },
  ])
  t.strictSame(parseCall('CALL f()'), { name: 'f', arguments: [] })
  for (const sql of ['CALL f', 'CALL f(', 'CALL f(a', 'CALL f(a => )', 'CALL f(a,)'])
    t.throws(() => parseCall(sql), sql)
})

const SQL = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, stock INT NOT NULL CHECK (stock >= 0));
  CREATE TABLE sale (id INTEGER PRIMARY KEY, fk_item INT REFERENCES item, quantity ANY, note TEXT);
  INSERT INTO item VALUES (1, 'pen', 5)`

const SCRIPTS = {
  fn_buy: `-- :item integer
-- :quantity integer = 1
UPDATE item SET stock = stock - :quantity WHERE id = :item;
SELECT svc_raise('NOT_FOUND', 'No such item') WHERE changes() = 0;
INSERT INTO sale (fk_item, quantity, note) VALUES (:item, :quantity, 'it''s; :item')
  RETURNING id, typeof(quantity) AS kind, quantity;`,
  fn_status: "SELECT 'failed:sold_out' AS status, 'None left' AS message",
  fn_many: 'INSERT INTO sale (note) SELECT value FROM json_each(:notes) RETURNING note',
  fn_nothing: 'DELETE FROM sale WHERE id = :id',
  fn_last: 'SELECT 1 AS first; SELECT 2 AS second WHERE :none IS NOT NULL; DELETE FROM sale',
  fn_temp: 'CREATE TEMP TABLE scratch (a); INSERT INTO scratch VALUES (:a); SELECT a FROM scratch; DROP TABLE scratch',
  fn_wrong: 'SELECT 1;\n\nSELECT * FROM nowhere',
  fn_broken: "SELECT 'open",
}

async function openWithScripts(t: TestLike, library: 'node' | 'wasm') {
  const folder = await makeFolder(t)
  const functions = join(folder, 'db/functions')
  await mkdir(functions, { recursive: true })
  for (const [name, sql] of Object.entries(SCRIPTS)) await writeFile(join(functions, `${name}.sql`), sql)
  return { database: await open(t, { library, folder, sql: SQL }), functions }
}

await eachLibrary(t, 'scripts stand in for functions', async (t, library) => {
  const { database, functions } = await openWithScripts(t, library)
  const call = async (text: string, ...parameters: (string | null)[]) =>
    (await database.query(write(text, 'call'), parameters, null)).rows
  const fails = async (text: string, ...parameters: string[]) =>
    fromDatabaseError(
      await call(text, ...parameters).then(
        () => new Error('it ran'),
        (error) => error,
      ),
      { source: 'fn' },
    )

  const typed = 'CALL fn_buy(quantity => CAST(?2 AS INTEGER), item => CAST(?1 AS INTEGER))'
  t.strictSame(await call(typed, '1', '2'), [['1', 'integer', '2']])
  t.strictSame(
    await call('CALL fn_buy(CAST(?1 AS INTEGER))', '1'),
    [['2', 'integer', '1']],
    'by position, with a default',
  )
  t.match((await database.query(write(typed), ['1', '1'], null)).columns, [
    { name: /^id$/, type: 'int8' },
    { name: 'kind' },
    { name: 'quantity' },
  ])
  t.match(await fails(typed, '99', '1'), { code: 'NOT_FOUND', message: 'No such item' })
  t.match(await fails(typed, '1', '50'), { code: 'CONSTRAINT_VIOLATION' })
  t.equal(
    await single(database, 'SELECT stock || (SELECT count(*) FROM sale) FROM item'),
    '13',
    'what fails leaves nothing',
  )
  t.strictSame(await call('CALL fn_status()'), [['failed:sold_out', 'None left']])
  t.strictSame(await call('CALL fn_many(notes => ?1)', '["a","b"]'), [['a'], ['b']])
  t.strictSame(await call('CALL fn_nothing(id => 77)'), [])
  t.strictSame(await call('CALL fn_last(none => ?1)', null), [], 'the last statement with columns, and it has no row')
  t.strictSame(await call('CALL fn_temp(a => ?1)', 'x'), [['x']])
  t.strictSame(await call('CALL fn_temp(a => ?1)', 'y'), [['y']])

  t.match(await fails('CALL fn_none()'), {
    code: 'DATABASE_ERROR',
    message: /has changed/,
    cause: { message: /fn_none/ },
  })
  t.match(await fails('CALL fn_buy(itme => 1)'), { cause: { code: '42883', message: /no parameter itme/ } })
  t.match(await fails('CALL fn_buy(quantity => 1)'), { cause: { message: /without its parameter item/ } })
  t.match(await fails('CALL fn_wrong()'), {
    code: 'DATABASE_ERROR',
    cause: { where: 'fn_wrong.sql:3', message: /nowhere/ },
  })
  t.match(await fails('CALL fn_broken()'), { cause: { where: 'fn_broken.sql:1', message: /no end/ } })
  t.match(await fails('CALL "../fn_buy"()'), { cause: { code: '42883' } })

  const rows = await database.transaction(async (session) => {
    await session.query(write(typed), ['1', '1'])
    return (await session.query(read('SELECT stock FROM item'), [])).rows
  }, {})
  t.strictSame(rows, [['0']])
  const undone = database.transaction(async (session) => {
    await session.query(write('CALL fn_many(notes => ?1)'), ['["c"]'])
    throw new Error('no')
  }, {})
  await t.rejects(undone, { message: 'no' })
  t.equal(await single(database, "SELECT count(*) FROM sale WHERE note = 'c'"), '0')

  await writeFile(join(functions, 'fn_status.sql'), "SELECT 'success' AS status, 2 AS more")
  t.strictSame(await call('CALL fn_status()'), [['success', '2']], 'a script that changed is read again')
  await rm(join(functions, 'fn_status.sql'))
  t.match(await fails('CALL fn_status()'), { message: /has changed/ })
})

await eachLibrary(t, 'the catalog knows the scripts', async (t, library) => {
  const { database } = await openWithScripts(t, library)
  const names = ['fn_buy', 'fn_many', 'fn_nothing', 'fn_status', 'fn_temp', 'fn_none', 'main.fn_buy']
  const { functions, allFunctions } = await database.catalog({ relations: [], functions: names })
  t.strictSame(allFunctions, Object.keys(SCRIPTS).sort())
  t.notOk(functions.has('fn_none'))
  const buy = functions.get('fn_buy')!
  t.strictSame(buy, functions.get('main.fn_buy'))
  t.match(buy[0], {
    name: 'fn_buy',
    kind: 'function',
    parameters: [
      { name: 'item', type: 'int8', hasDefault: false },
      { name: 'quantity', type: 'int8', hasDefault: true },
    ],
    returns: {
      set: false,
      kind: 'composite',
      columns: [
        { name: /^id$/, type: 'int8' },
        { name: 'kind', type: 'unknown' },
        { name: 'quantity', type: 'unknown' },
      ],
    },
  })
  t.strictSame(functions.get('fn_many')![0]!.returns, { set: false, kind: 'scalar', type: 'text', columns: [] })
  t.strictSame(functions.get('fn_many')![0]!.parameters, [{ name: 'notes', type: 'unknown', hasDefault: false }])
  t.strictSame(functions.get('fn_nothing')![0]!.returns.kind, 'void')
  const { kind, columns } = functions.get('fn_temp')![0]!.returns
  t.strictSame([kind, columns], ['composite', []], 'nobody knows')
  for (const [name, place] of [
    ['fn_wrong', /fn_wrong\.sql:3/],
    ['fn_broken', /fn_broken\.sql:1/],
  ] as const) {
    await t.rejects(database.catalog({ relations: [], functions: [name] }), {
      code: 'SVC_SCHEMA_INVALID',
      message: place,
    })
  }
})
