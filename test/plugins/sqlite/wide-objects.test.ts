import t from 'tap'
import { worldOn } from '../../helpers/plan-world.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { eachLibrary, open } from './open-sqlite.ts'

const FIELDS = 1_500
const names = Array.from({ length: FIELDS }, (_, i) => `f${i}`)
/** Texts, numbers, booleans and JSON by turns; an object in JSON stands last. */
const TYPES = ['String', 'Int', 'Boolean', 'JSON', 'Float']
const SQL_TYPES = ['TEXT', 'INTEGER', 'BOOLEAN', 'JSON TEXT', 'REAL']
const VALUES = [`'a}"{'`, '7', '1', `'{"a":{"b":null}}'`, '0.1']
const EXPECTED = ['a}"{', 7, true, { a: { b: null } }, 0.1]
const SQL = `CREATE TABLE wide (id INTEGER PRIMARY KEY, fk_wide INTEGER, ${names.map((name, i) => `${name} ${SQL_TYPES[i % 5]}`).join(', ')});
  INSERT INTO wide VALUES (1, 1, ${names.map((_, i) => (i % 97 === 0 ? 'NULL' : VALUES[i % 5])).join(', ')});`
const SCHEMA = tableSchema({
  name: 'Wide',
  sql_source: 'wide',
  list: 'wides',
  fields: [
    { name: 'id', type: 'ID!' },
    { name: 'next', type: 'Wide', relation: { from: 'fk_wide', to: 'id' } },
    ...names.map((name, i) => ({ name, type: TYPES[i % 5]! })),
  ],
})

await eachLibrary(t, 'objects of 1,500 fields, in each other too', async (t, library) => {
  const world = await worldOn(await open(t, { library, sql: SQL }), SCHEMA)
  const row = Object.fromEntries(names.map((name, i) => [name, i % 97 === 0 ? null : EXPECTED[i % 5]]))
  const all = names.join(' ')
  t.strictSame(await world.run(`{ wides { ${all} } }`), { wides: [row] })
  const nested = await world.run(`{ wides { id ${all} next { ${all} next { id next { ${all} } } } } }`)
  t.strictSame(nested, { wides: [{ id: '1', ...row, next: { ...row, next: { id: '1', next: row } } }] })
  const roots = Array.from({ length: 900 }, (_, i) => `r${i}: wides(limit: 0) { id }`).join(' ')
  t.equal(Object.keys(await world.run(`{ ${roots} }`)).length, 900, 'roots are an object, too')
})
