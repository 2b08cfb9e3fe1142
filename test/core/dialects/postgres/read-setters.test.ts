import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openApp } from '../../../helpers/open-app.ts'

const VIEWS: Readonly<Record<string, readonly [sql: string, resets: boolean]>> = {
  v_plain: ['SELECT id, upper(name) AS name FROM tb_item', false],
  v_stable: ['SELECT id, fn_stable(name) AS name FROM tb_item', false],
  v_now: ['SELECT id, clock_timestamp()::text AS name FROM tb_item', false],
  v_volatile: ['SELECT id, fn_volatile(name) AS name FROM tb_item', true],
  v_hidden: ['SELECT id, fn_hidden(name) AS name FROM tb_item', true],
  v_direct: [`SELECT id, set_config('app.left', 'x', false) AS name FROM tb_item`, true],
  v_where: ['SELECT id, name FROM tb_item WHERE fn_volatile(name) IS NOT NULL', true],
  v_operator: [`SELECT id, name FROM tb_item WHERE name === 'x'`, true],
  v_over: ['SELECT i.id, v.name FROM tb_item i JOIN v_volatile v USING (id)', true],
  v_policy: ['SELECT id, name FROM tb_guarded', true],
  v_written: ['SELECT id, name FROM tb_written', false],
}
const SQL = `
CREATE TABLE tb_item (id int PRIMARY KEY, name text); INSERT INTO tb_item VALUES (1, 'x');
CREATE TABLE tb_guarded (id int PRIMARY KEY, name text); CREATE TABLE tb_written (id int PRIMARY KEY, name text);
CREATE FUNCTION fn_stable(v text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT v $$;
CREATE FUNCTION fn_volatile(v text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN PERFORM set_config('role', 'pg_monitor', false), set_config('app.left', v, false); RETURN v; END $$;
CREATE FUNCTION fn_hidden(v text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT set_config('app.left', v, false) $$;
CREATE FUNCTION fn_same(a text, b text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM fn_volatile(a); RETURN a = b; END $$;
CREATE OPERATOR === (FUNCTION = fn_same, LEFTARG = text, RIGHTARG = text);
CREATE POLICY p ON tb_guarded USING (fn_volatile(name) IS NOT NULL);
CREATE POLICY p ON tb_written FOR INSERT WITH CHECK (fn_volatile(name) IS NOT NULL);
${Object.entries(VIEWS)
  .map(([name, [sql]]) => `CREATE VIEW ${name} AS ${sql};`)
  .join('\n')}
CREATE VIEW v_session AS SELECT 1 AS id, current_user || coalesce(current_setting('app.left', true), '') AS name;
GRANT ALL ON ALL TABLES IN SCHEMA public TO pg_monitor;
`
const SOURCES = [...Object.keys(VIEWS), 'v_session']
const typeOf = (source: string) => source.replace(/_./g, (part) => part[1]!.toUpperCase()).replace(/^v/, 'V')
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: SOURCES.map((source) => ({
    name: typeOf(source),
    sql_source: source,
    fields: [
      { name: 'id', type: 'ID!' },
      { name: 'name', type: 'String' },
      ...(source === 'v_plain' ? [{ name: 'other', type: 'VVolatile', relation: { from: 'id', to: 'id' } }] : []),
    ],
  })),
  queries: SOURCES.map((source) => ({ name: source.slice(2), type: `[${typeOf(source)}!]!`, sql_source: source })),
}

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, SCHEMA)

    await t.test('the catalog says behind which a function may set something', async (t) => {
      const { relations } = await app.database.catalog({ relations: SOURCES, functions: [] })
      for (const [name, [, resets]] of Object.entries(VIEWS))
        t.equal(relations.get(name)?.resets === true, resets, name)
      const { sources } = app.kernel.generation.schema
      t.equal(sources.get('v_volatile')?.resets, true)
      t.equal(sources.get('v_plain')?.resets, undefined)
    })

    await t.test('a setting that a read makes ends with the read', async (t) => {
      const before = (await app.graphql('{ session { name } }')).data
      t.strictSame(before, { session: [{ name: 'postgres' }] })
      const documents = [
        ...Object.entries(VIEWS).flatMap(([name, [, resets]]) => (resets ? [`{ ${name.slice(2)} { id name } }`] : [])),
        '{ plain { id other { name } } }',
        '{ plain(where: { other: { name: { _eq: "x" } } }) { id } }',
      ]
      for (const document of documents) {
        // Sent at once: what comes behind it on its connection is on its way already.
        const answers = await Promise.all(
          [document, ...Array(4).fill('{ session { name } }')].map((each) => app.graphql(each)),
        )
        t.equal(answers[0]?.errors, undefined, document)
        for (const { data } of answers.slice(1)) t.strictSame(data, before, document)
      }
    })
  },
  { sql: SQL },
)
