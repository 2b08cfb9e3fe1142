import t from 'tap'
import { catalogNames } from '../../../core/compiler/catalog-names.ts'
import { compileSchema } from '../../../core/compiler/compile.ts'
import { whereItIs } from '../../../core/compiler/passes/where-it-is.ts'
import type { Catalog } from '../../../core/contract/database.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'

/** A view or function that is not found where it is looked for: the error says where it is, and what to write. */
const SQL = `
CREATE SCHEMA app; CREATE SCHEMA shop;
CREATE TABLE tb_note (id int PRIMARY KEY);
CREATE VIEW v_here AS SELECT id FROM tb_note;
CREATE VIEW app.v_user AS SELECT id FROM tb_note;
CREATE VIEW app.v_item AS SELECT id FROM tb_note;
CREATE VIEW shop.v_item AS SELECT id FROM tb_note;
CREATE FUNCTION app.fn_save(id int) RETURNS int LANGUAGE sql AS 'SELECT id';
CREATE FUNCTION fn_list() RETURNS SETOF tb_note LANGUAGE sql AS 'SELECT * FROM tb_note';
`
const fields = [{ name: 'id', type: 'ID!' }]
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    { name: 'User', fields },
    { name: 'Note', sql_source: 'v_here', fields },
  ],
  queries: [
    { name: 'users', type: '[User!]!' },
    ...['app.v_here', 'v_item', 'shop.v_itme', 'v_usr', 'v_hre', 'fn_list', 'V_HERE'].map((sql_source, index) => ({
      name: `q${index}`,
      type: '[Note!]!',
      sql_source,
    })),
  ],
  mutations: [
    { name: 'save', type: 'Int', arguments: [{ name: 'id', type: 'Int' }] },
    { name: 'sav', type: 'Int', sql_source: 'fn_svae' },
    { name: 'list', type: 'Int', sql_source: 'v_here' },
  ],
}

await eachDatabase(
  t,
  async (t, database) => {
    const opened = await openTestDatabase(t, database)
    const catalog = await opened.catalog(catalogNames(SCHEMA))
    const path = (name: string, schema: string) =>
      `It is in the schema "${schema}", which is not on the search path: write sql_source: "${schema}.${name}", or put the schema on the search_path of the role that svc connects as.`
    const { faults } = compileSchema(SCHEMA, { owned: OWNED_KEYS, catalog })
    t.strictSame(
      faults.map(({ message }) => message),
      [
        `Query "users" has no sql_source, User has none either, and the database has no view or table "v_user". ${path('v_user', 'app')}`,
        'Query "q0": the database has no view or table "app.v_here". There is "v_here": write sql_source: "v_here".',
        'Query "q1": the database has no view or table "v_item". There are: app.v_item, shop.v_item. Write the one that is meant.',
        'Query "q2": the database has no view or table "shop.v_itme". Did you mean "shop.v_item"?',
        'Query "q3": the database has no view or table "v_usr". Did you mean "app.v_user"?',
        'Query "q4": the database has no view or table "v_hre". Did you mean "v_here"?',
        'Query "q5": the database has no view or table "fn_list". "fn_list" is a function; rows are read from a view or table.',
        'Query "q6": the database has no view or table "V_HERE". Did you mean "v_here"?',
        `Mutation "save": the database has no function "fn_save" (the default for its name; set sql_source for another). ${path('fn_save', 'app')}`,
        'Mutation "sav": the database has no function "fn_svae". Did you mean "app.fn_save"?',
        'Mutation "list": the database has no function "v_here". "v_here" is a view or table; a mutation calls a function.',
      ],
    )
    const written = { ...SCHEMA, types: [{ name: 'User', sql_source: 'app.v_user', fields }], mutations: [] }
    const mended = { ...written, queries: [{ name: 'users', type: '[User!]!' }] }
    t.strictSame(
      compileSchema(mended, { owned: OWNED_KEYS, catalog: await opened.catalog(catalogNames(mended)) }).faults,
      [],
    )
  },
  { sql: SQL },
)

t.test('in another database, and nowhere', (t) => {
  const catalog: Catalog = {
    ...fakeCatalog({}),
    allRelations: ['v_here', 'crm:v_user'],
    elsewhere: { relations: ['crm:old.v_deal'], functions: [] },
  }
  t.equal(whereItIs(catalog, 'relation', 'v_user'), ' It is in the database "crm": write sql_source: "crm:v_user".')
  t.match(
    whereItIs(catalog, 'relation', 'crm:v_deal'),
    /It is in the schema "old" of the database "crm".*write sql_source: "crm:old.v_deal"/,
  )
  t.equal(whereItIs(catalog, 'relation', 'zzzzzzzz'), ' It has: v_here, crm:v_user.')
  t.equal(whereItIs({ ...catalog, allRelations: [] }, 'relation', 'zzzzzzzz'), ' It has: crm:old.v_deal.')
  t.equal(whereItIs(catalog, 'function', 'zzzzzzzz'), ' It has none.')
  const alone = (written: string) => ` Write the name alone, without quotes and parentheses: "${written}".`
  t.equal(whereItIs(catalog, 'relation', '"v_here"'), alone('v_here'))
  t.equal(whereItIs(catalog, 'relation', 'crm:"old"."v_deal"'), alone('crm:old.v_deal'))
  t.equal(whereItIs({ ...catalog, allFunctions: ['fn_go'] }, 'function', 'fn_go(uuid, text)'), alone('fn_go'))
  t.end()
})
