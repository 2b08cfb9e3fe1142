import t from 'tap'
import { hasSessionSetters } from '../../../../core/dialects/postgres/catalog/has-session-setters.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../../helpers/databases.ts'
import { requireService, type TestLike } from '../../../helpers/services.ts'

/** Bodies in PL/pgSQL, between BEGIN and END. */
const HARMLESS = [
  'UPDATE item SET name = $1 WHERE id = 1;',
  "INSERT INTO item (name) VALUES ('') ON CONFLICT DO NOTHING;",
  'update only public.item AS i set name = $1;',
  'UPDATE "item" i SET "set" = $1;',
  "INSERT INTO item (name) VALUES ($1) ON CONFLICT (id) DO UPDATE SET name = 'set';",
  "-- set the name, and the clerk's zone\n INSERT INTO item (name) VALUES ('SET role');",
  '/* SET ROLE admin * */ PERFORM 1;',
  'SET LOCAL statement_timeout = 100;',
  "PERFORM set_config('app.tenant', $1, true);",
  "PERFORM set_config('app.tenant', $1::text, true), set_byte('a'::bytea, 0, 1);",
  "PERFORM 1 AS offset_reset, 'reset_all()';",
]
const SETTING = [
  "SET TimeZone = 'Asia/Tokyo';",
  'SET ROLE pg_monitor;',
  'IF update THEN SET ROLE pg_monitor; END IF;',
  'SET SESSION app.tenant = 1;',
  'RESET app.tenant;',
  'UPDATE item SET name = $1; SET app.tenant = 1;',
  "-- update the zone\n SET TimeZone = 'Asia/Tokyo';",
  "PERFORM 'it''s -- so'; SET app.tenant = 1;",
  "PERFORM E'it\\'s'; SET app.tenant = 1; PERFORM 'and';",
  "PERFORM $m$it's$m$; SET app.tenant = 1; PERFORM $m$it's$m$;",
  "PERFORM set_config('app.tenant', $1, false);",
  "PERFORM set_config('app.tenant', $1, $1 = '');",
  "PERFORM set_config('app.a', '1', false), set_config('app.b', '1', true);",
  "PERFORM set_config('app.a', lower($1), true);",
  "EXECUTE 'SE' || 'T app.tenant = 1';",
  'PERFORM set_limit(0.5);',
  "DO 'BEGIN SET app.tenant = 1; END';",
  "DO LANGUAGE plpgsql 'BEGIN SET app.tenant = 1; END';",
  "PERFORM query_to_xml('SELECT set_config(''app.tenant'', ''1'', false)', true, false, '');",
  "PERFORM * FROM ts_stat('SELECT to_tsvector(set_config(''app.tenant'', ''1'', false))');",
  "CREATE FUNCTION fn_two() RETURNS void LANGUAGE plpgsql AS 'BEGIN SET app.tenant = 1; END';",
  "UPDATE pg_settings SET setting = 'x' WHERE name = 'app.tenant';",
]

t.test('bodies of functions', async (t) => {
  const has = await openWorld(t)
  if (has === null) return
  t.equal(await has(), false, 'a database without functions')
  for (const [bodies, expected] of [
    [HARMLESS, false],
    [SETTING, true],
  ] as const) {
    for (const body of bodies) {
      const create = `CREATE FUNCTION fn_one(text) RETURNS void LANGUAGE plpgsql AS $body$ BEGIN ${body} END $body$`
      t.equal(await has(create, 'DROP FUNCTION fn_one'), expected, body)
    }
  }
})

t.test('everything else that runs code', async (t) => {
  const has = await openWorld(t)
  if (has === null) return
  const sets = "set_config('app.tenant', 'x', false)"
  const cases: readonly (readonly [boolean, string, string])[] = [
    [true, `CREATE FUNCTION fn_sql() RETURNS text LANGUAGE sql AS $$ SELECT ${sets} $$`, 'DROP FUNCTION fn_sql'],
    [true, `CREATE PROCEDURE pr_sets() LANGUAGE sql AS $$ SELECT ${sets} $$`, 'DROP PROCEDURE pr_sets'],
    [
      false,
      "CREATE FUNCTION fn_own() RETURNS int LANGUAGE sql SET TimeZone = 'Asia/Tokyo' AS 'SELECT 1'",
      'DROP FUNCTION fn_own',
    ],
    [
      true,
      "CREATE FUNCTION fn_c(text, text, bool) RETURNS text LANGUAGE internal AS 'set_config_by_name'",
      'DROP FUNCTION fn_c',
    ],
    [true, `CREATE VIEW v_sets AS SELECT ${sets} AS tenant`, 'DROP VIEW v_sets'],
    [false, 'CREATE VIEW v_still AS SELECT * FROM item', 'DROP VIEW v_still'],
    [true, `CREATE RULE r_sets AS ON INSERT TO item DO ALSO SELECT ${sets}`, 'DROP RULE r_sets ON item'],
    [true, `ALTER TABLE item ALTER COLUMN name SET DEFAULT ${sets}`, 'ALTER TABLE item ALTER COLUMN name DROP DEFAULT'],
    [true, `ALTER TABLE item ADD CONSTRAINT c_sets CHECK (${sets} = 'x')`, 'ALTER TABLE item DROP CONSTRAINT c_sets'],
    [true, `CREATE DOMAIN d_default AS text DEFAULT ${sets}`, 'DROP DOMAIN d_default'],
    [
      true,
      `CREATE FUNCTION fn_default(a text DEFAULT ${sets}) RETURNS text LANGUAGE sql AS 'SELECT a'`,
      'DROP FUNCTION fn_default',
    ],
    [true, `CREATE DOMAIN d_sets AS text CHECK (${sets} = 'x')`, 'DROP DOMAIN d_sets'],
    [true, `CREATE POLICY p_sets ON item WITH CHECK (${sets} = 'x')`, 'DROP POLICY p_sets ON item'],
    [
      false,
      `CREATE POLICY p_still ON item USING (name = current_setting('app.tenant'))`,
      'DROP POLICY p_still ON item',
    ],
    [
      true,
      `CREATE TRIGGER t_sets BEFORE INSERT ON item FOR EACH ROW WHEN (${sets} = NEW.name) EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
      'DROP TRIGGER t_sets ON item',
    ],
    [false, 'CREATE AGGREGATE a_sum (int) (sfunc = int4pl, stype = int)', 'DROP AGGREGATE a_sum (int)'],
    [false, 'CREATE EXTENSION pg_trgm', 'DROP EXTENSION pg_trgm'],
  ]
  for (const [expected, create, drop] of cases) t.equal(await has(create, drop), expected, create)
  t.equal(await has(), false, 'nothing is left of them')
})

/** @returns whether there are setters while something stands that is dropped behind it; `null`: there is no server */
async function openWorld(t: TestLike): Promise<((create?: string, drop?: string) => Promise<boolean>) | null> {
  if (!(await requireService(t, 'postgres'))) return null
  const url = await createPostgresDatabase(t, { sql: 'CREATE TABLE item (id int PRIMARY KEY, name text, "set" text)' })
  const name = new URL(url).pathname.slice(1)
  const database = await openDatabase(t, url)
  const query = async (text: string, parameters: readonly (string | null | readonly (string | null)[])[]) =>
    (await database.query({ name: null, text, readOnly: true }, parameters, null)).rows
  return async (create, drop) => {
    if (create !== undefined) await runOnServer(name, create)
    const found = await hasSessionSetters({ query })
    if (drop !== undefined) await runOnServer(name, drop)
    return found
  }
}
