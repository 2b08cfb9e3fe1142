import fc from 'fast-check'
import type { Database, Row, Statement } from '../../core/doors/plugin.ts'
import { createCancellable } from '../helpers/cancellable.ts'
import type { TestDatabase } from '../helpers/databases.ts'
import { openDatabase } from '../helpers/databases.ts'
import type { TestLike } from '../helpers/services.ts'
import { driverContract } from './driver-contract.ts'

export const SUITE_SQL = `
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE DOMAIN email AS text CHECK (VALUE LIKE '%@%');
CREATE TYPE outcome AS (status text, entity jsonb);
CREATE TABLE account (
  pk_account int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid NOT NULL DEFAULT gen_random_uuid(),
  mail email NOT NULL UNIQUE, nick text, moods mood[], mood mood, dropped int, tags text[] NOT NULL DEFAULT '{}');
ALTER TABLE account DROP COLUMN dropped;
CREATE TABLE post (fk_account int NOT NULL REFERENCES account, nr int NOT NULL, body text, PRIMARY KEY (nr, fk_account));
CREATE VIEW v_account AS SELECT pk_account, id, mail, nick, lower(mail) AS folded FROM account;
CREATE VIEW v_over AS SELECT id, mail, nick FROM v_account WHERE nick IS NOT NULL;
CREATE VIEW v_joined AS SELECT p.nr, a.id FROM post p JOIN account a ON a.pk_account = p.fk_account;
CREATE VIEW v_left AS SELECT p.nr, a.id FROM account a LEFT JOIN post p ON a.pk_account = p.fk_account;
CREATE VIEW v_union AS SELECT id FROM account UNION ALL SELECT NULL::uuid;
CREATE VIEW v_sub AS SELECT s.id, s.n FROM (SELECT id, count(*) AS n FROM account GROUP BY id) s;
CREATE MATERIALIZED VIEW mv_account AS SELECT id FROM account;
CREATE SCHEMA other;
CREATE TABLE other.thing (id bigint PRIMARY KEY, price numeric(10, 2), at timestamptz);
CREATE VIEW other.v_thing AS SELECT id, price FROM other.thing;
CREATE FUNCTION fn_make(mail email, nick text DEFAULT NULL) RETURNS outcome LANGUAGE sql
  AS $$ SELECT ROW('success', to_jsonb(mail))::outcome $$;
CREATE FUNCTION fn_list(OUT nr int, OUT what mood) RETURNS SETOF record LANGUAGE sql AS $$ SELECT 1, 'sad'::mood $$;
CREATE FUNCTION fn_table(n int) RETURNS TABLE (nr int, body text) LANGUAGE sql AS $$ SELECT n, 'x' $$;
CREATE FUNCTION fn_over(a int) RETURNS int LANGUAGE sql AS $$ SELECT a $$;
CREATE FUNCTION fn_over(a text) RETURNS text[] LANGUAGE sql AS $$ SELECT ARRAY[a] $$;
CREATE FUNCTION fn_void() RETURNS void LANGUAGE sql AS $$ $$;
CREATE FUNCTION fn_many(VARIADIC parts text[]) RETURNS text LANGUAGE sql AS $$ SELECT parts[1] $$;
CREATE FUNCTION fn_accounts() RETURNS SETOF account LANGUAGE sql AS $$ SELECT * FROM account $$;
CREATE FUNCTION tr_touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE PROCEDURE pr_do(INOUT n int) LANGUAGE sql AS $$ SELECT n $$;
CREATE FUNCTION other.fn_hidden() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
INSERT INTO account (mail, nick) SELECT 'u' || g || '@example.org', 'nick' || g FROM generate_series(1, 25) g;
`

function statement(name: string | null, text: string): Statement {
  return { name, text }
}

async function single(database: Database, text: string, parameters: Parameters<Database['query']>[1] = []) {
  return (await database.query(statement(null, text), parameters, null)).rows[0]![0]
}

/** What every driver that speaks PostgreSQL does alike. The database was made with `SUITE_SQL`. */
export async function driverSuite(t: TestLike, { kind, url }: TestDatabase): Promise<void> {
  const database = await openDatabase(t, url)
  t.equal(database.kind, kind)
  t.equal(database.dialect.name, 'postgres')
  await driverContract(t, database)

  await t.test('values cross as the text that the database writes', async (t) => {
    const { rows, columns } = await database.query(
      statement(
        null,
        `SELECT 9007199254740993::int8 AS big, 1.10::numeric AS money, true AS yes, NULL::text AS none,
          '2024-02-29 12:00:00+02'::timestamptz AS at, interval '1 day 2 hours' AS span, '{"b": 1,  "a": 2}'::json AS doc,
          '\\x00ff'::bytea AS bytes, ARRAY['a"b', NULL, 'c,d'] AS list, 0.1::float8 AS f, 'sad'::mood AS mood`,
      ),
      [],
      null,
    )
    t.strictSame(rows, [
      [
        '9007199254740993',
        '1.10',
        't',
        null,
        '2024-02-29 10:00:00+00',
        'P1DT2H',
        '{"b": 1,  "a": 2}',
        '\\x00ff',
        '{"a\\"b",NULL,"c,d"}',
        '0.1',
        'sad',
      ],
    ])
    t.strictSame(columns.map((column) => column.type).slice(0, 10), [
      'int8',
      'numeric',
      'bool',
      'text',
      'timestamptz',
      'interval',
      'json',
      'bytea',
      '_text',
      'float8',
    ])
    t.match(columns[10], { name: 'mood', type: /^oid:\d+$/ })
  })

  await t.test('the session is set up alike', async (t) => {
    for (const [name, value] of [
      ['TimeZone', 'UTC'],
      ['DateStyle', /^ISO/],
      ['IntervalStyle', 'iso_8601'],
      ['jit', 'off'],
      ['plan_cache_mode', 'force_generic_plan'],
      ['client_encoding', 'UTF8'],
    ] as const) {
      t.match(await single(database, `SHOW ${name}`), value, name)
    }
  })

  await t.test('parameters are text, null, and lists that arrive as they were', async (t) => {
    t.equal(await single(database, 'SELECT $1::int + 1', ['41']), '42')
    t.equal(await single(database, 'SELECT $1::text IS NULL', [null]), 't')
    t.equal(await single(database, 'SELECT $1::bool', ['true']), 't')
    t.equal(await single(database, 'SELECT cardinality($1::text[])', [[]]), '0')
    const part = fc.option(
      fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed?.() !== false),
      { nil: null },
    )
    const clean = fc.array(part.filter((text) => text === null || !text.includes('\0')))
    await fc.assert(
      fc.asyncProperty(clean, async (list) => {
        const json = await database.query(statement('lists', 'SELECT to_json($1::text[])::text'), [list], null)
        t.strictSame(JSON.parse(json.rows[0]![0]!), list)
      }),
      { numRuns: 50 },
    )
    await t.rejects(database.query(statement(null, 'SELECT $1'), [5 as never], null), { name: 'TypeError' })
    t.equal(await single(database, 'SELECT 1'), '1', 'still fine after a refused parameter')
  })

  await t.test('a named statement runs any number of times, also at once', async (t) => {
    const double = statement('double', 'SELECT ($1::int * 2)::text')
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => database.query(double, [String(i)], null)))
    t.strictSame(
      answers.map(({ rows }) => rows[0]![0]),
      Array.from({ length: 200 }, (_, i) => String(i * 2)),
    )
  })

  await t.test('more names than are kept prepared', async (t) => {
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(
        Array.from({ length: 700 }, (_, i) => database.query(statement(`many_${i}`, `SELECT '${i}'`), [], null)),
      )
      t.ok(
        answers.every(({ rows }, i) => rows[0]![0] === String(i)),
        `round ${round + 1}`,
      )
    }
    const kept = await single(database, 'SELECT count(*) FROM pg_prepared_statements')
    t.ok(Number(kept) <= 300, `${kept} are kept`)
  })

  await t.test("a failing statement gives the server's error and harms no other", async (t) => {
    const fails = statement('fails', 'SELECT 1 / $1::int')
    const broken = statement('broken', 'SELEC 1')
    const gone = statement('gone', 'SELECT * FROM no_such_view')
    const works = statement('works', 'SELECT $1::int')
    for (let round = 0; round < 3; round++) {
      const results = await Promise.allSettled([
        database.query(fails, ['0'], null),
        database.query(works, ['1'], null),
        database.query(broken, [], null),
        database.query(broken, [], null),
        database.query(gone, [], null),
        database.query(fails, ['1'], null),
        database.query(works, ['x'], null),
        database.query(works, ['2'], null),
      ])
      t.strictSame(
        results.map((result) => (result.status === 'fulfilled' ? result.value.rows[0]![0] : result.reason.code)),
        ['22012', '1', '42601', '42601', '42P01', '1', '22P02', '2'],
      )
    }
  })

  await t.test('settings are seen by their statement and by no other', async (t) => {
    const read = statement('read_setting', `SELECT current_setting('app.tenant', true)`)
    const hostile = `x'; DROP TABLE account; --`
    const { rows } = await database.query(read, [], null, [
      { name: 'app.tenant', value: hostile },
      { name: 'app.other', value: 'y' },
    ])
    t.equal(rows[0]![0], hostile)
    const after = await Promise.all(Array.from({ length: 10 }, () => database.query(read, [], null)))
    t.ok(after.every((result) => !result.rows[0]![0]))
    await t.rejects(
      database.query(statement(null, `INSERT INTO post VALUES (1, 99, 'x')`), [], null, [
        { name: 'transaction_read_only', value: 'on' },
      ]),
      { code: '25006' },
    )
    await t.rejects(
      database.query(statement('fails', 'SELECT 1 / $1::int'), ['0'], null, [{ name: 'app.tenant', value: 'z' }]),
      { code: '22012' },
    )
  })

  await t.test('a transaction commits, or rolls back and throws on', async (t) => {
    const insert = statement('insert_post', `INSERT INTO post VALUES (1, $1, 'x') RETURNING nr`)
    const count = () => single(database, 'SELECT count(*) FROM post')
    const seen = await database.transaction(
      async (session) => {
        await session.query(insert, ['1'])
        return (await session.query(statement(null, `SELECT current_setting('app.tenant'), count(*) FROM post`), []))
          .rows
      },
      { settings: [{ name: 'app.tenant', value: 'acme' }] },
    )
    t.strictSame(seen, [['acme', '1']])
    t.equal(await count(), '1')

    const thrown = new Error('no')
    const failing = database.transaction(async (session) => {
      await session.query(insert, ['2'])
      throw thrown
    }, {})
    t.equal(await failing.catch((error) => error), thrown)
    t.equal(await count(), '1')

    await t.rejects(
      database.transaction(async (session) => session.query(insert, ['1']), {}),
      { code: '23505' },
    )
    await t.rejects(
      database.transaction(async (session) => {
        await session.query(insert, ['3'])
        await session.query(insert, ['3']).catch(() => {})
      }, {}),
      { code: 'TRANSACTION_FAILED' },
      'a failure that was swallowed does not pass for a commit',
    )
    await t.rejects(
      database.transaction(async (session) => session.query(insert, ['4']), { readOnly: true }),
      { code: '25006' },
    )
    t.equal(await count(), '1')
    t.equal(await database.transaction(async () => 'nothing to do', {}), 'nothing to do')
  })

  await t.test('statements of one transaction that are started at once run in order', async (t) => {
    const rows = await database.transaction(async (session) => {
      const all = await Promise.all(
        ['1', '2', '3'].map((nr) => session.query(statement('nth', 'SELECT $1::int, txid_current()'), [nr])),
      )
      return all.map((result) => result.rows[0]!)
    }, {})
    t.strictSame(
      rows.map((row) => row[0]),
      ['1', '2', '3'],
    )
    t.equal(new Set(rows.map((row) => row[1])).size, 1)
  })

  await t.test('a session is of no use when its transaction is over', async (t) => {
    const kept = await database.transaction(async (session) => {
      await session.query(statement(null, 'SELECT 1'), [])
      return { session }
    }, {})
    await t.rejects(kept.session.query(statement(null, 'SELECT 1'), []), { code: 'TRANSACTION_FAILED' })
  })

  await t.test('a view that changes under a prepared statement', async (t) => {
    await database.script('CREATE VIEW v_moving AS SELECT 1 AS a')
    const read = statement('moving', 'SELECT * FROM v_moving')
    const many = () => Promise.all(Array.from({ length: 12 }, () => database.query(read, [], null)))
    const inside = () => database.transaction(async (session) => (await session.query(read, [])).rows, {})
    t.strictSame((await many())[11]!.rows, [['1']])
    t.strictSame(await inside(), [['1']])
    await database.script(`DROP VIEW v_moving; CREATE VIEW v_moving AS SELECT 'x'::text AS a, 2 AS b`)
    t.ok((await many()).every(({ rows }) => rows[0]!.join() === 'x,2'))
    t.strictSame(await inside(), [['x', '2']])
    await database.script(`DROP VIEW v_moving; CREATE VIEW v_moving AS SELECT 3 AS c`)
    await t.rejects(
      database.transaction(async (session) => {
        await session.query(statement(null, 'SELECT 1'), [])
        await session.query(read, [])
      }, {}),
      { code: '0A000' },
      'not the first of its transaction: the transaction fails',
    )
    t.strictSame(await inside(), [['3']], 'and the next one works')
    await database.script('DROP VIEW v_moving')
    await t.rejects(database.query(read, [], null), { code: '42P01' })
  })

  await t.test('a stream gives batches, and can be left', async (t) => {
    const series = statement(null, 'SELECT g, $2::text FROM generate_series(1, $1::int) g')
    const sizes: number[] = []
    let last: Row = []
    for await (const batch of database.stream(series, ['25', 'x'], { cancel: null, batchSize: 10 })) {
      sizes.push(batch.length)
      last = batch.at(-1)!
      t.equal(await single(database, 'SELECT 1'), '1', 'other statements run meanwhile')
    }
    t.strictSame(sizes, [10, 10, 5])
    t.strictSame(last, ['25', 'x'])
    for await (const batch of database.stream(series, ['1000000', 'x'], { cancel: null, batchSize: 2 })) {
      t.equal(batch.length, 2)
      break
    }
    for await (const _ of database.stream(series, ['0', 'x'], { cancel: null, batchSize: 10 }))
      t.fail('no batch of nothing')
    await t.rejects(
      database.stream(series, ['x', 'x'], { cancel: null, batchSize: 10 })[Symbol.asyncIterator]().next(),
      {
        code: '22P02',
      },
    )
    t.equal(await single(database, "SELECT count(*) FROM pg_cursors WHERE name <> ''"), '0')
    t.match(database.pool, { waiting: 0, connected: true })
  })

  await t.test('work that is aborted before it starts does not start', async (t) => {
    const gone = createCancellable()
    gone.abort('client')
    await t.rejects(database.query(statement(null, `INSERT INTO post VALUES (1, 77, 'x')`), [], gone), {
      code: 'TIMEOUT',
    })
    await t.rejects(
      database.transaction(async () => t.fail('does not start'), { cancel: gone }),
      { code: 'TIMEOUT' },
    )
    const late = createCancellable()
    await t.rejects(
      database.transaction(
        async (session) => {
          await session.query(statement(null, `INSERT INTO post VALUES (1, 77, 'x')`), [])
          late.abort()
          await session.query(statement(null, 'SELECT 1'), [])
        },
        { cancel: late },
      ),
      { code: 'TIMEOUT' },
    )
    t.equal(await single(database, 'SELECT count(*) FROM post WHERE nr = 77'), '0')
    const fine = createCancellable()
    await database.query(statement('works', 'SELECT $1::int'), ['1'], fine)
    t.notOk(fine.isWatched, 'nobody listens any more')
  })

  await t.test('scripts, plans, pings', async (t) => {
    await database.script(`CREATE TABLE s (a int); INSERT INTO s VALUES (1), (2); SELECT * FROM s`)
    t.equal(await single(database, 'SELECT sum(a) FROM s'), '3')
    await t.rejects(database.script('INSERT INTO s VALUES (3); SELECT 1/0'), { code: '22012' })
    t.equal(await single(database, 'SELECT sum(a) FROM s'), '3', 'a script that fails leaves nothing')
    const plan = JSON.parse(await database.explain(statement('x', 'SELECT * FROM s WHERE a = $1::int'), ['1']))
    t.equal(plan[0].Plan['Relation Name'], 's')
    await database.ping()
    await t.rejects(database.explain(statement(null, 'SELECT * FROM nope'), []), { code: '42P01' })
  })

  await t.test('notifications', async (t) => {
    const heard: string[] = []
    const first = await database.listen!('Some channel', (payload) => heard.push(`1:${payload}`))
    const second = await database.listen!('Some channel', (payload) => heard.push(`2:${payload}`))
    await single(database, `SELECT pg_notify('Some channel', 'a')`)
    await until(() => heard.length === 2)
    await first()
    await single(database, `SELECT pg_notify('Some channel', 'b')`)
    await until(() => heard.length === 3)
    await second()
    await single(database, `SELECT pg_notify('Some channel', 'c')`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    t.strictSame(heard, ['1:a', '2:a', '2:b'])
  })

  await t.test('the catalog: relations', async (t) => {
    const { relations, allRelations } = await database.catalog({
      relations: ['account', 'post', 'other.v_thing', 'other.thing', 'Account', 'nope', 'v_thing', 'mv_account'],
      functions: [],
    })
    t.strictSame([...relations.keys()].sort(), ['account', 'mv_account', 'other.thing', 'other.v_thing', 'post'])
    t.strictSame(relations.get('account'), {
      schema: 'public',
      name: 'account',
      kind: 'table',
      columns: [
        { name: 'pk_account', type: 'int4', notNull: true, unique: true },
        { name: 'id', type: 'uuid', notNull: true, unique: false },
        { name: 'mail', type: 'text', notNull: true, unique: true },
        { name: 'nick', type: 'text', notNull: false, unique: false, nullable: true },
        { name: 'moods', type: '_enum:mood', notNull: false, unique: false, nullable: true, labels: ['sad', 'happy'] },
        { name: 'mood', type: 'enum:mood', notNull: false, unique: false, nullable: true, labels: ['sad', 'happy'] },
        { name: 'tags', type: '_text', notNull: true, unique: false },
      ],
      primaryKey: ['pk_account'],
    })
    t.strictSame(relations.get('post')!.primaryKey, ['nr', 'fk_account'])
    t.strictSame(
      relations.get('other.thing')!.columns.map((column) => column.type),
      ['int8', 'numeric', 'timestamptz'],
    )
    t.match(relations.get('other.v_thing'), { schema: 'other', name: 'v_thing', kind: 'view', primaryKey: [] })
    t.equal(relations.get('mv_account')!.kind, 'view')
    t.ok(allRelations.includes('v_account') && !allRelations.includes('v_thing') && !allRelations.includes('pg_class'))
  })

  await t.test('the catalog: NOT NULL is proven through views, and never claimed wrongly', async (t) => {
    const names = ['v_account', 'v_over', 'v_joined', 'v_left', 'v_union', 'v_sub', 'mv_account', 'other.v_thing']
    const { relations } = await database.catalog({ relations: names, functions: [] })
    const proven = names.map((name) =>
      relations
        .get(name)!
        .columns.filter((column) => column.notNull)
        .map((column) => column.name),
    )
    t.strictSame(proven, [['pk_account', 'id', 'mail'], ['id', 'mail'], ['nr', 'id'], ['id'], [], ['id'], [], ['id']])
  })

  await t.test('the catalog: a unique column is proven through views that keep their rows', async (t) => {
    const names = ['account', 'post', 'v_account', 'v_over', 'v_joined', 'v_left', 'v_union', 'v_sub', 'other.v_thing']
    const { relations } = await database.catalog({ relations: names, functions: [] })
    const proven = names.map((name) =>
      relations
        .get(name)!
        .columns.filter((column) => column.unique)
        .map((column) => column.name),
    )
    t.strictSame(proven, [['pk_account', 'mail'], [], ['pk_account', 'mail'], ['mail'], [], [], [], [], ['id']])
  })

  await t.test('the catalog: functions', async (t) => {
    const { functions, allFunctions, searchConfigs } = await database.catalog({
      relations: [],
      functions: [
        'fn_make',
        'fn_list',
        'fn_table',
        'fn_over',
        'fn_void',
        'fn_many',
        'fn_accounts',
        'tr_touch',
        'pr_do',
        'fn_hidden',
        'other.fn_hidden',
        'public.fn_many',
        'other.fn_nowhere',
      ],
    })
    t.notOk(functions.has('fn_many'), 'variadic')
    t.ok(searchConfigs?.includes('english') && searchConfigs.includes('pg_catalog.simple'), 'and of text search')
    t.ok(allFunctions.includes('public.fn_many'), 'with its schema too it is there, and cannot be called')
    t.notOk(functions.has('public.fn_many'))
    t.notOk(allFunctions.includes('other.fn_nowhere'))
    t.notOk(functions.has('tr_touch'), 'trigger')
    t.notOk(functions.has('fn_hidden'), 'not on the search path')
    t.equal(functions.get('other.fn_hidden')!.length, 1)
    t.strictSame(functions.get('fn_make'), [
      {
        schema: 'public',
        name: 'fn_make',
        kind: 'function',
        parameters: [
          { name: 'mail', type: 'text', hasDefault: false },
          { name: 'nick', type: 'text', hasDefault: true },
        ],
        returns: {
          set: false,
          kind: 'composite',
          type: 'outcome',
          columns: [
            { name: 'status', type: 'text' },
            { name: 'entity', type: 'jsonb' },
          ],
        },
      },
    ])
    t.match(functions.get('fn_list')![0], {
      parameters: [],
      returns: {
        set: true,
        kind: 'composite',
        columns: [
          { name: /^nr$/, type: 'int4' },
          { name: 'what', type: 'enum:mood' },
        ],
      },
    })
    t.match(functions.get('fn_table')![0], {
      parameters: [{ name: /^n$/, type: 'int4', hasDefault: false }],
      returns: { set: true, columns: [{ name: /^nr$/ }, { name: 'body', type: 'text' }] },
    })
    t.strictSame(
      functions.get('fn_over')!.map((overload) => [overload.parameters[0]!.type, overload.returns.type]),
      [
        ['int4', 'int4'],
        ['text', '_text'],
      ],
    )
    t.match(functions.get('fn_void')![0]!.returns, { kind: 'void', set: false })
    t.match(functions.get('fn_accounts')![0]!.returns, { kind: 'composite', set: true, type: 'account' })
    t.equal(functions.get('fn_accounts')![0]!.returns.columns.length, 7)
    t.match(functions.get('pr_do')![0], { kind: 'procedure', parameters: [{ name: /^n$/, type: 'int4' }] })
    t.ok(allFunctions.includes('fn_make') && !allFunctions.includes('lower'))
  })

  await t.test('without prepared statements', async (t) => {
    if (kind === 'pglite') await database.close()
    const plain = await openDatabase(t, url, { config: { prepared_statements: false } })
    const works = statement('works', 'SELECT $1::int')
    for (const value of ['1', '2']) t.equal((await plain.query(works, [value], null)).rows[0]![0], value)
    t.equal(await single(plain, 'SELECT count(*) FROM pg_prepared_statements'), '0')
    t.strictSame(
      await plain.transaction(async (session) => (await session.query(works, ['3'])).rows, {
        settings: [{ name: 'app.tenant', value: 'x' }],
      }),
      [['3']],
    )
    await plain.close()
    await t.rejects(plain.query(works, ['1'], null), { code: 'SERVICE_UNAVAILABLE' }, 'closed')
    await t.rejects(
      plain.transaction(async () => {}, {}),
      { code: 'SERVICE_UNAVAILABLE' },
    )
    await plain.close()
  })
}

/** Waits until it holds, five seconds at most. */
export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = 5000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It did not come to hold: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
