import t from 'tap'
import observers from '../../../plugins/observers/index.ts'
import { createCancellable } from '../../helpers/cancellable.ts'
import { entry } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { onMariaDb, open, read, single, until, write } from './open-mysql.ts'

/** Mutations over procedures that write, fail, and wait for locks. `test/conformance/mutations.test.ts` has the other results. */
const SQL = `
CREATE TABLE post (id INT PRIMARY KEY, body VARCHAR(100) NOT NULL);
CREATE TABLE trail (nr INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(100));
INSERT INTO post VALUES (1, 'a'), (2, 'b');
DELIMITER //
CREATE PROCEDURE fn_out(IN p_mark TEXT, OUT id INT, INOUT body VARCHAR(100)) BEGIN
  SET body = CONCAT(body, p_mark);
  INSERT INTO post SELECT MAX(p.id) + 1, body FROM post p;
  SELECT MAX(p.id) INTO id FROM post p;
END//
CREATE PROCEDURE fn_set(p_first INT, p_second INT, p_body TEXT) COMMENT 'returns boolean' BEGIN
  UPDATE post SET body = p_body WHERE id = p_first;
  DO SLEEP(0.2);
  UPDATE post SET body = p_body WHERE id = p_second;
  SELECT TRUE AS v;
END//
CREATE PROCEDURE fn_fail(p_how TEXT) COMMENT 'returns boolean' BEGIN
  INSERT INTO trail (what) VALUES ('before');
  IF p_how = 'signal' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'SOLD_OUT: Nothing left';
  ELSEIF p_how = 'class' THEN SIGNAL SQLSTATE '42501' SET MESSAGE_TEXT = 'Not yours';
  ELSEIF p_how = 'twice' THEN INSERT INTO post VALUES (1, 'x');
  ELSEIF p_how = 'caught' THEN BEGIN
    DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN INSERT INTO trail (what) VALUES ('handler'); RESIGNAL; END;
    INSERT INTO post VALUES (1, 'x');
  END;
  ELSEIF p_how = 'slow' THEN DO SLEEP(5);
  ELSEIF p_how = 'locked' THEN SET SESSION innodb_lock_wait_timeout = 1; UPDATE post SET body = 'l' WHERE id = 1;
  END IF;
  SELECT TRUE AS v;
END//
DELIMITER ;`

const TEXT = (name: string) => ({ name, type: 'String!' })
const INT = (name: string) => ({ name, type: 'Int!' })
const SCHEMA = tableSchema(
  { name: 'Post', sql_source: 'post', list: 'posts', fields: { id: 'ID!', body: 'String!' } },
  {
    mutations: [
      { name: 'out', type: 'Post', sql_source: 'fn_out', operation: 'CREATE', arguments: [TEXT('mark'), TEXT('body')] },
      { name: 'set', type: 'Boolean', sql_source: 'fn_set', arguments: [INT('first'), INT('second'), TEXT('body')] },
      { name: 'fail', type: 'Boolean', sql_source: 'fn_fail', arguments: [TEXT('how')] },
    ],
  },
)
const COUNT = 'SELECT COUNT(*) FROM trail'

await onMariaDb(t, 'procedures of mutations', SQL, async (t, url) => {
  const app = await openApp(t, { kind: 'mysql', url }, SCHEMA)
  const other = await open(t, url)
  const fail = async (how: string) => {
    const { errors } = await app.graphql('mutation ($how: String!) { fail(how: $how) }', { how })
    return { code: errors?.[0]?.extensions.code, message: errors?.[0]?.message }
  }
  const set = (first: number, second: number, body: string) =>
    app.graphql(`mutation { set(first: ${first}, second: ${second}, body: "${body}") }`)

  await t.test('what a procedure wrote before its error is undone', async (t) => {
    for (const [how, code, message] of [
      ['signal', 'SOLD_OUT', 'Nothing left'],
      ['class', 'FORBIDDEN', undefined],
      ['twice', 'CONFLICT', undefined],
      ['caught', 'CONFLICT', undefined],
    ] as const) {
      t.match(await fail(how), { code, ...(message === undefined ? {} : { message }) }, how)
      await until(() => app.database.pool.active === 0)
      t.equal(await single(other, COUNT), '0', how)
    }
    const cancel = createCancellable()
    setTimeout(() => cancel.abort('timeout'), 100)
    const slow = app.database.query(write('CALL fn_fail(?)'), ['slow'], cancel)
    await t.rejects(slow, { code: 'TIMEOUT' })
    await until(() => app.database.pool.active === 0)
    t.equal(await single(other, COUNT), '0', 'at its deadline')
    t.match(await fail('none'), { code: undefined })
    t.equal(await single(other, COUNT), '1', 'without an error it stays')
  })

  await t.test('a lock that another transaction keeps is an error, and undoes the procedure', async (t) => {
    await other.transaction(async (session) => {
      await session.query(write("UPDATE post SET body = 'kept' WHERE id = 1"), [])
      t.match(await fail('locked'), { code: 'TRANSACTION_FAILED' })
    }, {})
    t.equal(await single(other, COUNT), '1')
    const limit = read('SELECT @@innodb_lock_wait_timeout')
    t.not((await app.database.query(limit, [], null)).rows[0]![0], '1', 'what it set is gone')
  })

  await t.test('of two that wait for each other one fails, and has written nothing', async (t) => {
    const both = await Promise.all([set(1, 2, 'left'), set(2, 1, 'right')])
    const codes = both.map(({ errors }) => errors?.[0]?.extensions.code)
    t.strictSame(codes.toSorted(), ['TRANSACTION_FAILED', undefined])
    const { rows } = await other.query(read('SELECT DISTINCT body FROM post WHERE id IN (1, 2)'), [], null)
    t.strictSame(rows, [[codes[0] === undefined ? 'left' : 'right']])
  })

  await t.test('OUT and INOUT parameters are the row', async (t) => {
    const { data, errors } = await app.graphql('mutation { out(mark: "!", body: "new") { id body } }')
    t.strictSame([data, errors], [{ out: { id: '3', body: 'new!' } }, undefined])
  })
})

await onMariaDb(t, 'a backend of events that needs PostgreSQL is refused at the start', SQL, async (t, url) => {
  const plugins = [entry(observers as never, { enabled: true, backend: 'sqldb' })]
  await t.rejects(openApp(t, { kind: 'mysql', url }, SCHEMA, { plugins }), {
    message: /observers\.backend = "sqldb" .* "mysql".*backend = "in-memory"/,
  })
  await openApp(t, { kind: 'mysql', url }, SCHEMA, { plugins: [entry(observers as never, { enabled: true })] })
})

const TREE = `
CREATE TABLE tb_node (pk_node INT PRIMARY KEY, id VARCHAR(20) NOT NULL, fk_parent INT);
INSERT INTO tb_node VALUES (1, 'root', 1);`

await onMariaDb(t, 'what the server cannot nest is refused by name', TREE, async (t, url) => {
  const parent = { type: 'Node', relation: { from: 'fk_parent', to: 'pk_node' } }
  const schema = tableSchema({ name: 'Node', sql_source: 'tb_node', list: 'nodes', fields: { id: 'ID!', parent } })
  const app = await openApp(t, { kind: 'mysql', url }, schema)
  const nested = (levels: number) => app.graphql(`{ nodes { ${'parent { '.repeat(levels)} id ${'}'.repeat(levels)} } }`)
  t.strictSame((await nested(60)).errors, undefined)
  t.match((await nested(80)).errors, [{ message: /nested deeper/, extensions: { code: 'VALIDATION_ERROR' } }])
})
