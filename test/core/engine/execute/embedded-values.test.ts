import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'

/** Anything may stand under the key of an embedded object: what is none is null and an error at its place, and never null alone. */

const holding = (value: string): string =>
  `{"at":${value},"need":{"at":${value}},"all":[${value},{"lat":1}],"deep":[[${value}],${value}]}`
const GOOD = `{"at":{"lat":1},"need":{"at":{"lat":2}},"all":[{"lat":3},null],"deep":[[{"lat":4}],null]}`
const NULLS = `{"at":null,"need":null,"all":null}`
const NO_OBJECTS = ['7', '"x"', 'true', '[]', '[{"lat":1}]']
const LISTS = ['7', '"x"', '{"lat":1}']
const rows = [GOOD, NULLS, ...NO_OBJECTS.map(holding), ...LISTS.map((value) => `{"all":${value},"deep":[${value}]}`)]
const inserts = rows.map((row, i) => `INSERT INTO spot VALUES (${i + 1}, '${row}');`).join('\n')
const LAT = [{ name: 'lat', type: 'Int' }]
const SCHEMA = {
  version: '1',
  types: [
    { name: 'Point', embedded: true, fields: LAT },
    { name: 'Need', embedded: true, fields: [{ name: 'at', type: 'Point!' }] },
    {
      name: 'Spot',
      sql_source: 'spot',
      fields: [
        { name: 'id', type: 'Int!' },
        { name: 'at', type: 'Point' },
        { name: 'need', type: 'Need' },
        { name: 'all', type: '[Point]' },
        { name: 'deep', type: '[[Point]]' },
      ],
    },
  ],
  queries: [{ name: 'spots', type: '[Spot!]!', sql_source: 'spot' }],
  mutations: [
    {
      name: 'touch',
      type: 'Spot',
      sql_source: 'fn_touch',
      operation: 'CUSTOM',
      arguments: [{ name: 'data', type: 'JSON!' }],
    },
  ],
} as unknown as AuthoredSchema
const FIELDS = 'at { lat } need { at { lat } } all { lat } deep { lat }'

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openExecuteWorld(t, database, SCHEMA)
    const said = (errors: readonly { path?: readonly (string | number)[] | undefined; message: string }[]) =>
      errors.map(({ path, message }) => `${path?.join('.')} ${message}`)
    const ask = async (after: number, count: number, fields: string) => {
      const where = `{ id: { _gt: ${after}, _lte: ${after + count} } }`
      const { data, errors } = await world.run(`{ spots(where: ${where}, orderBy: [{ id: ASC }]) { ${fields} } }`)
      return { rows: data.spots, errors: said(errors) }
    }
    t.same(await ask(0, 2, FIELDS), {
      rows: [
        { at: { lat: 1 }, need: { at: { lat: 2 } }, all: [{ lat: 3 }, null], deep: [[{ lat: 4 }], null] },
        { at: null, need: null, all: null, deep: null },
      ],
      errors: [],
    })
    const none = (what: string, place: string, field: string) => `${place} What is stored for ${field} is not ${what}.`
    const bad = await ask(2, NO_OBJECTS.length, FIELDS)
    t.same(
      bad.rows,
      NO_OBJECTS.map((value) => ({
        at: null,
        need: null,
        all: [null, { lat: 1 }],
        deep: [[null], value === '[]' ? [] : value === '[{"lat":1}]' ? [{ lat: 1 }] : null],
      })),
    )
    t.same(
      bad.errors,
      NO_OBJECTS.flatMap((value, i) => [
        none('an object', `spots.${i}.at`, 'Spot.at'),
        none('an object', `spots.${i}.need.at`, 'Need.at'),
        none('an object', `spots.${i}.all.0`, 'Spot.all'),
        none('an object', `spots.${i}.deep.0.0`, 'Spot.deep'),
        ...(value.startsWith('[') ? [] : [none('a list', `spots.${i}.deep.1`, 'Spot.deep')]),
      ]),
    )
    const lists = await ask(2 + NO_OBJECTS.length, LISTS.length, 'all { lat } deep { lat }')
    t.same(
      lists.rows,
      LISTS.map(() => ({ all: null, deep: [null] })),
    )
    t.same(
      lists.errors,
      LISTS.flatMap((_, i) => [
        none('a list', `spots.${i}.all`, 'Spot.all'),
        none('a list', `spots.${i}.deep.0`, 'Spot.deep'),
      ]),
    )
    const touched = await world.run(`mutation ($data: JSON!) { touch(data: $data) { ${FIELDS} } }`, {
      data: { id: 1, at: 7, need: { at: 'x' }, all: [true], deep: [1] },
    })
    t.same(touched.data, { touch: { at: null, need: null, all: [null], deep: [null] } })
    t.same(said(touched.errors), [
      none('an object', 'touch.at', 'Spot.at'),
      none('an object', 'touch.need.at', 'Need.at'),
      none('an object', 'touch.all.0', 'Spot.all'),
      none('a list', 'touch.deep.0', 'Spot.deep'),
    ])
  },
  {
    sql: `CREATE TABLE spot (id int PRIMARY KEY, data jsonb NOT NULL); ${inserts}
      CREATE FUNCTION fn_touch(p_data jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('status', 'ok', 'entity', p_data) $$;`,
    sqlite: {
      sql: `CREATE TABLE spot (id INTEGER PRIMARY KEY, data JSON TEXT NOT NULL); ${inserts}`,
      scripts: { fn_touch: "-- :data json\nSELECT 'ok' AS status, :data AS entity;" },
    },
  },
)
