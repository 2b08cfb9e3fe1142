import t, { type Test } from 'tap'
import { applyChangedScripts } from '../../../../core/cli/database/script-watch.ts'
import { eachDatabase, openDatabase } from '../../../helpers/databases.ts'

const TABLES = 'CREATE TABLE tb_a (id int PRIMARY KEY, name text);\n'
const VIEWS = '-- what is shown\nCREATE VIEW v_a AS SELECT id FROM tb_a;\n'
const FUNCTIONS =
  "CREATE FUNCTION fn_a() RETURNS text LANGUAGE sql AS $$ SELECT 'one;' $$;\nCREATE TYPE ty_a AS (a int);\n"

const scripts = (tables: string, views: string, functions: string) => [
  { name: 'db/01.sql', sql: tables },
  { name: 'db/02.sql', sql: views },
  { name: 'db/03.sql', sql: functions },
]
const BEFORE = scripts(TABLES, VIEWS, FUNCTIONS)

t.test('new and changed scripts are applied to a database that has the others', async (t) => {
  await eachDatabase(
    t,
    async (t, { url }) => {
      const database = await openDatabase(t as Test, url)
      const single = async (text: string) => (await database.query({ name: null, text }, [], null)).rows[0]?.[0]
      t.equal(await applyChangedScripts(database, BEFORE, BEFORE), 0)

      const views = VIEWS.replace('SELECT id', 'SELECT id, upper(name) AS name')
      const functions = FUNCTIONS.replace("'one;'", "'two;'")
      const now = scripts(`${TABLES}CREATE TABLE tb_b (id int);`, views, functions)
      t.equal(await applyChangedScripts(database, BEFORE, now), 3)
      t.equal(await single('SELECT name FROM v_a'), 'ONE')
      t.equal(await single('SELECT fn_a()'), 'two;')
      t.equal(await single('SELECT count(*) FROM tb_b'), '0')

      const wrong = scripts(TABLES.replace('text', 'int'), VIEWS.replace('id', 'id + 1 AS id'), FUNCTIONS)
      await t.rejects(applyChangedScripts(database, now, wrong), {
        code: 'SVC_DATABASE_INIT_FAILED',
        message: 'db/01.sql:1:1: relation "tb_a" already exists',
      })
      const failing = "SELECT 1;\n  CREATE FUNCTION fn_b() RETURNS nothing LANGUAGE sql AS '';"
      const half = scripts(now[0]!.sql, views.replace('upper', 'lower'), functions + failing)
      await t.rejects(applyChangedScripts(database, now, half), {
        message: /^db\/03\.sql:4:\d+: type "nothing" does not exist/,
      })
      t.equal(await single('SELECT name FROM v_a'), 'ONE', 'all or nothing')
    },
    { sql: `${BEFORE.map(({ sql }) => sql).join('')}INSERT INTO tb_a VALUES (1, 'one');` },
  )
})
