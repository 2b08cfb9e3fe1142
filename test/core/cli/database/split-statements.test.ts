import t from 'tap'
import { splitStatements } from '../../../../core/cli/database/split-statements.ts'

const texts = (sql: string) => splitStatements(sql).map(({ text }) => text)

t.test('a semicolon ends a statement, unless it stands in something', async (t) => {
  t.strictSame(texts('SELECT 1; SELECT 2'), ['SELECT 1', 'SELECT 2'])
  t.strictSame(texts("SELECT ';', 'it''s;' ; SELECT E'\\';' ; SELECT \"a;\"\"b\""), [
    "SELECT ';', 'it''s;'",
    "SELECT E'\\';'",
    'SELECT "a;""b"',
  ])
  t.strictSame(texts('SELECT 1 -- one; two\n, 2; SELECT /* a; /* b; */ c; */ 3'), [
    'SELECT 1 -- one; two\n, 2',
    'SELECT /* a; /* b; */ c; */ 3',
  ])
  t.strictSame(texts('DO $$ BEGIN x; END $$; DO $a_1$ $$;$$ ; $a_1$; SELECT $1, a$b;'), [
    'DO $$ BEGIN x; END $$',
    'DO $a_1$ $$;$$ ; $a_1$',
    'SELECT $1, a$b',
  ])
})

t.test('the body of a function in standard SQL is one statement', async (t) => {
  const body = 'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END'
  t.strictSame(texts(`${body}; SELECT CASE 1 WHEN 1 THEN 2 END; BEGIN; SELECT 1; END`), [
    body,
    'SELECT CASE 1 WHEN 1 THEN 2 END',
    'BEGIN',
    'SELECT 1',
    'END',
  ])
})

t.test('the body of a trigger of SQLite is one statement', async (t) => {
  const trigger = `CREATE TEMP TRIGGER a AFTER INSERT ON t BEGIN SELECT CASE 1 WHEN 1 THEN 'END' END; DELETE FROM t; END`
  t.strictSame(texts(`-- it;\n/* begin; */ ${trigger}; BEGIN; SELECT 1; END;`), [trigger, 'BEGIN', 'SELECT 1', 'END'])
  t.strictSame(texts('CREATE TRIGGER a BEFORE INSERT ON t EXECUTE FUNCTION f(); BEGIN; SELECT 2'), [
    'CREATE TRIGGER a BEFORE INSERT ON t EXECUTE FUNCTION f()',
    'BEGIN',
    'SELECT 2',
  ])
})

t.test('nothing, comments, and what is not closed', async (t) => {
  t.strictSame(texts(' ;; -- nothing;\n /* nor; this */ ;'), [])
  t.strictSame(splitStatements('-- é\n/* x */ SELECT 1;\n  SELECT 2;'), [
    { text: 'SELECT 1', offset: 13 },
    { text: 'SELECT 2', offset: 25 },
  ])
  for (const open of ["SELECT 'a; b", 'SELECT $$ a; b', 'SELECT /* a; b']) t.equal(texts(open).length > 0, true, open)
  t.strictSame(texts('SELECT $$ a; b'), ['SELECT $$ a; b'])
})
