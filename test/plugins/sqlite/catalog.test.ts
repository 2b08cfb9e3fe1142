import t from 'tap'
import { canonicalType } from '../../../plugins/sqlite/dialect/declared-type.ts'
import { eachLibrary, open } from './open-sqlite.ts'

const SQL = `
CREATE TABLE Account (pk_account INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE, mail VARCHAR(200) NOT NULL, nick TEXT,
  balance DECIMAL TEXT, at DATETIME, "odd name" BLOB, free, doubled INT AS (pk_account * 2));
CREATE TABLE post (nr INT NOT NULL, fk_account INT, body TEXT, PRIMARY KEY (fk_account, nr)) WITHOUT ROWID;
CREATE TABLE loose (code TEXT PRIMARY KEY, a INT, b INT, c INT, d INT, UNIQUE (a, b));
CREATE UNIQUE INDEX i_c ON loose (c);
CREATE UNIQUE INDEX i_part ON loose (d) WHERE d > 0;
CREATE UNIQUE INDEX i_expression ON loose (abs(d));
CREATE VIEW v_account AS SELECT id, nick AS name, lower(mail) AS folded, CAST(nick AS INTEGER) AS n, count(*) OVER () AS c FROM account;
CREATE VIRTUAL TABLE words USING fts5(word);`

await eachLibrary(t, 'relations and their columns', async (t, library) => {
  const database = await open(t, { library, sql: SQL })
  const names = ['account', 'ACCOUNT', 'main.post', 'loose', 'v_account', 'words', 'nowhere', 'other.post']
  const { relations, allRelations, allFunctions, functions } = await database.catalog({
    relations: names,
    functions: ['fn'],
  })
  t.strictSame([...relations.keys()], names.slice(0, 6))
  t.strictSame(relations.get('account'), {
    schema: 'main',
    name: 'Account',
    kind: 'table',
    columns: [
      { name: 'pk_account', type: 'int8', notNull: true, unique: true },
      { name: 'id', type: 'uuid', notNull: true, unique: true },
      { name: 'mail', type: 'text', notNull: true, unique: false },
      { name: 'nick', type: 'text', notNull: false, unique: false },
      { name: 'balance', type: 'numeric', notNull: false, unique: false },
      { name: 'at', type: 'timestamptz', notNull: false, unique: false },
      { name: 'odd name', type: 'bytea', notNull: false, unique: false },
      { name: 'free', type: 'unknown', notNull: false, unique: false },
      { name: 'doubled', type: 'int8', notNull: false, unique: false },
    ],
    primaryKey: ['pk_account'],
    textTimes: true,
  })
  t.strictSame(relations.get('ACCOUNT'), relations.get('account'))
  t.match(relations.get('main.post'), {
    columns: [
      { name: /^nr$/, notNull: true },
      { name: 'fk_account', notNull: true },
      { name: 'body', notNull: false },
    ],
    primaryKey: ['fk_account', /^nr$/],
  })
  t.equal(relations.get('loose')!.columns[0]!.notNull, false, 'a key of text may be null in SQLite')
  t.strictSame(
    relations
      .get('loose')!
      .columns.filter(({ unique }) => unique)
      .map(({ name }) => name),
    ['code', 'c'],
    'not by an index of several, of some rows, or of an expression',
  )
  t.match(relations.get('v_account'), { kind: 'view' })
  t.strictSame(relations.get('v_account')!.primaryKey, [])
  t.strictSame(
    relations.get('v_account')!.columns.map(({ name, type }) => `${name} ${type}`),
    ['id uuid', 'name text', 'folded unknown', 'n int8', 'c unknown'],
  )
  t.strictSame(relations.get('words')!.columns, [{ name: 'word', type: 'unknown', notNull: false, unique: false }])
  t.ok(['Account', 'post', 'loose', 'v_account', 'words'].every((name) => allRelations.includes(name)))
  t.notOk(allRelations.some((name) => name.startsWith('sqlite_')))
  t.strictSame([allFunctions, functions.size], [[], 0], 'there is no folder of scripts')
})

t.test('declared types', async (t) => {
  for (const [declared, type] of [
    ['INTEGER', 'int8'],
    ['BIGINT', 'int8'],
    ['unsigned big int', 'int8'],
    ['VARCHAR(20)', 'text'],
    ['NATIVE CHARACTER(70)', 'text'],
    ['CLOB', 'text'],
    ['DOUBLE PRECISION', 'float8'],
    ['REAL', 'float8'],
    ['NUMERIC(10, 2)', 'numeric'],
    ['DECIMAL TEXT', 'numeric'],
    ['BOOLEAN', 'bool'],
    ['DATE', 'date'],
    ['TIME', 'time'],
    ['DATETIME', 'timestamptz'],
    ['TIMESTAMP WITH TIME ZONE', 'timestamptz'],
    ['UUID', 'uuid'],
    ['JSON', 'json'],
    ['BLOB', 'bytea'],
    ['POINT', 'point'],
    ['INTERVAL', 'interval'],
    ['MONEY', 'money'],
    ['ANY', 'unknown'],
    ['', 'unknown'],
    [null, 'unknown'],
  ] as const) {
    t.equal(canonicalType(declared), type, String(declared))
  }
})
