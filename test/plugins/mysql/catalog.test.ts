import t from 'tap'
import { onMariaDb, open, read } from './open-mysql.ts'

const ODD = `
CREATE TABLE account (pk_account INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, id CHAR(36) NOT NULL DEFAULT (UUID()) UNIQUE,
  mail VARCHAR(100) NOT NULL UNIQUE COMMENT 'Address; "quoted"', nick TEXT, mood ENUM('sad', 'it''s') DEFAULT 'sad', doc JSON,
  doubled INT AS (pk_account * 2) VIRTUAL, n INT NOT NULL DEFAULT 3, hidden INT INVISIBLE, price DECIMAL(10, 2), flag TINYINT(1) NOT NULL DEFAULT 1,
  bits BIT(8), raw VARBINARY(9), big BIGINT UNSIGNED, at DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3), seen TIMESTAMP NULL) COMMENT 'All accounts';
CREATE TABLE post (fk_account INT UNSIGNED NOT NULL, nr INT NOT NULL, body VARCHAR(500), PRIMARY KEY (nr, fk_account),
  CONSTRAINT fk_a FOREIGN KEY (fk_account) REFERENCES account (pk_account), KEY by_body (body(10)), KEY by_nr (nr, body(200)));
CREATE TABLE \`odd \`\`name\` (\`a.b\` INT, \`select\` TEXT, \`ünï\` INT, UNIQUE (\`a.b\`, \`ünï\`));
CREATE SEQUENCE s1;
CREATE TABLE svc_own (id INT);
CREATE VIEW v_account AS SELECT pk_account, id, mail, nick, LOWER(mail) AS folded, 1 / n AS part, JSON_OBJECT('a', mail) AS data, doc, mood FROM account;
CREATE VIEW v_over AS SELECT id, mail, data FROM v_account WHERE nick <> '\`shop\`.\`x\`';
CREATE VIEW v_joined AS SELECT p.nr, a.id, p.fk_account FROM post p JOIN account a ON a.pk_account = p.fk_account;
CREATE VIEW v_left AS SELECT p.nr, a.id, a.pk_account, (SELECT MAX(n) FROM account) AS most FROM account a LEFT JOIN post p ON a.pk_account = p.fk_account;
CREATE VIEW v_union AS SELECT id FROM account UNION ALL SELECT NULL;
CREATE VIEW v_sum AS SELECT mood, COUNT(*) AS n FROM account GROUP BY mood;
CREATE TABLE gone (a INT); CREATE VIEW v_broken AS SELECT a FROM gone; DROP TABLE gone;
DELIMITER //
CREATE FUNCTION tenant() RETURNS VARCHAR(50) READS SQL DATA RETURN @\`app.tenant\`//
CREATE FUNCTION counted(p_x INT) RETURNS BIGINT DETERMINISTIC BEGIN DECLARE v, w INT; SET v = p_x; RETURN v; END//
CREATE FUNCTION doc_of() RETURNS LONGTEXT COMMENT 'returns json' RETURN '{}'//
CREATE PROCEDURE rows_of(IN p_id CHAR(36), p_tags JSON) COMMENT 'Returns rows.'
BEGIN
  DECLARE c CURSOR FOR SELECT id FROM account;
  IF p_id IS NULL THEN SELECT 'failed:x' AS status, NULL AS message, NULL entity_id;
  ELSE
    INSERT INTO post SELECT 1, 2, 'SELECT 1 AS nothing';
    SELECT COUNT(*) INTO @x FROM post; -- SELECT 1 AS nothing
    SELECT CASE WHEN 1 THEN 'success' ELSE 'noop' END AS status, 'it''s; fine' AS message, LAST_INSERT_ID() AS entity_id;
  END IF;
END//
CREATE PROCEDURE id_of() COMMENT 'Makes one; returns uuid' BEGIN SELECT UUID() AS x, 1 AS y; END//
CREATE PROCEDURE ids_of() COMMENT 'returns set of integer' SELECT 1//
CREATE PROCEDURE nothing() COMMENT 'returns void' SELECT 1//
CREATE PROCEDURE star() SELECT * FROM account//
CREATE PROCEDURE one() BEGIN REPEAT SET @a = 1; UNTIL 1 END REPEAT; WITH c AS (SELECT 1 AS n) SELECT n FROM c; END//
CREATE PROCEDURE made() BEGIN INSERT INTO post VALUES (1, 1, 'x') RETURNING nr, body AS text; END//
CREATE PROCEDURE outs(IN p_a INT, OUT p_b ENUM('x'), INOUT p_c TEXT) BEGIN SET p_b = 'x'; SELECT 1; END//
DELIMITER ;`

await onMariaDb(t, 'the catalog describes what a schema names', ODD, async (t, url) => {
  const database = await open(t, url)
  const names = [
    'account',
    'post',
    'v_account',
    'v_over',
    'v_joined',
    'v_left',
    'v_union',
    'v_sum',
    'nowhere',
    'ACCOUNT',
  ]
  const { relations, allRelations } = await database.catalog({ relations: names, functions: [] })
  t.strictSame([...relations.keys()], names.slice(0, 8))
  t.ok(allRelations.includes('odd `name') && !allRelations.includes('s1'))
  const columnsOf = (name: string) =>
    Object.fromEntries(relations.get(name)!.columns.map(({ name: column, ...rest }) => [column, rest]))
  const account = columnsOf('account')
  t.notOk('hidden' in account)
  t.match(account, {
    pk_account: { type: 'int8', notNull: true, unique: true },
    id: { type: 'uuid', notNull: true, unique: true },
    mail: { type: 'text', notNull: true, unique: true },
    nick: { type: 'text', notNull: false, unique: false },
    mood: { type: 'enum:account_mood', labels: ['sad', "it's"] },
    doc: { type: 'json' },
    price: { type: 'numeric', digits: { precision: 10, scale: 2 } },
    flag: { type: 'bool', notNull: true },
    bits: { type: 'bit', dimensions: 8 },
    raw: { type: 'bytea' },
    big: { type: 'xid8' },
    at: { type: 'timestamp' },
    seen: { type: 'timestamptz' },
  })
  t.strictSame(relations.get('post')!.primaryKey, ['nr', 'fk_account'])
  t.strictSame(relations.get('post')!.compositeKeys, [['nr', 'fk_account']])
  const flags = (name: string) =>
    relations
      .get(name)!
      .columns.map(({ name: column, type, notNull, unique }) => [column, type, notNull, unique].join(' '))
  t.strictSame(flags('v_account'), [
    'pk_account int8 true true',
    'id uuid true true',
    'mail text true true',
    'nick text false false',
    'folded text false false',
    'part numeric false false',
    'data json false false',
    'doc json false false',
    'mood enum:v_account_mood false false',
  ])
  t.strictSame(flags('v_over'), ['id uuid true true', 'mail text true true', 'data json false false'])
  t.strictSame(flags('v_joined'), ['nr int4 true false', 'id uuid true false', 'fk_account int8 true false'])
  t.strictSame(relations.get('v_joined')!.compositeKeys, [['nr', 'fk_account']])
  t.strictSame(flags('v_left'), [
    'nr int4 false false',
    'id uuid true false',
    'pk_account int8 true false',
    'most int4 false false',
  ])
  t.strictSame(flags('v_union'), ['id uuid false false'])
  t.strictSame(flags('v_sum'), ['mood enum:v_sum_mood false false', 'n int8 true false'])
  await t.rejects(database.catalog({ relations: ['v_broken'], functions: [] }), {
    code: 'SVC_SCHEMA_INVALID',
    message: /v_broken.*invalid table/,
  })
  const other = await database.catalog({ relations: ['mysql.db'], functions: ['sys.format_path'] })
  t.equal(other.relations.get('mysql.db')!.schema, 'mysql')
})

await onMariaDb(t, 'the catalog describes routines', ODD, async (t, url) => {
  const database = await open(t, url)
  const names = [
    'tenant',
    'counted',
    'doc_of',
    'rows_of',
    'id_of',
    'ids_of',
    'nothing',
    'star',
    'one',
    'made',
    'outs',
    'Nowhere',
  ]
  const { functions, allFunctions } = await database.catalog({ relations: [], functions: names })
  const of = (name: string) => functions.get(name)![0]!
  t.notOk(functions.has('Nowhere'))
  t.ok(allFunctions.includes('rows_of'))
  t.match(of('tenant'), { kind: 'function', returns: { kind: 'scalar', type: 'text' } })
  t.match(of('doc_of').returns, { kind: 'scalar', type: 'json' })
  t.match(of('counted'), { parameters: [{ name: 'p_x', type: 'int4', hasDefault: false }], returns: { type: 'int8' } })
  t.match(of('rows_of'), {
    kind: 'procedure',
    yields: true,
    parameters: [
      { name: 'p_id', type: 'uuid' },
      { name: 'p_tags', type: 'json' },
    ],
    returns: {
      kind: 'composite',
      columns: ['status', 'message', 'entity_id'].map((name) => ({ name, type: 'unknown' })),
    },
  })
  t.strictSame(of('id_of').returns, { set: false, kind: 'scalar', type: 'uuid', columns: [] })
  t.strictSame(of('ids_of').returns, { set: true, kind: 'scalar', type: 'int4', columns: [] })
  t.strictSame(of('nothing').returns.kind, 'void')
  t.equal(of('nothing').yields, undefined)
  t.strictSame(of('star').returns, { set: false, kind: 'composite', type: 'record', columns: [] }, 'not known')
  t.match(of('one').returns, { kind: 'scalar', type: 'unknown' })
  t.strictSame(
    of('made').returns.columns.map(({ name }) => name),
    ['nr', 'text'],
  )
  t.match(of('outs'), {
    parameters: [{ hasDefault: false }, { hasDefault: true, labels: [/^x$/] }, { hasDefault: false }],
    returns: {
      kind: 'composite',
      columns: [
        { name: 'p_b', type: 'enum:p_b' },
        { name: 'p_c', type: 'text' },
      ],
    },
  })
})

await onMariaDb(t, 'a view whose functions may change the session is reset after it is read', ODD, async (t, url) => {
  const database = await open(t, url)
  const resets = async () => {
    const { relations } = await database.catalog({ relations: ['v_tenant', 'v_on_tenant', 'v_account'], functions: [] })
    return [...relations.values()].map((relation) => relation.resets === true)
  }
  await database.script(`CREATE VIEW v_tenant AS SELECT tenant() AS t; CREATE VIEW v_on_tenant AS SELECT t FROM v_tenant;
    DROP PROCEDURE rows_of; DROP PROCEDURE one;`)
  t.strictSame(await resets(), [false, false, false])
  await database.script('CREATE FUNCTION zone() RETURNS INT BEGIN SET time_zone = "+02:00"; RETURN 1; END;')
  t.strictSame(await resets(), [true, true, false])
})

await onMariaDb(t, 'introspection describes the whole database', ODD, async (t, url) => {
  const database = await open(t, url)
  const model = await database.introspect!()
  const relationOf = (name: string) => model.relations.find((relation) => relation.name === name)!
  t.strictSame(
    model.relations.map(({ name }) => name),
    ['account', 'odd `name', 'post', 'v_account', 'v_joined', 'v_left', 'v_over', 'v_sum', 'v_union'],
  )
  const account = relationOf('account')
  t.match(account, {
    kind: 'table',
    comment: 'All accounts',
    primaryKey: ['pk_account'],
    privileges: { select: true, insert: true, update: true, delete: true },
  })
  t.strictSame(account.uniqueKeys, [['id'], ['mail']])
  const columnOf = (name: string) => account.columns.find((column) => column.name === name)
  t.match(columnOf('pk_account'), { identity: true, hasDefault: true, sqlType: 'int(10) unsigned' })
  t.match(columnOf('id'), { hasDefault: true, default: 'uuid()' })
  t.match(columnOf('mail'), { hasDefault: false, comment: 'Address; "quoted"' })
  t.match(columnOf('mood'), { enum: 'account_mood', default: "'sad'" })
  t.match(columnOf('doubled'), { generated: true })
  t.match(columnOf('at'), { default: 'current_timestamp(3)' })
  t.equal(columnOf('nick')!.default, undefined)
  t.strictSame(relationOf('post').foreignKeys, [
    { name: 'fk_a', columns: ['fk_account'], references: { name: 'account', columns: ['pk_account'] } },
  ])
  t.strictSame(
    relationOf('post').indexes.map(({ name, columns }) => [name, columns]),
    [
      ['PRIMARY', ['nr', 'fk_account']],
      ['by_body', ['']],
      ['by_nr', ['nr', 'body']],
      ['fk_a', ['fk_account']],
    ],
  )
  t.match(relationOf('v_account').privileges, { insert: true })
  t.match(relationOf('v_sum').privileges, { insert: false, update: false, delete: false })
  t.ok(model.enums.some(({ name, labels }) => name === 'account_mood' && labels[1] === "it's"))
  t.match(model.skipped, [
    { kind: 'view', name: 'v_broken', reason: /cannot be read/ },
    { kind: 'column', name: 'account.hidden', reason: 'is invisible' },
  ])
  const routine = (name: string) => model.functions.find((one) => one.name === name)!
  t.match(routine('tenant'), { kind: 'function', volatility: 'stable' })
  t.match(routine('counted'), { volatility: 'volatile' })
  t.match(routine('rows_of'), { kind: 'procedure', yields: true, volatility: 'volatile', comment: 'Returns rows.' })
  t.strictSame((await database.query(read('SELECT 1'), [], null)).rows, [['1']])
})
