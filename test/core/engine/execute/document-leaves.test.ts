import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/**
 * Nothing holds the values of a document to a type: what is no UUID, no time and no list is null and an error at its place, on every
 * database, and the rest of the row is answered.
 */

const UUID = 'a0000000-0000-4000-8000-000000000001'
const AT = '2024-02-29T12:00:00+00:00'
const DAY = '2024-02-29'
const GOOD = [
  {
    code: UUID,
    clock: '08:30',
    at: '2024-02-29T12:00:00+00:00',
    day: '2024-02-29',
    codes: [UUID],
    clocks: ['08:30:00', '23:59:59.5'],
    ats: ['1999-12-31T23:59:59.5+00:00', null],
    days: ['infinity', '2000-02-29'],
    deep: [['2024-02-29', null], []],
  },
  {
    code: UUID.toUpperCase(),
    clock: '24:00:00',
    at: '-infinity',
    day: 'infinity',
    codes: [],
    clocks: ['00:00'],
    ats: [],
    days: [],
    deep: [null],
  },
  {
    code: null,
    clock: '08:30:00+02',
    at: null,
    day: null,
    codes: null,
    clocks: null,
    ats: null,
    days: null,
    deep: null,
  },
]
/** Read, and shown in another form. */
const READ = [
  { at: '2024-02-29', day: '2024-02-29T12:00:00Z', ats: ['2024-01-01 08:30-02', '2024-01-01T08:30:00.500z'] },
]
const SHOWN = [
  {
    at: '2024-02-29T00:00:00+00:00',
    day: '2024-02-29',
    ats: ['2024-01-01T10:30:00+00:00', '2024-01-01T08:30:00.5+00:00'],
  },
]
const BAD = [
  {
    code: 'nope',
    clock: '25:00',
    at: 'soon',
    day: 'someday',
    codes: ['x', UUID],
    clocks: ['noon', '08:30'],
    ats: ['never', AT],
    days: ['1900-02-29', DAY],
    deep: [['2023-02-29'], [DAY]],
  },
  {
    code: 1,
    clock: '8:30',
    at: 20240101,
    day: true,
    codes: [[UUID], UUID],
    clocks: [830, '08:30'],
    ats: [[AT], AT],
    days: [[DAY], DAY],
    deep: [[{}], [DAY]],
  },
  {
    code: `${UUID}0`,
    clock: '08:30 am',
    at: '2023-02-29T00:00:00Z',
    day: '0000-01-01',
    codes: [{ a: 1 }, UUID],
    clocks: ['08:60', '08:30'],
    ats: ['2024-01-01T25:00:00Z', AT],
    days: ['2024-04-31', DAY],
    deep: [['2024-13-01'], [DAY]],
  },
  {
    code: '',
    clock: '',
    at: '',
    day: '99999999-02-29',
    codes: ['', UUID],
    clocks: ['', '08:30'],
    ats: [{ at: AT }, AT],
    days: [0, DAY],
    deep: [[''], [DAY]],
  },
  {
    code: {},
    clock: [],
    at: {},
    day: [],
    codes: [7, UUID],
    clocks: [{}, '08:30'],
    ats: ['?', AT],
    days: ['', DAY],
    deep: [['x'], [DAY]],
  },
]
const NAMES = Object.keys(GOOD[0]!)
/** The place of the bad value in each of them. */
const placeIn = (name: string): string => (name === 'deep' ? 'deep.0.0' : name.endsWith('s') ? `${name}.0` : name)
const LISTS = NAMES.filter((name) => placeIn(name) !== name)
const NO_LISTS = [7, 'x', true, { a: 1 }]
const rows = [
  ...GOOD,
  ...BAD,
  ...NO_LISTS.map((value) => Object.fromEntries(LISTS.map((name) => [name, value]))),
  ...READ,
]
  .map((row, i) => `INSERT INTO leaf VALUES (${i + 1}, '${JSON.stringify(row)}');`)
  .join('\n')
const SCHEMA = tableSchema({
  name: 'Leaf',
  sql_source: 'leaf',
  list: 'leaves',
  fields: Object.entries({
    id: 'Int!',
    code: 'UUID',
    clock: 'Time',
    at: 'DateTime',
    day: 'Date',
    codes: '[UUID]',
    clocks: '[Time]',
    ats: '[DateTime]',
    days: '[Date]',
    deep: '[[Date]]',
  }).map(([name, type]) => ({ name, type })),
})

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openExecuteWorld(t, database, SCHEMA)
    const ask = async (after: number, count: number, names = NAMES) => {
      const where = `{ id: { _gt: ${after}, _lte: ${after + count} } }`
      const { data, errors } = await world.run(
        `{ leaves(where: ${where}, orderBy: [{ id: ASC }]) { ${names.join(' ')} } }`,
      )
      return { rows: data.leaves, errors: errors.map(({ path, message }) => `${path?.join('.')} ${message}`) }
    }
    t.same(await ask(0, GOOD.length), { rows: GOOD, errors: [] })
    const said = (wanted: string, i: number, name: string, place: string): string =>
      `leaves.${i}.${place} What is stored for Leaf.${name} is not ${wanted}.`
    t.same(await ask(GOOD.length, BAD.length), {
      rows: BAD.map(() => ({
        code: null,
        clock: null,
        at: null,
        day: null,
        codes: [null, UUID],
        clocks: [null, '08:30'],
        ats: [null, AT],
        days: [null, DAY],
        deep: [[null], [DAY]],
      })),
      errors: BAD.flatMap((_, i) => NAMES.map((name) => said('a value of its type', i, name, placeIn(name)))),
    })
    t.same(await ask(GOOD.length + BAD.length, NO_LISTS.length, LISTS), {
      rows: NO_LISTS.map(() => Object.fromEntries(LISTS.map((name) => [name, null]))),
      errors: NO_LISTS.flatMap((_, i) => LISTS.map((name) => said('a list', i, name, name))),
    })
    t.same(await ask(GOOD.length + BAD.length + NO_LISTS.length, READ.length, Object.keys(READ[0]!)), {
      rows: SHOWN,
      errors: [],
    })
  },
  {
    sql: `CREATE TABLE leaf (id int PRIMARY KEY, data jsonb NOT NULL); ${rows}`,
    sqlite: { sql: `CREATE TABLE leaf (id INTEGER PRIMARY KEY, data JSON TEXT NOT NULL); ${rows}` },
  },
)
