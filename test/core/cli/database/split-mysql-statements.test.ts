import t from 'tap'
import { splitMysqlStatements } from '../../../../core/cli/database/split-mysql-statements.ts'

const texts = (sql: string) => splitMysqlStatements(sql).map(({ text }) => text)

t.test('semicolons in texts, names and comments do not split', async (t) => {
  t.strictSame(texts(`SELECT 'a;\\';b''c;', "d;\\"", \`e;\`; -- f; g\n# h; i\n/* j; */ SELECT 2`), [
    `SELECT 'a;\\';b''c;', "d;\\"", \`e;\``,
    'SELECT 2',
  ])
  t.strictSame(texts('SELECT 1--1; SELECT 2'), ['SELECT 1--1', 'SELECT 2'], 'a comment needs a space')
  t.strictSame(texts('; -- nothing\n;;'), [])
  t.strictSame(texts('/*! SET @x = 1 */; SELECT 1'), ['/*! SET @x = 1 */', 'SELECT 1'], 'the server executes it')
})

t.test('bodies of routines and triggers are part of their statement', async (t) => {
  const procedure = `CREATE OR REPLACE DEFINER=\`a\`@\`%\` PROCEDURE p() BEGIN
    IF 1 THEN SELECT CASE WHEN 1 THEN 2 END; ELSE BEGIN SELECT 3; END; END IF;
    CASE 1 WHEN 1 THEN SELECT 1; END CASE;
    l: LOOP LEAVE l; END LOOP; WHILE 0 DO SELECT 1; END WHILE; REPEAT SELECT 1; UNTIL 1 END REPEAT;
  END`
  t.strictSame(texts(`${procedure};\nSELECT CASE WHEN 1 THEN 2 END; BEGIN; COMMIT;`), [
    procedure,
    'SELECT CASE WHEN 1 THEN 2 END',
    'BEGIN',
    'COMMIT',
  ])
  const trigger = 'CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET NEW.x = 1; END'
  t.strictSame(texts(`-- first\n${trigger}; SELECT 1`), [trigger, 'SELECT 1'])
  t.strictSame(texts('CREATE FUNCTION f() RETURNS INT RETURN 1; SELECT 1'), [
    'CREATE FUNCTION f() RETURNS INT RETURN 1',
    'SELECT 1',
  ])
})

t.test('DELIMITER lines', async (t) => {
  const sql =
    "SELECT 1;\nDELIMITER //\nCREATE PROCEDURE p() IF 1 THEN SELECT '//'; END IF//\nSELECT 2//\n  delimiter ;\nSELECT 3; SELECT 4"
  t.strictSame(texts(sql), [
    'SELECT 1',
    "CREATE PROCEDURE p() IF 1 THEN SELECT '//'; END IF",
    'SELECT 2',
    'SELECT 3',
    'SELECT 4',
  ])
  for (const { text, offset } of splitMysqlStatements(sql)) t.equal(sql.slice(offset, offset + text.length), text)
})
